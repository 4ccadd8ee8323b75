import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import type { RuleBody } from "../../rule-phases.ts";
import { definitionOf } from "../rules/rule-definition.ts";
import { toSend } from "./overrides.ts";
import { executionOf, type ExecuteParameters, type Overrides, type SkipParameters } from "./rule-summary.ts";

export interface RuleDraft {
  readonly description: string;
  readonly enabled: boolean;
  readonly expression: string;
  /** Undefined for actions whose parameters are not edited here. */
  readonly effect: ExecuteDraft | SkipDraft | undefined;
}

interface ExecuteDraft {
  readonly action: "execute";
  readonly rulesetId: string;
  readonly overrides: Overrides;
}

export interface SkipDraft {
  readonly action: "skip";
  /** The rules behind it that are skipped. */
  readonly reach: "everything" | "rulesets" | "rules" | "both";
  readonly rulesetIds: readonly string[];
  /** Ids of rules by the id of their ruleset. */
  readonly ruleIds: Readonly<Record<string, readonly string[]>>;
}

export function newDraft(action: "execute" | "skip", rulesetId = ""): RuleDraft {
  return {
    description: "",
    enabled: true,
    expression: action === "execute" ? "true" : "",
    effect:
      action === "execute"
        ? { action, rulesetId, overrides: {} }
        : { action, reach: "everything", rulesetIds: [], ruleIds: {} },
  };
}

export function exceptionDraft(
  expression: string,
  description: string,
  ruleIds: SkipDraft["ruleIds"],
): RuleDraft {
  return {
    description,
    enabled: true,
    expression,
    effect: { action: "skip", reach: "rules", rulesetIds: [], ruleIds },
  };
}

export function toDraft(rule: Rule): RuleDraft {
  const { description, enabled, expression } = rule;
  return { description, enabled, expression, effect: toEffect(rule) };
}

function toEffect(rule: Rule): RuleDraft["effect"] {
  const { action, action_parameters: parameters } = rule;
  const executed = executionOf(rule);
  if (executed !== undefined) {
    return { action: "execute", rulesetId: executed.id, overrides: executed.overrides ?? {} };
  }
  if (action !== "skip") return undefined;
  const skipped = parameters as SkipParameters;
  return {
    action,
    reach: reachOf(skipped),
    rulesetIds: skipped.rulesets ?? [],
    ruleIds: skipped.rules ?? {},
  };
}

function reachOf({ ruleset, rulesets, rules }: SkipParameters): SkipDraft["reach"] {
  if (ruleset !== undefined) return "everything";
  if (rules === undefined) return "rulesets";
  return rulesets === undefined ? "rules" : "both";
}

/** The body that makes a draft the rule; what is not edited here stays as `before` has it. */
export function toBody({ description, enabled, expression, effect }: RuleDraft, before?: Rule): RuleBody {
  const kept = before === undefined ? undefined : definitionOf(before);
  const said = { ...kept, description, enabled, expression };
  if (effect === undefined) return { ...said, action: before?.action ?? "log" };
  return {
    ...said,
    action: effect.action,
    action_parameters:
      effect.action === "skip"
        ? skipParametersOf(effect)
        : executeParametersOf(effect, kept && executionOf(kept)),
  };
}

function skipParametersOf({ reach, rulesetIds, ruleIds }: SkipDraft): Record<string, unknown> {
  if (reach === "everything") return { ruleset: "current" };
  const rules = Object.fromEntries(Object.entries(ruleIds).filter(([, ids]) => ids.length > 0));
  return { ...(reach !== "rules" && { rulesets: rulesetIds }), ...(reach !== "rulesets" && { rules }) };
}

/** A pinned version and the key of matched data belong to the ruleset for which they were given. */
function executeParametersOf(
  { rulesetId, overrides }: ExecuteDraft,
  before: ExecuteParameters | undefined,
): Record<string, unknown> {
  const sent = toSend(overrides);
  return {
    ...(before?.id === rulesetId && {
      ...(before.version !== undefined && { version: before.version }),
      ...(before.matched_data !== undefined && { matched_data: before.matched_data }),
    }),
    id: rulesetId,
    ...(sent !== undefined && { overrides: sent }),
  };
}
