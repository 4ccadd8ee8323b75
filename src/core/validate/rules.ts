import { escapePointer } from "../error.ts";
import { isJsonObject } from "../json.ts";

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

interface ChoiceRule<Choice extends string> extends Rule<Choice> {
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

export interface Issue {
  /** JSON pointer (RFC 6901); empty for the whole value. */
  readonly pointer: string;
  /** `must be true or false`. */
  readonly rule: string;
}

/** Adds to `issues` everything that is wrong with a value, not only the first. */
export type Check = (value: unknown, pointer: string, issues: Issue[]) => void;

export function follows({ accepts, rule }: Rule<unknown>): Check {
  return (value, pointer, issues) => {
    if (!accepts(value)) issues.push({ pointer, rule });
  };
}

/** An object with these members and no others. */
export function objectOf(
  members: Readonly<Record<string, Check>>,
  { required = [] }: { readonly required?: readonly string[] } = {},
): Check {
  return (value, pointer, issues) => {
    if (!isJsonObject(value)) {
      issues.push({ pointer, rule: "must be an object" });
      return;
    }
    for (const name of required) {
      if (value[name] === undefined) issues.push({ pointer: step(pointer, name), rule: "is required" });
    }
    for (const [name, member] of Object.entries(value)) {
      const check = Object.hasOwn(members, name) ? members[name] : undefined;
      if (check === undefined) {
        const known = Object.keys(members).join(", ");
        issues.push({ pointer: step(pointer, name), rule: `is not known; known are: ${known}` });
      } else check(member, step(pointer, name), issues);
    }
  };
}

/** A list of at least one value. */
export function listOf(check: Check, itemsMax: number): Check {
  return (value, pointer, issues) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > itemsMax) {
      issues.push({ pointer, rule: `must be a list of 1 to ${itemsMax}` });
      return;
    }
    value.forEach((item, index) => check(item, `${pointer}/${index}`, issues));
  };
}

function step(pointer: string, name: string): string {
  return `${pointer}/${escapePointer(name)}`;
}

/** Whether a text is a day that exists, written `YYYY-MM-DD`. */
export function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // `Date` reads February 30 as March 2.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
