/** Limits of accounts, zones and rules. */
export const rulesetLimits = {
  rulesMax: 1000,
  /** Rulesets of kind `custom` in one account. */
  customRulesetsMax: 100,
  /** Characters. */
  nameLengthMax: 255,
  descriptionLengthMax: 500,
  refLengthMax: 255,
  /** Entries of a list in action parameters. */
  parametersMax: 1000,
  /** Characters of a cache tag. */
  cacheTagLengthMax: 1024,
  /** Characters of the response of `block`. */
  blockContentLengthMax: 2048,
  /** The same of a rate limit. */
  limitContentLengthMax: 30_720,
  /** Characters of the response of `serve_error`. */
  errorContentLengthMax: 10_240,
} as const;
