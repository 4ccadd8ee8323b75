import type { Expression } from "./ast.ts";
import { octetsOf } from "./byte-string.ts";
import { tooLong, type Span } from "./expression-error.ts";
import type { FunctionDefinition } from "./functions.ts";
import { ruleLimits, type ExpressionLimits } from "./limits.ts";
import type { ParseOptions } from "./parse-options.ts";
import { Reader } from "./reader.ts";
import { translatePattern } from "./regex-dialect.ts";
import { PatternError, type PatternTaker } from "./engines.ts";
import { Restrictions } from "./restrictions.ts";

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
