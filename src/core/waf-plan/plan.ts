import { matchesGlob, type UrlPattern } from "../page-rules/url-pattern.ts";
import {
  bypassesManagedRules,
  managedRulesOf,
  type ManagedRule,
  type OwaspPackage,
  type PreviousPageRule,
  type PreviousWaf,
} from "./previous-waf.ts";
import { urlExpression } from "./url-expression.ts";

/** The managed rulesets that continue the previous packages (wire contract 10.3). */
const managedRulesetId = "efb7b8c949ac4650a09736fc376e9aee";
const owaspRulesetId = "4814384a9e5d4991b9815dcfc25d2f1f";
const owaspScoreRuleId = "6179ae15870a4bb7b2d480d4843b323c";

/** A rule of the proposed configuration; which rule it becomes is not known yet (specification 2.9). */
export interface ProposedRule {
  readonly id: "";
  readonly version: "";
  readonly action: "execute" | "skip";
  readonly expression: string;
  readonly description: string;
  readonly ref: "";
  readonly enabled: boolean;
  readonly action_parameters: Readonly<Record<string, unknown>>;
  readonly logging?: { readonly enabled: boolean };
}

export interface ProposedRuleset {
  readonly name: "default";
  readonly rules: readonly ProposedRule[];
}

/** One old setting and what becomes of it. */
export interface Consequence {
  readonly setting: string;
  /** What it becomes; undefined where it is lost. */
  readonly becomes: string | undefined;
}

export interface MigrationPlan {
  readonly ruleset: ProposedRuleset;
  readonly consequences: readonly Consequence[];
}

/** What the new version of the managed rules has to be told to do what the previous one does (specification 3.3). */
export function planMigration(previous: PreviousWaf): MigrationPlan {
  const consequences: Consequence[] = [
    {
      setting: `WAF is ${previous.isOn ? "on" : "off"}`,
      becomes: previous.isOn ? "the managed rulesets are executed" : "their execution is disabled",
    },
  ];
  const skips = [...bypassRules(previous, consequences), ...pageRuleSkips(previous, consequences)];
  const managed = managedExecution(previous.managed.rules, consequences);
  const owasp = owaspExecution(previous.owasp, consequences);
  const isOwaspOn = previous.owasp.sensitivity !== "off";
  const executions = [
    execute(managed, "true", previous.isOn, ""),
    execute(owasp, "true", previous.isOn && isOwaspOn, ""),
    ...pageRuleExecutions(previous, consequences).flatMap(({ expression, description }) => [
      execute(managed, expression, true, description),
      execute(owasp, expression, isOwaspOn, description),
    ]),
  ];
  return { ruleset: { name: "default", rules: [...skips, ...executions] }, consequences };
}

function skip(expression: string, description: string): ProposedRule {
  return {
    id: "",
    version: "",
    action: "skip",
    expression,
    description,
    ref: "",
    enabled: true,
    action_parameters: { ruleset: "current" },
    logging: { enabled: true },
  };
}

type Execution = ProposedRule["action_parameters"];

function execute(
  action_parameters: Execution,
  expression: string,
  enabled: boolean,
  description: string,
): ProposedRule {
  return {
    id: "",
    version: "",
    action: "execute",
    expression,
    description,
    ref: "",
    enabled,
    action_parameters,
  };
}

function bypassRules({ firewallRules }: PreviousWaf, consequences: Consequence[]): ProposedRule[] {
  return firewallRules.filter(bypassesManagedRules).flatMap(({ id, description, isPaused, expression }) => {
    const setting = `firewall rule ${id}${description === "" ? "" : ` (${description})`}: bypass WAF Managed Rules`;
    if (isPaused || expression === undefined) {
      consequences.push({ setting: `${setting}, which is not in force`, becomes: undefined });
      return [];
    }
    consequences.push({ setting, becomes: "a skip rule with the same expression" });
    return [skip(expression, description)];
  });
}

interface PatternRule {
  readonly expression: string;
  readonly description: string;
}

function pageRuleSkips(previous: PreviousWaf, consequences: Consequence[]): ProposedRule[] {
  return pageRulesSaying("off", previous.pageRules, consequences).map(({ expression, description }) => {
    consequences.push({ setting: description, becomes: "a skip rule for the same URLs" });
    return skip(expression, description);
  });
}

/** In a zone whose managed rules are on, a page rule that switches them on says nothing new. */
function pageRuleExecutions(previous: PreviousWaf, consequences: Consequence[]): PatternRule[] {
  if (previous.isOn) return [];
  return pageRulesSaying("on", previous.pageRules, consequences).map((rule) => {
    consequences.push({ setting: rule.description, becomes: "execute rules for the same URLs" });
    return rule;
  });
}

/**
 * The active page rules that switch the managed rules off or on, with expressions that leave out what a page rule ahead
 * of them takes: of all that take a URL only the first one applies.
 */
function pageRulesSaying(
  wanted: "on" | "off",
  pageRules: readonly PreviousPageRule[],
  consequences: Consequence[],
): PatternRule[] {
  const ahead: PreviousPageRule[] = [];
  return pageRules.flatMap((rule) => {
    const description = `page rule ${rule.url}: managed rules ${wanted}`;
    if (!rule.isActive) {
      if (managedRulesOf(rule) === wanted) {
        consequences.push({ setting: `${description}, which is disabled`, becomes: undefined });
      }
      return [];
    }
    const expression = exclusively(
      rule.pattern,
      ahead.map(({ pattern }) => pattern),
    );
    ahead.push(rule);
    return managedRulesOf(rule) === wanted ? [{ expression, description }] : [];
  });
}

function exclusively(pattern: UrlPattern, ahead: readonly UrlPattern[]): string {
  const own = urlExpression(pattern);
  const others = ahead.filter((other) => mayOverlap(other, pattern)).map(urlExpression);
  // A pattern that takes everything leaves nothing to those behind it.
  if (others.includes("")) return "false";
  const excluded = [...new Set(others)].map((other) => `not (${other})`);
  return [...(own === "" ? [] : [own]), ...excluded].join(" and ") || "true";
}

/** False where no URL can be taken by both: what need not be excluded keeps expressions short. */
function mayOverlap(one: UrlPattern, other: UrlPattern): boolean {
  if (one.scheme !== undefined && other.scheme !== undefined && one.scheme !== other.scheme) return false;
  if (one.port !== undefined && other.port !== undefined && one.port !== other.port) return false;
  return (
    endsMeet(one.host, other.host) && (one.hasQuery !== other.hasQuery || endsMeet(one.path, other.path))
  );
}

/** Whether one text may match both: where both have stars, by what stands before the first and behind the last. */
function endsMeet(one: string, other: string): boolean {
  if (!one.includes("*")) return matchesGlob(other, one);
  if (!other.includes("*")) return matchesGlob(one, other);
  const [head, otherHead] = [headOf(one), headOf(other)];
  const [tail, otherTail] = [tailOf(one), tailOf(other)];
  const headsMeet = head.startsWith(otherHead) || otherHead.startsWith(head);
  const tailsMeet = tail.endsWith(otherTail) || otherTail.endsWith(tail);
  return headsMeet && tailsMeet;
}

function headOf(glob: string): string {
  return glob.split("*", 1)[0] ?? "";
}

function tailOf(glob: string): string {
  return glob.slice(glob.lastIndexOf("*") + 1);
}

/** Modes of groups and rules become overrides of the rules that continue them. */
function managedExecution(rules: readonly ManagedRule[], consequences: Consequence[]): Execution {
  const overrides = rules.flatMap((rule) => {
    const override = overrideOf(rule);
    if (override === undefined) return [];
    consequences.push({
      setting: `rule ${rule.id}: ${rule.groupMode === "off" ? "its group is off" : rule.mode}`,
      becomes: `an override of rule ${rule.continuedBy}`,
    });
    return [{ id: rule.continuedBy, ...override }];
  });
  return { id: managedRulesetId, ...(overrides.length > 0 && { overrides: { rules: overrides } }) };
}

interface Override {
  readonly action?: string;
  readonly enabled: boolean;
}

function overrideOf({ groupMode, mode }: ManagedRule): Override | undefined {
  if (groupMode === "off" || mode === "disable" || mode === "off") return { enabled: false };
  switch (mode) {
    case "default":
      return undefined;
    case "on":
      return { enabled: true };
    case "simulate":
      return { action: "log", enabled: true };
    case "block":
      return { action: "block", enabled: true };
    case "challenge":
      return { action: "managed_challenge", enabled: true };
  }
}

/** Paranoia level and score threshold of each old sensitivity (specification 3.3, decision 17). */
const sensitivities = {
  high: { paranoiaLevel: 2, scoreThreshold: 40 },
  medium: { paranoiaLevel: 1, scoreThreshold: 25 },
  low: { paranoiaLevel: 1, scoreThreshold: 40 },
  default: { paranoiaLevel: 2, scoreThreshold: 40 },
  off: { paranoiaLevel: 2, scoreThreshold: 40 },
} as const;

/** Decision 23. */
const owaspActions = { simulate: "log", challenge: "managed_challenge", block: "block" } as const;

function owaspExecution(owasp: OwaspPackage, consequences: Consequence[]): Execution {
  const { sensitivity = "default", actionMode, changedGroups, changedRules } = owasp;
  const { paranoiaLevel, scoreThreshold } = sensitivities[sensitivity];
  const action = owaspActions[actionMode];
  consequences.push(
    {
      setting: `OWASP sensitivity: ${sensitivity}`,
      becomes:
        sensitivity === "off"
          ? "the OWASP ruleset is not executed"
          : `paranoia level ${paranoiaLevel}, score threshold ${scoreThreshold}`,
    },
    { setting: `OWASP action: ${actionMode}`, becomes: action },
    ...changedGroups.map((name) => ({ setting: `OWASP group override: ${name}`, becomes: undefined })),
    ...changedRules.map((id) => ({ setting: `OWASP rule override: ${id}`, becomes: undefined })),
  );
  const switchedOff = [2, 3, 4].filter((level) => level > paranoiaLevel);
  return {
    id: owaspRulesetId,
    overrides: {
      categories: switchedOff.map((level) => ({ category: `paranoia-level-${level}`, enabled: false })),
      rules: [{ id: owaspScoreRuleId, action, score_threshold: scoreThreshold }],
    },
  };
}
