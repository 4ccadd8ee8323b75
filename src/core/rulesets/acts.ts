import type { RuleFailure, WhereUnjudged } from "./evaluation.ts";
import type { TraceStep } from "./trace-step.ts";
import type { MatchedData } from "./matched-data.ts";
import { isChallenge, type Action, type ChallengeAction } from "./phases.ts";

/** What one rule did with a request. */
export interface Act {
  /** The phase of the rule, or its product. */
  readonly stage: string;
  /** Empty for a rule of a product. */
  readonly rulesetId: string;
  readonly ruleId: string;
  readonly description: string;
  readonly action: Action | ChallengeOutcome;
  /** Whether the rule could not be judged. */
  readonly isUnjudged?: true;
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

/** An act that asked the visitor for a proof. */
export type ChallengedAct = Act & { readonly action: ChallengeAction };

const outcomes = {
  challenge: { solved: "challenge_solved", failed: "challenge_failed", bypassed: "challenge_bypassed" },
  js_challenge: {
    solved: "jschallenge_solved",
    failed: "jschallenge_failed",
    bypassed: "jschallenge_bypassed",
  },
  managed_challenge: {
    solved: "managed_challenge_non_interactive_solved",
    failed: "managed_challenge_failed",
    bypassed: "managed_challenge_bypassed",
  },
} as const;

/** What became of a challenge, as security events name it: passed now or failed, or not asked because one was passed before. */
export type ChallengeOutcome = (typeof outcomes)[ChallengeAction]["solved" | "failed" | "bypassed"];

export const challengeOutcomes: readonly ChallengeOutcome[] = Object.values(outcomes).flatMap(
  ({ solved, failed, bypassed }) => [solved, failed, bypassed],
);

/** The act, once the visitor has answered. */
export function answeredAct(act: ChallengedAct, isSolved: boolean): Act {
  const { solved, failed } = outcomes[act.action];
  return { ...act, action: isSolved ? solved : failed };
}

/** What became of a request whose rules could not be judged. */
export function unjudgedActs(failures: readonly RuleFailure[], where: WhereUnjudged): Act[] {
  const action = where === "closed" ? "block" : "log";
  return failures.map(({ stage, rulesetId, ruleId, description }) => ({
    stage,
    rulesetId,
    ruleId,
    description,
    action,
    isUnjudged: true,
  }));
}

/** The acts, where the visitor need not pass the challenges that count as `solved`. */
export function withOutcomes<A extends { readonly action: Action }>(
  acts: readonly A[],
  solved: ReadonlySet<Action>,
): (Omit<A, "action"> & Pick<Act, "action">)[] {
  return acts.map((act) => ({ ...act, action: outcomeOf(act.action, solved) }));
}

function outcomeOf(action: Action, solved: ReadonlySet<Action>): Act["action"] {
  return isChallenge(action) && solved.has(action) ? outcomes[action].bypassed : action;
}

const none: ReadonlySet<Action> = new Set();
const noted = new Set<Action>(["block", "challenge", "js_challenge", "managed_challenge", "log"]);

/**
 * The acts of a trace that ended the evaluation, logged the request or asked for a challenge, in order. Challenges among
 * `solved` did not end it.
 */
export function actsOf(trace: readonly TraceStep[], solved = none): Act[] {
  return trace.flatMap(({ step_name: stage, type, trace: steps = [] }) =>
    type === "product"
      ? actsOfSteps(solved, stage, "", steps)
      : steps.flatMap((ruleset) => actsOfSteps(solved, stage, ruleset.step_name, ruleset.trace)),
  );
}

function actsOfSteps(
  solved: ReadonlySet<Action>,
  stage: string,
  rulesetId: string,
  steps: readonly TraceStep[] = [],
): Act[] {
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
      acts.push(...(step.trace ?? []).flatMap((one) => actsOfSteps(solved, stage, one.step_name, one.trace)));
    if (!noted.has(step.action)) continue;
    acts.push({
      stage,
      rulesetId,
      ruleId: step.step_name,
      description: step.description ?? "",
      action: outcomeOf(step.action, solved),
      ...(score > 0 && { score, scoredBy }),
    });
  }
  return acts;
}
