/** Limits of an expression, checked before any work is spent on it. */
export interface ExpressionLimits {
  /** UTF-8 octets of the text, without the white space around it. */
  readonly octetsMax: number;
  /** Parentheses, `not`, function calls and quantifiers inside each other. */
  readonly nestingMax: number;
  /** Patterns of `matches` and `regex_replace`. */
  readonly regexesMax: number;
  /** Parts of all patterns together, with counted repetitions written out: a measure of the cost of compiling. */
  readonly regexPartsMax: number;
  /** Stars in one wildcard. */
  readonly wildcardStarsMax: number;
}

/** The limits of a rule. Filters of the previous kind may be longer. */
export const ruleLimits: ExpressionLimits = {
  octetsMax: 4096,
  nestingMax: 128,
  regexesMax: 64,
  regexPartsMax: 10_000,
  wildcardStarsMax: 64,
};
