import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import type { MigrationReport } from "../../../../src/resources/waf-replay/schema.ts";
import { counted } from "../../components/counted.ts";
import { actionName, executionOf, type SkipParameters } from "./rule-summary.ts";

type Exception = MigrationReport["exceptions"][number];

/** A rule for the requests of a proposed exception. */
export interface MadeException {
  readonly rule: Rule;
  /** In which it does not what was proposed, each in words; empty where it does. */
  readonly differences: readonly string[];
}

/** The rule that comes closest to a proposed exception; undefined where no rule is for its requests. */
export function madeException(exception: Exception, rules: readonly Rule[]): MadeException | undefined {
  const made = rules.flatMap((rule, at) =>
    rule.expression === exception.expression
      ? [{ rule, differences: differencesOf(exception, rule, rules.slice(0, at)) }]
      : [],
  );
  return made.toSorted((one, other) => one.differences.length - other.differences.length)[0];
}

function differencesOf(
  { action_parameters: proposed }: Exception,
  rule: Rule,
  ahead: readonly Rule[],
): readonly string[] {
  const differences = rule.enabled ? [] : ["it is disabled"];
  if (rule.action !== "skip") return [...differences, `its action is ${actionName(rule.action)}`];
  const skipped = rule.action_parameters as SkipParameters;
  const missing = Object.entries(proposed.rules).flatMap(([rulesetId, ids]) =>
    ids.filter((id) => !skips(skipped, rulesetId, id)),
  ).length;
  if (missing > 0) differences.push(`it does not skip ${counted(missing, "of the rules", "of the rules")}`);
  if (skipsMore(skipped, proposed.rules)) differences.push("it skips more than these rules");
  const executed = new Set(ahead.flatMap((other) => (other.enabled ? (executionOf(other)?.id ?? []) : [])));
  if (Object.keys(proposed.rules).some((rulesetId) => executed.has(rulesetId)))
    differences.push("it comes after the rule that executes them");
  return differences;
}

function skips({ ruleset, rulesets, rules }: SkipParameters, rulesetId: string, id: string): boolean {
  return (
    ruleset === "current" ||
    rulesets?.includes(rulesetId) === true ||
    rules?.[rulesetId]?.includes(id) === true
  );
}

function skipsMore(
  { ruleset, rulesets = [], rules = {} }: SkipParameters,
  proposed: Exception["action_parameters"]["rules"],
): boolean {
  if (ruleset !== undefined || rulesets.length > 0) return true;
  return Object.entries(rules).some(([rulesetId, ids]) =>
    ids.some((id) => proposed[rulesetId]?.includes(id) !== true),
  );
}
