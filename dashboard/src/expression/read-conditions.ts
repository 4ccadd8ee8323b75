import type {
  Access,
  Comparison,
  Expression,
  IpItem,
  Literal,
  LiteralSet,
} from "../../../src/core/expression/ast.ts";
import { decodeText } from "../../../src/core/expression/byte-string.ts";
import { printAccess } from "../../../src/core/expression/print.ts";
import type { ScalarType } from "../../../src/core/expression/value-type.ts";
import { printIpAddress } from "../../../src/core/net/ip-address.ts";
import type { Condition, Group } from "./conditions.ts";

/** An expression as alternatives of conditions; undefined for one that has another structure. */
export function readConditions(expression: Expression): Group[] | undefined {
  return allOrNone(operandsOf(expression, "or").map(readGroup));
}

function readGroup(expression: Expression): Group | undefined {
  return allOrNone(operandsOf(expression, "and").map(readCondition));
}

function operandsOf(expression: Expression, operator: "or" | "and"): readonly Expression[] {
  const inner = withoutGroup(expression);
  return inner.kind === "logical" && inner.operator === operator ? inner.operands : [inner];
}

function withoutGroup(expression: Expression): Expression {
  return expression.kind === "group" ? withoutGroup(expression.operand) : expression;
}

const negatable = new Set(["contains", "starts_with", "ends_with", "wildcard", "strict wildcard", "matches"])
  .add("in")
  .add("in list")
  .add("is true");

function readCondition(expression: Expression): Condition | undefined {
  const inner = withoutGroup(expression);
  switch (inner.kind) {
    case "not": {
      const condition = readCondition(inner.operand);
      const isPlain = condition !== undefined && !condition.isNegated && negatable.has(condition.operator);
      return isPlain ? { ...condition, isNegated: true } : undefined;
    }
    case "quantifier": {
      const operand = withoutGroup(inner.operand);
      return operand.kind === "comparison" ? readComparison(operand, inner.quantifier) : undefined;
    }
    case "comparison":
      return readComparison(inner, undefined);
    case "constant":
    case "logical":
    case "group":
      return undefined;
  }
}

function readComparison({ left, test }: Comparison, each: Condition["each"]): Condition | undefined {
  const call = test.kind === "is true" ? readBeginning(left) : undefined;
  const subject = readSubject(call?.subject ?? left, each);
  const right = call ?? readTest(test);
  if (subject === undefined || right === undefined) return undefined;
  return { ...subject, operator: right.operator, isNegated: false, values: right.values };
}

/** `starts_with(subject, "text")` and `ends_with`, which the builder has as operators. */
function readBeginning({ base, indexes }: Access) {
  if (base.kind !== "call" || indexes.length > 0) return undefined;
  const { name } = base.function;
  if (name !== "starts_with" && name !== "ends_with") return undefined;
  const [subject, text] = base.args;
  if (subject?.kind !== "access" || text?.kind !== "literal") return undefined;
  const value = readLiteral(text.literal);
  return value === undefined
    ? undefined
    : ({ subject: subject.access, operator: name, values: [value] } as const);
}

function readSubject(
  access: Access,
  each: Condition["each"],
): Pick<Condition, "field" | "type" | "key" | "each"> | undefined {
  const { base, indexes } = access;
  const type = scalarOf(access.type);
  if (type === undefined) return undefined;
  if (each === undefined) return { field: printAccess(access), type };
  const [first, second] = indexes;
  if (base.kind !== "field" || indexes.at(-1)?.kind !== "each") return undefined;
  if (indexes.length === 1) return { field: base.field.name, type, each };
  const key = first?.kind === "key" && second !== undefined ? decodeText(first.key) : undefined;
  return indexes.length === 2 && key !== undefined ? { field: base.field.name, type, key, each } : undefined;
}

function scalarOf(type: string): ScalarType | undefined {
  return (["Bool", "Bytes", "Int", "Ip"] as const).find((one) => one === type);
}

function readTest(test: Comparison["test"]): Pick<Condition, "operator" | "values"> | undefined {
  switch (test.kind) {
    case "is true":
      return { operator: "is true", values: [] };
    case "ordering":
      return compared(test.operator, readLiteral(test.literal));
    case "contains":
      return compared("contains", readLiteral(test.part));
    case "wildcard":
      return compared(test.operator, readLiteral(test.pattern));
    case "matches":
      return compared("matches", test.pattern.text);
    case "in list":
      return compared("in list", test.list);
    case "in set": {
      const values = readSet(test.set);
      return values && { operator: "in", values };
    }
    case "bitwise and":
      return undefined;
  }
}

function compared(operator: Condition["operator"], value: string | undefined) {
  return value === undefined ? undefined : { operator, values: [value] };
}

/** Octets have no text that could be typed. */
function readLiteral(literal: Literal): string | undefined {
  if (literal.kind === "int") return String(literal.value);
  if (literal.kind === "ip") return printIpAddress(literal.value);
  return literal.notation.kind === "octets" ? undefined : decodeText(literal.value);
}

function readSet(set: LiteralSet): string[] | undefined {
  if (set.kind === "bytes") return allOrNone(set.items.map(readLiteral));
  if (set.kind === "ip") return set.items.map(readAddresses);
  return set.items.map(({ first, last }) => (first === last ? String(first) : `${first}..${last}`));
}

function readAddresses(item: IpItem): string {
  if (item.kind === "range") return `${printIpAddress(item.first)}..${printIpAddress(item.last)}`;
  const address = printIpAddress(item.address);
  return item.kind === "network" ? `${address}/${item.bits}` : address;
}

function allOrNone<Value>(values: readonly (Value | undefined)[]): Value[] | undefined {
  const there = values.filter((value) => value !== undefined);
  return there.length === values.length ? there : undefined;
}
