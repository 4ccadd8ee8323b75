import type { TraceStep } from "./trace-step.ts";
import type { Judged } from "./judge-request.ts";

/** The rules that a request met, each once. */
export interface MatchedRules {
  /** Ids of rules of rulesets, products and the previous version of the managed rules, in the order of judgement. */
  readonly ids: readonly string[];
  /** The numbers that rules have in the OWASP Core Rule Set. */
  readonly coreNumbers: readonly number[];
}

/** What tells which rules a request met. */
export type Met = Pick<Judged, "trace" | "previousActs" | "coreMatches">;

/** Rules after the one that ended the evaluation were not judged, and are not among them. */
export function matchedRulesOf({ trace, previousActs, coreMatches }: Met): MatchedRules {
  const met = [
    ...trace.flatMap(rulesOf),
    ...previousActs.map(({ ruleId, description }) => ({ id: ruleId, description })),
  ];
  const numbers = [
    ...met.flatMap(({ description }) => coreNumberOf(description)),
    ...coreMatches.map(({ number }) => number),
  ];
  return { ids: [...new Set(met.map(({ id }) => id))], coreNumbers: [...new Set(numbers)] };
}

function rulesOf({
  step_name,
  type,
  matched,
  description = "",
  trace = [],
}: TraceStep): { id: string; description: string }[] {
  const own = type === "rule" && matched ? [{ id: step_name, description }] : [];
  return [...own, ...trace.flatMap(rulesOf)];
}

/** Rules from the Core Rule Set begin their description with its number: `942100: SQL Injection Attack`. */
function coreNumberOf(description: string): number[] {
  const [, number] = /^(9\d{5})\b/.exec(description) ?? [];
  return number === undefined ? [] : [Number(number)];
}
