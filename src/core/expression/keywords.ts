import type { LogicalOperator, OrderingOperator, WildcardOperator } from "./ast.ts";
import type { Reader } from "./reader.ts";

// Words need no separator: `notssl` is `not ssl`, `in{1}` is `in {1}`. The order matters.

const logicalOperators: readonly (readonly [notation: string, operator: LogicalOperator])[] = [
  ["or", "or"],
  ["||", "or"],
  ["xor", "xor"],
  ["^^", "xor"],
  ["and", "and"],
  ["&&", "and"],
];

export type ComparisonOperator =
  | "in"
  | OrderingOperator
  | "bitwise and"
  | "contains"
  | "matches"
  | WildcardOperator;

const comparisonOperators: readonly (readonly [notation: string, operator: ComparisonOperator])[] = [
  ["in", "in"],
  ["eq", "eq"],
  ["==", "eq"],
  ["ne", "ne"],
  ["!=", "ne"],
  ["ge", "ge"],
  [">=", "ge"],
  ["le", "le"],
  ["<=", "le"],
  ["gt", "gt"],
  [">", "gt"],
  ["lt", "lt"],
  ["<", "lt"],
  ["&", "bitwise and"],
  ["bitwise_and", "bitwise and"],
  ["contains", "contains"],
  ["~", "matches"],
  ["matches", "matches"],
  ["wildcard", "wildcard"],
  ["strict wildcard", "strict wildcard"],
];

const quantifiers = ["any", "all"] as const;
const identifier = /[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*/y;

/** Consumes the operator with surrounding space, if it is next. */
export function takeLogicalOperator(reader: Reader, operator: LogicalOperator): boolean {
  const { position } = reader;
  reader.skipSpace();
  if (logicalOperators.some(([notation, meant]) => meant === operator && reader.take(notation))) {
    reader.skipSpace();
    return true;
  }
  reader.position = position;
  return false;
}

export function takeComparisonOperator(reader: Reader): ComparisonOperator | undefined {
  return comparisonOperators.find(([notation]) => reader.take(notation))?.[1];
}

export function startsComparison(reader: Reader): boolean {
  const { position } = reader;
  reader.skipSpace();
  const found = comparisonOperators.some(([notation]) => reader.startsWith(notation));
  reader.position = position;
  return found;
}

export function takeNot(reader: Reader): boolean {
  return reader.take("not") || reader.take("!");
}

export function takeQuantifier(reader: Reader): "any" | "all" | undefined {
  const word = nextIdentifier(reader);
  const quantifier = quantifiers.find((name) => name === word);
  if (quantifier !== undefined) reader.position += quantifier.length;
  return quantifier;
}

export function takeConstant(reader: Reader): boolean | undefined {
  const word = nextIdentifier(reader);
  if (word !== "true" && word !== "false") return undefined;
  reader.position += word.length;
  return word === "true";
}

/** Whether a condition other than a comparison comes next: `(`, `not`, or a quantifier. */
export function startsCondition(reader: Reader): boolean {
  const { position } = reader;
  const found = reader.startsWith("(") || takeNot(reader) || takeQuantifier(reader) !== undefined;
  reader.position = position;
  return found;
}

function nextIdentifier(reader: Reader): string | undefined {
  identifier.lastIndex = reader.position;
  return identifier.exec(reader.source)?.[0];
}
