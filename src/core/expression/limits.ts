/** Limits of an expression, checked before it is processed. */
export interface ExpressionLimits {
  /** UTF-8 octets of the text, without the white space around it. */
  readonly octetsMax: number;
  /** Parentheses, `not`, function calls and quantifiers inside each other. */
  readonly nestingMax: number;
  /** Patterns of `matches` and `regex_replace`. */
  readonly regexesMax: number;
  /** Parts of all patterns together with repetitions expanded: a measure of the compilation cost. */
  readonly regexPartsMax: number;
  /** Units of work on a request with the longest body and headers (`cost.ts`). */
  readonly unitsMax: number;
  readonly wildcardStarsMax: number;
}

export const ruleLimits: ExpressionLimits = {
  octetsMax: 4096,
  nestingMax: 128,
  regexesMax: 64,
  regexPartsMax: 4_000,
  unitsMax: 2 ** 29,
  wildcardStarsMax: 64,
};

/** Filters of firewall rules may be longer than expressions of rulesets. */
export const filterLimits: ExpressionLimits = { ...ruleLimits, octetsMax: 16 * 1024 };

/** The limits of stored expressions, which may have been accepted under higher ones. */
export const storedLimits: ExpressionLimits = { ...filterLimits, regexPartsMax: 10_000, unitsMax: Infinity };
