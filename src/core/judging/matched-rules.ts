import type { TraceStep } from "./trace-step.ts";
import type { Judged } from "./judge-request.ts";
import type { RulesetKind } from "../rulesets/rule-context.ts";

/** The rules that matched a request, each once. */
export interface MatchedRules {
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
