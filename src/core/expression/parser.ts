import { type ExpressionLimits, ruleLimits } from "./limits.ts";
import { type Phase, type Plan, includesPlan, type Availability } from "./phases.ts";
import { type PatternTaker, PatternError } from "./engines.ts";
import type { ValueType } from "./value-type.ts";
import { ExpressionError, type Span, tooLong } from "./expression-error.ts";
import { Reader } from "./reader.ts";
import type { Expression } from "./ast.ts";
import { octetsOf } from "./byte-string.ts";
import type { FunctionDefinition } from "./functions.ts";
import { translatePattern } from "./regex-dialect.ts";

export interface ParseOptions {
  /** By default those of a rule. */
  readonly limits?: ExpressionLimits;
  /** Refuses fields and functions that are not available in the phase. */
  readonly phase?: Phase | undefined;
  /** Also accepts those that are available in this phase. */
  readonly laterPhase?: Phase | undefined;
  /** Refuses those that the plan does not include. */
  readonly plan?: Plan | undefined;
  /** The valid types of a value expression; any by default. */
  readonly valueTypes?: readonly ValueType[];
  /** Checks regular expressions; not checked by default. */
  readonly patterns?: PatternTaker;
}

export const regexPlan: Plan = "business";

const planTitles: Readonly<Record<Plan, string>> = {
  free: "a Free plan",
  pro: "a Pro plan",
  business: "a Business plan",
  enterprise: "an Enterprise plan",
};

/** Refuses what the phase or plan does not have; allows everything without both. */
class Restrictions {
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

/** The state of the parser. Its methods throw ExpressionError. */
export class Parser {
  readonly reader: Reader;
  readonly restrictions: Restrictions;
  readonly limits: ExpressionLimits;
  readonly readExpression: (parser: Parser) => Expression;
  readonly #patterns: PatternTaker | undefined;
  #regexes = 0;
  #regexParts = 0;
  #depth = 0;
  #hasReplaced = false;

  constructor(
    source: string,
    { limits = ruleLimits, phase, laterPhase, plan, patterns }: ParseOptions,
    readExpression: (parser: Parser) => Expression,
  ) {
    const octets = octetsOf(source.trim());
    if (octets > limits.octetsMax) throw tooLong(source, octets, limits.octetsMax);
    this.reader = new Reader(source);
    this.restrictions = new Restrictions(this.reader, { phase, laterPhase, plan });
    this.limits = limits;
    this.readExpression = readExpression;
    this.#patterns = patterns;
  }

  nested<Result>(start: number, read: () => Result): Result {
    const { nestingMax } = this.limits;
    if (this.#depth >= nestingMax) {
      throw this.reader.error(`maximum nesting depth exceeded (limit: ${nestingMax})`, start);
    }
    this.#depth += 1;
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }

  /** The error in a pattern or in the number of patterns; undefined for none. */
  patternIssue(text: string): string | undefined {
    const { regexesMax, regexPartsMax } = this.limits;
    this.#regexes += 1;
    if (this.#regexes > regexesMax) return `too many regular expressions (limit: ${regexesMax})`;
    try {
      this.#regexParts += translatePattern(text).parts;
      if (this.#regexParts > regexPartsMax) {
        return `regular expressions stand for ${this.#regexParts} parts, but the limit is ${regexPartsMax}`;
      }
      this.#patterns?.take(text);
    } catch (error) {
      if (error instanceof PatternError) return error.message;
      throw error;
    }
    return undefined;
  }

  /** Refuses a second call of functions that may only be called once. */
  useFunction({ isOnce }: FunctionDefinition, { start, end }: Span): void {
    if (isOnce !== true) return;
    if (this.#hasReplaced) {
      const reason = "only one call of regex_replace or wildcard_replace is allowed";
      throw this.reader.error(reason, start, end);
    }
    this.#hasReplaced = true;
  }

  requireEnd(): void {
    if (!this.reader.isAtEnd) throw this.reader.error("unrecognised input");
  }
}
