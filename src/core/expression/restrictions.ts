import { ExpressionError, type Span } from "./expression-error.ts";
import { includesPlan, type Availability, type Phase, type Plan } from "./phases.ts";
import type { ParseOptions } from "./parse-options.ts";
import type { Reader } from "./reader.ts";

export const regexPlan: Plan = "business";

const planTitles: Readonly<Record<Plan, string>> = {
  free: "a Free plan",
  pro: "a Pro plan",
  business: "a Business plan",
  enterprise: "an Enterprise plan",
};

/** Refuses what the phase or plan does not have; allows everything without both. */
export class Restrictions {
  readonly #reader: Reader;
  readonly #phase: Phase | undefined;
  readonly #laterPhase: Phase | undefined;
  readonly #plan: Plan | undefined;

  constructor(
    reader: Reader,
    { phase, laterPhase, plan }: Pick<ParseOptions, "phase" | "laterPhase" | "plan">,
  ) {
    this.#reader = reader;
    this.#phase = phase;
    this.#laterPhase = laterPhase;
    this.#plan = plan;
  }

  require({ phases, plan }: Availability, what: string, { start, end }: Span): void {
    const isKnown =
      phases === undefined || phases.some((one) => one === this.#phase || one === this.#laterPhase);
    if (this.#phase !== undefined && !isKnown) {
      const reason = `the use of ${what} is not allowed in phase ${this.#phase}`;
      throw this.#reader.error(reason, start, end);
    }
    if (this.#plan !== undefined && plan !== undefined && !includesPlan(this.#plan, plan)) {
      throw this.#notEntitled(what, plan, { start, end });
    }
  }

  requireRegexes(span: Span): void {
    if (this.#plan !== undefined && !includesPlan(this.#plan, regexPlan)) {
      throw this.#notEntitled("operator matches", regexPlan, span);
    }
  }

  #notEntitled(what: string, plan: Plan, { start, end }: Span): ExpressionError {
    const reason = `not entitled: the use of ${what} is not allowed, ${planTitles[plan]} is required`;
    return this.#reader.error(reason, start, end);
  }
}
