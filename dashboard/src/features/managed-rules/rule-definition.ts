import type { Rule, RuleBody } from "../../api/rulesets.ts";

/** What a rule says, as bodies have it; with its id, so that it stays the same rule. */
export function definitionOf(rule: Rule): RuleBody {
  const { id, ref, action, action_parameters, expression, description, enabled, logging } = rule;
  return {
    id,
    ref,
    action,
    ...(action_parameters !== undefined && { action_parameters }),
    expression,
    description,
    enabled,
    ...(logging !== undefined && { logging }),
  };
}
