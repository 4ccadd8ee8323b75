import type { TraceStep } from "./evaluate.ts";
import type { MatchedData } from "./matched-data.ts";
import type { Action } from "./phases.ts";

/** What one rule did with a request. */
export interface Act {
  /** The phase of the rule, or its product. */
  readonly stage: string;
  /** Empty for a rule of a product. */
  readonly rulesetId: string;
  readonly ruleId: string;
  readonly description: string;
  readonly action: Action;
  /** The sum of scores at which the rule acted, and the rules that added to it. */
  readonly score?: number;
  readonly scoredBy?: readonly ScoringRule[];
}

export interface ScoringRule {
  readonly ruleId: string;
  readonly description: string;
  readonly score: number;
  /** Of a rule of the Core Rule Set. */
  readonly data: MatchedData | undefined;
}

const noted = new Set<Action>(["block", "challenge", "js_challenge", "managed_challenge", "log"]);

/** The acts of a trace that ended the evaluation or logged the request, in order. */
export function actsOf(trace: readonly TraceStep[]): Act[] {
  return trace.flatMap(({ step_name: stage, type, trace: steps = [] }) =>
    type === "product"
      ? actsOfSteps(stage, "", steps)
      : steps.flatMap((ruleset) => actsOfSteps(stage, ruleset.step_name, ruleset.trace)),
  );
}

function actsOfSteps(stage: string, rulesetId: string, steps: readonly TraceStep[] = []): Act[] {
  const acts: Act[] = [];
  let score = 0;
  const scoredBy: ScoringRule[] = [];
  for (const step of steps) {
    if (!step.matched || step.action === undefined) continue;
    if (step.action === "score") {
      const { increment } = step.action_parameters as { readonly increment: number };
      score += increment;
      scoredBy.push({
        ruleId: step.step_name,
        description: step.description ?? "",
        score: increment,
        data: step.matched_data,
      });
    }
    if (step.action === "execute")
      acts.push(...(step.trace ?? []).flatMap((one) => actsOfSteps(stage, one.step_name, one.trace)));
    if (!noted.has(step.action)) continue;
    acts.push({
      stage,
      rulesetId,
      ruleId: step.step_name,
      description: step.description ?? "",
      action: step.action,
      ...(score > 0 && { score, scoredBy }),
    });
  }
  return acts;
}
