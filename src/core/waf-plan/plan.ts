import { type Consequence, execute, skip, type Execution, type ProposedRule } from "./proposed-rule.ts";
import { planPageRules, type ExecuteFor } from "./page-rules.ts";
import {
  bypassesManagedRules,
  type ManagedRule,
  type OwaspPackage,
  type PreviousWaf,
} from "../previous-waf/previous-waf.ts";
import { managedRulesetId, owaspRulesetId } from "../rulesets/phases.ts";

const owaspScoreRuleId = "6179ae15870a4bb7b2d480d4843b323c";

export interface ProposedRuleset {
  readonly name: "default";
  readonly rules: readonly ProposedRule[];
}

export interface MigrationPlan {
  readonly ruleset: ProposedRuleset;
  readonly consequences: readonly Consequence[];
}

const disabledExecution =
  "rules that execute the managed rulesets and are disabled, which protect the zone no more than it is protected now. " +
  "To protect it, turn the setting `waf` on before the migration, or enable these rules after it";

/** The configuration of the new version that does what the previous one does. */
export function planMigration(previous: PreviousWaf): MigrationPlan {
  const consequences: Consequence[] = [
    {
      setting: `WAF is ${previous.isOn ? "on" : "off"}`,
      becomes: previous.isOn ? "rules that execute the managed rulesets" : disabledExecution,
    },
  ];
  const bypasses = bypassRules(previous, consequences);
  const managed = managedExecution(previous.managed.rules, consequences);
  const owasp = owaspExecution(previous.owasp, consequences);
  const isOwaspOn = previous.owasp.sensitivity !== "off";
  const executeWhere =
    (isOn: boolean): ExecuteFor =>
    (expression, description) => [
      execute(managed, expression, isOn, description),
      execute(owasp, expression, isOn && isOwaspOn, description),
    ];
  const { ahead, behind } = planPageRules(previous, executeWhere(true), consequences);
  const rules = [...bypasses, ...ahead, ...executeWhere(previous.isOn)("true", ""), ...behind];
  return { ruleset: { name: "default", rules }, consequences };
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

/** Executes the managed ruleset, with the modes of groups and rules as overrides. */
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

/**
 * Paranoia level and score threshold of each old sensitivity (docs/contract/waf-migration.md#sensitivities).
 */
const sensitivities = {
  high: { paranoiaLevel: 2, scoreThreshold: 40 },
  medium: { paranoiaLevel: 1, scoreThreshold: 25 },
  low: { paranoiaLevel: 1, scoreThreshold: 40 },
  default: { paranoiaLevel: 2, scoreThreshold: 40 },
  off: { paranoiaLevel: 2, scoreThreshold: 40 },
} as const;

/** The new action by the old one. */
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
