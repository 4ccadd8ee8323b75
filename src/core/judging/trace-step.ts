import type { ProductVerdict } from "../firewall-products/product.ts";
import type { PageRuleVerdict } from "../page-rules/page-rule.ts";
import type { ActionParameters } from "../rulesets/action-parameters.ts";
import type { CoreMatch, MatchedData } from "./core-rules.ts";
import type { Action } from "../rulesets/phases.ts";
import type { RulesetKind } from "../rulesets/rule-context.ts";
import type { Rule } from "../rulesets/rule.ts";
import type { FoundTarget } from "./program.ts";

/** A step of the evaluation in the form of the request tracer. */
export interface TraceStep {
  /** A phase, a product, or the id of a ruleset or a rule. */
  readonly step_name: string;
  readonly type: "phase" | "product" | "ruleset" | "rule";
  readonly matched: boolean;
  readonly name?: string;
  readonly description?: string;
  readonly kind?: RulesetKind;
  readonly expression?: string;
  readonly action?: Action;
  readonly action_parameters?: ActionParameters;
  /** Only for rules that skip without an event. */
  readonly logging?: { readonly enabled: false };
  /** Only for rules of the Core Rule Set. */
  readonly matched_data?: MatchedData;
  readonly trace?: readonly TraceStep[];
}

export function stepOf(rule: Rule, matched: boolean, trace: readonly TraceStep[] = []): TraceStep {
  const { id, description, expression, action, action_parameters, logging } = rule;
  return {
    step_name: id,
    type: "rule",
    matched,
    description,
    expression,
    action,
    ...(action_parameters !== undefined && { action_parameters }),
    ...(logging?.enabled === false && { logging: { enabled: false } as const }),
    ...(trace.length > 0 && { trace }),
  };
}

export function withMatch(step: TraceStep, { number, score, data, message }: CoreMatch): TraceStep {
  const scored = step.action === "score" && { action_parameters: { increment: score } };
  const said = message !== undefined && { description: `${number}: ${message}` };
  return { ...step, ...scored, ...said, matched_data: data };
}

/** A rule that redirects by a list, shown with the target that was found. */
export function resolved(rule: Rule, { status, location }: FoundTarget): Rule {
  const from_value = { status_code: status, target_url: { value: location } };
  return { ...rule, action_parameters: { ...rule.action_parameters, from_value } };
}

export function stepOfPageRule({ ruleId, url, redirect, route, configuration }: PageRuleVerdict): TraceStep {
  const step = { step_name: ruleId, type: "rule", matched: true, description: url } as const;
  if (redirect === undefined)
    return { ...step, action: "set_config", action_parameters: { ...configuration, ...route } };
  const from_value = { status_code: redirect.status, target_url: { value: redirect.location } };
  return { ...step, action: "redirect", action_parameters: { from_value } };
}

export function stepOfVerdict({ ruleId, description, action }: ProductVerdict): TraceStep {
  return { step_name: ruleId, type: "rule", matched: true, description, action };
}
