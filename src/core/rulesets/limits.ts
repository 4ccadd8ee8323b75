/** What one account or zone may store, and how long the texts of a rule may be. */
export const rulesetLimits = {
  /** Rules of one ruleset. */
  rulesMax: 1000,
  /** Rulesets of kind `custom` in one account. */
  customRulesetsMax: 100,
  /** Characters. */
  nameLengthMax: 255,
  descriptionLengthMax: 500,
  refLengthMax: 255,
  /** Entries of one list in the parameters of an action: overrides, rules to skip, fields to log. */
  parametersMax: 1000,
  /** Characters of a cache tag. */
  cacheTagLengthMax: 1024,
  /** Characters of what `block` answers. */
  blockContentLengthMax: 2048,
  /** Characters of what `serve_error` answers. */
  errorContentLengthMax: 10_240,
} as const;
