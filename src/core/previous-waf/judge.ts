import { managedRulesOf } from "../page-rules/page-rule.ts";
import { matchesUrl, type RequestUrl } from "../page-rules/url-pattern.ts";
import { bypassesManagedRules, type ManagedRule, type PreviousWaf } from "./previous-waf.ts";
import { findWafGroup, findWafRule, owaspPackageId, traditionalPackageId, wafRules } from "./catalogue.ts";

export interface PreviousMatch {
  readonly packageId: string;
  readonly ruleId: string;
  readonly description: string;
  readonly action: "block" | "challenge" | "log";
  /** The sum of scores of the OWASP package. */
  readonly score?: number;
}

/**
 * A request with the results of conditions: a previous rule has the condition of the managed rule that
 * replaced it.
 */
interface JudgedRequest {
  readonly url: RequestUrl;
  readonly isAjax: boolean;
  /** Whether the request matches the expression of a firewall rule. */
  readonly bypasses: (expression: string) => boolean;
  readonly matches: (ruleId: string) => boolean;
  /** The scores of matching Core Rule Set rules up to paranoia level 2, by rule id. */
  readonly owaspScores: () => ReadonlyMap<string, number>;
}

/**
 * Evaluates a request by the previous version, whether or not it is in force: the package *CloudFlare* rule
 * by rule until one blocks or challenges, then the OWASP package by the sum of scores. Rules that simulate
 * are listed too. URI-based overrides are ignored, as they prevent a migration.
 */
export function judgeByPreviousWaf(previous: PreviousWaf, request: JudgedRequest): PreviousMatch[] {
  if (!isAsked(previous, request)) return [];
  const matches: PreviousMatch[] = [];
  for (const rule of previous.managed.rules) {
    const action = actionOf(rule);
    if (action === undefined || !request.matches(rule.continuedBy)) continue;
    const description = findWafRule(rule.id)?.description ?? "";
    matches.push({ packageId: traditionalPackageId, ruleId: rule.id, description, action });
    if (action !== "log") return matches;
  }
  const byScore = judgeByScore(previous, request);
  return byScore === undefined ? matches : [...matches, byScore];
}

function isAsked({ isOn, pageRules, firewallRules }: PreviousWaf, { url, bypasses }: JudgedRequest): boolean {
  const pageRule = pageRules.find((rule) => rule.isActive && matchesUrl(rule.pattern, url));
  const said = pageRule === undefined ? undefined : managedRulesOf(pageRule);
  if (!(said === undefined ? isOn : said === "on")) return false;
  return !firewallRules.some(
    (rule) =>
      bypassesManagedRules(rule) &&
      !rule.isPaused &&
      rule.expression !== undefined &&
      bypasses(rule.expression),
  );
}

const actionsOfModes = {
  disable: undefined,
  off: undefined,
  simulate: "log",
  on: "block",
  block: "block",
  challenge: "challenge",
} as const;

function actionOf({ id, groupMode, mode }: ManagedRule): PreviousMatch["action"] | undefined {
  if (groupMode === "off") return undefined;
  return actionsOfModes[mode === "default" ? (findWafRule(id)?.defaultMode ?? "disable") : mode];
}

/** The score thresholds of each sensitivity; higher for scripts, whose requests resemble attacks more. */
const thresholds = {
  high: { page: 25, ajax: 65 },
  medium: { page: 40, ajax: 80 },
  low: { page: 60, ajax: 120 },
} as const;
const scoreRuleId = "981176";

function judgeByScore({ owasp }: PreviousWaf, request: JudgedRequest): PreviousMatch | undefined {
  const { sensitivity = "high", actionMode, changedGroups, changedRules } = owasp;
  if (sensitivity === "off" || changedRules.includes(scoreRuleId)) return undefined;
  const asked = wafRules.filter(
    ({ id, packageId, groupId }) =>
      packageId === owaspPackageId &&
      !changedRules.includes(id) &&
      !changedGroups.includes(findWafGroup(groupId)?.name ?? ""),
  );
  // A rule that was renumbered counts once.
  const continuing = new Set(asked.map(({ continuedBy }) => continuedBy));
  const scores = request.owaspScores();
  let score = 0;
  for (const id of continuing) score += scores.get(id) ?? 0;
  const threshold = thresholds[sensitivity][request.isAjax ? "ajax" : "page"];
  if (score < threshold) return undefined;
  return {
    packageId: owaspPackageId,
    ruleId: scoreRuleId,
    description: findWafRule(scoreRuleId)?.description ?? "",
    action: actionMode === "simulate" ? "log" : actionMode,
    score,
  };
}
