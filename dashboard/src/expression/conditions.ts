import { encodeText } from "../../../src/core/expression/byte-string.ts";
import { quoteBytes } from "../../../src/core/expression/print.ts";
import type { ScalarType } from "../../../src/core/expression/value-type.ts";

/** One comparison of an expression, as a row of the builder has it. */
export interface Condition {
  /** Name of a field, or the text of another value, such as `lower(http.host)`. */
  readonly field: string;
  readonly type: ScalarType;
  /** Name of the value, for fields such as headers. */
  readonly key?: string | undefined;
  /** The values of a field with several of them for which it has to be true. */
  readonly each?: "any" | "all" | undefined;
  readonly operator: Operator;
  readonly isNegated: boolean;
  /** The compared values; one for most operators. */
  readonly values: readonly string[];
}

/** Conditions that all have to be true. */
export type Group = readonly Condition[];

interface OperatorDefinition {
  readonly label: string;
  /** Absent where `ne` or another operator says it. */
  readonly negatedLabel?: string;
  readonly types: readonly ScalarType[];
  readonly values: "none" | "one" | "several" | "list";
}

const ordered = ["Int"] as const;
const texts = ["Bytes"] as const;
const comparable = ["Bytes", "Int", "Ip"] as const;

export const operators = {
  eq: { label: "equals", types: comparable, values: "one" },
  ne: { label: "does not equal", types: comparable, values: "one" },
  contains: { label: "contains", negatedLabel: "does not contain", types: texts, values: "one" },
  starts_with: { label: "starts with", negatedLabel: "does not start with", types: texts, values: "one" },
  ends_with: { label: "ends with", negatedLabel: "does not end with", types: texts, values: "one" },
  wildcard: { label: "wildcard", negatedLabel: "not wildcard", types: texts, values: "one" },
  "strict wildcard": {
    label: "strict wildcard",
    negatedLabel: "not strict wildcard",
    types: texts,
    values: "one",
  },
  matches: { label: "matches regex", negatedLabel: "does not match regex", types: texts, values: "one" },
  gt: { label: "greater than", types: ordered, values: "one" },
  ge: { label: "at least", types: ordered, values: "one" },
  lt: { label: "less than", types: ordered, values: "one" },
  le: { label: "at most", types: ordered, values: "one" },
  in: { label: "is in", negatedLabel: "is not in", types: comparable, values: "several" },
  "in list": { label: "is in list", negatedLabel: "is not in list", types: comparable, values: "list" },
  "is true": { label: "is true", negatedLabel: "is false", types: ["Bool"], values: "none" },
} as const satisfies Readonly<Record<string, OperatorDefinition>>;

type Operator = keyof typeof operators;

/** The operators that a row offers for a type, each with its negation. */
export function operatorChoices(type: ScalarType): {
  readonly operator: Operator;
  readonly isNegated: boolean;
  readonly label: string;
}[] {
  return Object.entries<OperatorDefinition>(operators)
    .filter(([, { types }]) => types.includes(type))
    .flatMap(([name, { label, negatedLabel }]) => {
      const operator = name as Operator;
      const choice = { operator, isNegated: false, label };
      return negatedLabel === undefined
        ? [choice]
        : [choice, { operator, isNegated: true, label: negatedLabel }];
    });
}

export function printConditions(groups: readonly Group[]): string {
  return groups
    .map((group) => {
      const text = group.map(printCondition).join(" and ");
      return groups.length > 1 && group.length > 1 ? `(${text})` : text;
    })
    .join(" or ");
}

function printCondition(condition: Condition): string {
  const { each, isNegated } = condition;
  const test = printTest(condition);
  return `${isNegated ? "not " : ""}${each === undefined ? test : `${each}(${test})`}`;
}

function printTest(condition: Condition): string {
  const { operator, type, values } = condition;
  const subject = printSubject(condition);
  const [value = ""] = values;
  switch (operator) {
    case "is true":
      return subject;
    case "starts_with":
    case "ends_with":
      return `${operator}(${subject}, ${printValue("Bytes", value)})`;
    case "matches":
      return `${subject} matches ${printPattern(value)}`;
    case "in list":
      return `${subject} in $${value}`;
    case "in":
      return `${subject} in {${values.map((one) => printValue(type, one)).join(" ")}}`;
    case "eq":
    case "ne":
    case "gt":
    case "ge":
    case "lt":
    case "le":
    case "contains":
    case "wildcard":
    case "strict wildcard":
      return `${subject} ${operator} ${printValue(type, value)}`;
  }
}

function printSubject({ field, key, each }: Condition): string {
  return `${field}${key === undefined ? "" : `[${printValue("Bytes", key)}]`}${each === undefined ? "" : "[*]"}`;
}

function printValue(type: ScalarType, value: string): string {
  return type === "Bytes" ? quoteBytes(encodeText(value)) : value.trim();
}

/** Raw where a quoted text would have to be escaped. */
function printPattern(pattern: string): string {
  if (!/["\\]/.test(pattern)) return `"${pattern}"`;
  let fence = "";
  while (pattern.includes(`"${fence}`)) fence += "#";
  return `r${fence}"${pattern}"${fence}`;
}
