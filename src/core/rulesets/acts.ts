import type { TraceStep } from "./evaluate.ts";
import type { Action } from "./phases.ts";

/** What one rule did about a request. */
export interface Act {
  /** Phase of the rule. */
  readonly phase: string;
  readonly rulesetId: string;
  readonly ruleId: string;
  readonly description: string;
  readonly action: Action;
  /** For a rule that acts by a sum of scores: the sum, and the descriptions of the rules that added to it. */
  readonly score?: number;
  readonly scoredBy?: readonly string[];
}

const noted = new Set<Action>(["block", "challenge", "js_challenge", "managed_challenge", "log"]);

/** The rules of a trace that ended the evaluation or logged the request, in their order. */
export function actsOf(trace: readonly TraceStep[]): Act[] {
  return trace.flatMap(({ step_name: phase, trace: rulesets = [] }) =>
    rulesets.flatMap((ruleset) => actsOfRuleset(phase, ruleset)),
  );
}

/** Whether a rule that matched lets the request past the previous version of the managed rules. */
export function skipsPreviousWaf(trace: readonly TraceStep[]): boolean {
  return trace.some(
    ({ matched, action, action_parameters, trace: nested = [] }) =>
      (matched && action === "skip" && namesPreviousWaf(action_parameters)) || skipsPreviousWaf(nested),
  );
}

function namesPreviousWaf(parameters: TraceStep["action_parameters"]): boolean {
  const { products = [] } = (parameters ?? {}) as { readonly products?: readonly string[] };
  return products.includes("waf");
}

function actsOfRuleset(phase: string, ruleset: TraceStep): Act[] {
  const acts: Act[] = [];
  let score = 0;
  const scoredBy: string[] = [];
  for (const step of ruleset.trace ?? []) {
    if (!step.matched || step.action === undefined) continue;
    if (step.action === "score") {
      score += (step.action_parameters as { readonly increment: number }).increment;
      scoredBy.push(step.description ?? "");
    }
    if (step.action === "execute")
      acts.push(...(step.trace ?? []).flatMap((one) => actsOfRuleset(phase, one)));
    if (!noted.has(step.action)) continue;
    acts.push({
      phase,
      rulesetId: ruleset.step_name,
      ruleId: step.step_name,
      description: step.description ?? "",
      action: step.action,
      ...(score > 0 && { score, scoredBy }),
    });
  }
  return acts;
}
