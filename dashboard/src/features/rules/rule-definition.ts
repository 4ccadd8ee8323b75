import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import type { RuleBody } from "../../rule-phases.ts";

/** A rule as a body has it; with its id, so that it stays the same rule. */
export function definitionOf(rule: Rule): RuleBody {
  const { version: _version, last_updated: _lastUpdated, ...definition } = rule;
  return definition;
}
