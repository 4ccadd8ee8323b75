import type { RuleFailure, FailMode, Solved } from "./evaluation.ts";
import type { TraceStep } from "./trace-step.ts";
import type { MatchedData } from "./core-rules.ts";
import { isChallenge, type Action, type ChallengeAction } from "../rulesets/phases.ts";
import type { Judged } from "./judge-request.ts";
import type { RulesetKind } from "../rulesets/rule-context.ts";

/** A rule that matched a request, and the action that it took. */
export interface RuleMatch {
  /** The phase of the rule, or its product. */
  readonly stage: string;
  /** Empty for a rule of a product. */
  readonly rulesetId: string;
  readonly ruleId: string;
  readonly description: string;
  readonly action: Action | ChallengeOutcome;
  readonly isUnjudged?: true;
  /** The score that reached the rule's threshold, and the rules that added to it. */
  readonly score?: number;
  readonly scoredBy?: readonly ScoringRule[];
}

export interface ScoringRule {
  readonly ruleId: string;
  readonly description: string;
  readonly score: number;
  /** Only for rules of the Core Rule Set. */
  readonly data: MatchedData | undefined;
}

/** An action that challenges the visitor. */
export type ChallengeMatch = RuleMatch & { readonly action: ChallengeAction };

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

/**
 * The outcome of a challenge as security events name it: solved, failed, or bypassed because an earlier one
 * was solved.
 */
type ChallengeOutcome = (typeof outcomes)[ChallengeAction]["solved" | "failed" | "bypassed"];

export const challengeOutcomes: readonly ChallengeOutcome[] = Object.values(outcomes).flatMap(
  ({ solved, failed, bypassed }) => [solved, failed, bypassed],
);

/** The outcome once the visitor has answered the challenge. */
export function answeredMatch(match: ChallengeMatch, isSolved: boolean): RuleMatch {
  const { solved, failed } = outcomes[match.action];
  return { ...match, action: isSolved ? solved : failed };
}

/** Rules whose evaluation failed, with the action that the fail mode has them take. */
export function failedMatches(failures: readonly RuleFailure[], failMode: FailMode): RuleMatch[] {
  const action = failMode === "closed" ? "block" : "log";
  return failures.map(({ stage, rulesetId, ruleId, description }) => ({
    stage,
    rulesetId,
    ruleId,
    description,
    action,
    isUnjudged: true,
  }));
}

/** The actions, with `solved` challenges as bypassed. */
export function withOutcomes<A extends { readonly action: Action }>(
  matches: readonly A[],
  solved: Solved,
): (Omit<A, "action"> & Pick<RuleMatch, "action">)[] {
  return matches.map((match) => ({ ...match, action: outcomeOf(match.action, solved) }));
}

function outcomeOf(action: Action, solved: Solved): RuleMatch["action"] {
  return isChallenge(action) && solved.has(action) ? outcomes[action].bypassed : action;
}

const none: Solved = new Map();
const noted = new Set<Action>(["block", "challenge", "js_challenge", "managed_challenge", "log", "skip"]);

/**
 * The actions of a trace that ended the evaluation, logged the request, challenged the visitor or skipped something, in
 * order; without rules that skip and are not logged. Challenges in `solved` did not end it.
 */
export function ruleMatchesOf(trace: readonly TraceStep[], solved = none): RuleMatch[] {
  const matches: RuleMatch[] = [];
  for (const { step_name: stage, type, matched, trace: steps = [] } of trace) {
    if (!matched) continue;
    // A rate limit that is exceeded challenges again whoever solved it before.
    const passed = stage === "http_ratelimit" ? none : solved;
    if (type === "product") matches.push(...matchesOfSteps(passed, stage, "", steps));
    else for (const one of steps) matches.push(...matchesOfSteps(passed, stage, one.step_name, one.trace));
  }
  return matches;
}

function matchesOfSteps(
  solved: Solved,
  stage: string,
  rulesetId: string,
  steps: readonly TraceStep[] = [],
): RuleMatch[] {
  const matches: RuleMatch[] = [];
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
      matches.push(
        ...(step.trace ?? []).flatMap((one) => matchesOfSteps(solved, stage, one.step_name, one.trace)),
      );
    if (!noted.has(step.action) || step.logging !== undefined) continue;
    matches.push({
      stage,
      rulesetId,
      ruleId: step.step_name,
      description: step.description ?? "",
      action: outcomeOf(step.action, solved),
      ...(score > 0 && { score, scoredBy }),
    });
  }
  return matches;
}

/** The rules that matched a request, each once. */
interface MatchedRules {
  /**
   * Ids of rules of rulesets, products and the previous version of the managed rules, in the order of
   * evaluation.
   */
  readonly ids: readonly string[];
  /** The numbers that rules have in the OWASP Core Rule Set. */
  readonly coreNumbers: readonly number[];
}

/** The parts of an evaluation that tell which rules matched. */
export type Met = Pick<Judged, "trace" | "previousMatches" | "coreMatches">;

/** Rules after the one that ended the evaluation were not evaluated, and are not included. */
export function matchedRulesOf({ trace, previousMatches, coreMatches }: Met): MatchedRules {
  const met = trace.flatMap((step) => rulesOf(step, undefined));
  const ids = [...met.map(({ id }) => id), ...previousMatches.map(({ ruleId }) => ruleId)];
  const numbers = [
    ...met.flatMap(({ coreNumber }) => coreNumber ?? []),
    ...coreMatches.map(({ number }) => number),
  ];
  return { ids: [...new Set(ids)], coreNumbers: [...new Set(numbers)] };
}

interface MetRule {
  readonly id: string;
  readonly coreNumber: number | undefined;
}

/** `kind` is the kind of the ruleset that contains the step. */
function rulesOf(
  { step_name, type, matched, description = "", trace = [], ...step }: TraceStep,
  kind: RulesetKind | undefined,
): MetRule[] {
  const coreNumber = kind === "managed" ? coreNumberOf(description) : undefined;
  const own = type === "rule" && matched ? [{ id: step_name, coreNumber }] : [];
  return [...own, ...trace.flatMap((inner) => rulesOf(inner, step.kind ?? kind))];
}

/** Managed rules from the Core Rule Set begin their description with its number: `942100: SQL Injection Attack`. */
function coreNumberOf(description: string): number | undefined {
  const [, number] = /^(9\d{5})\b/.exec(description) ?? [];
  return number === undefined ? undefined : Number(number);
}
