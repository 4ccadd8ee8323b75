import type { Rule, RuleBody } from "../../api/rulesets.ts";

/** What a rule says, as bodies have it; with its id, so that it stays the same rule. */
export function definitionOf(rule: Rule): RuleBody {
  const { version: _version, last_updated: _lastUpdated, ...definition } = rule;
  return definition;
}
