export interface Rule<Value> {
  /** The rule in error messages, after the place: `must be true or false`. */
  readonly rule: string;
  readonly accepts: (value: unknown) => value is Value;
}

export const trueOrFalse: Rule<boolean> = {
  rule: "must be true or false",
  accepts: (value) => typeof value === "boolean",
};

export function integerBetween(min: number, max: number): Rule<number> {
  return {
    rule: `must be an integer from ${min} to ${max}`,
    accepts: (value): value is number =>
      typeof value === "number" && Number.isInteger(value) && value >= min && value <= max,
  };
}

export interface ChoiceRule<Choice extends string> extends Rule<Choice> {
  readonly choices: readonly Choice[];
}

export function oneOf<const Choice extends string>(...choices: readonly Choice[]): ChoiceRule<Choice> {
  return {
    choices,
    rule: `must be one of: ${choices.join(", ")}`,
    accepts: (value): value is Choice => choices.some((choice) => choice === value),
  };
}

/** `rule` describes the form. */
export function textOf(form: RegExp, rule: string): Rule<string> {
  return { rule, accepts: (value): value is string => typeof value === "string" && form.test(value) };
}
