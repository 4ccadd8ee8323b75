import {
  eachCount,
  type Access,
  type Comparison,
  type OrderingOperator,
  type Test,
  type WildcardOperator,
} from "./ast.ts";
import type { ExpressionError } from "./expression-error.ts";
import { takeComparisonOperator, type ComparisonOperator } from "./keywords.ts";
import { readBytes, readInt, readListName, readLiteral, readPattern, readText } from "./literals.ts";
import type { Parser } from "./parser.ts";
import type { Reader } from "./reader.ts";
import { readSet } from "./sets.ts";
import { elementType, type ScalarType, type ValueType } from "./value-type.ts";
import { parseWildcard } from "./wildcard.ts";

const operandTypes: Readonly<Record<Exclude<ComparisonOperator, OrderingOperator>, readonly ScalarType[]>> = {
  in: ["Ip", "Bytes", "Int"],
  "bitwise and": ["Int"],
  contains: ["Bytes"],
  matches: ["Bytes"],
  wildcard: ["Bytes"],
  "strict wildcard": ["Bytes"],
};

export function readComparison(parser: Parser, left: Access): Comparison {
  const { reader } = parser;
  const test = readTest(parser, left);
  return { kind: "comparison", left, test, span: reader.spanFrom(left.span.start) };
}

function readTest(parser: Parser, left: Access): Test {
  const { reader } = parser;
  const { type } = left;
  if (type === "Bool") return { kind: "is true" };
  if (elementType(type) === "Bool") {
    if (eachCount(left) === 0) return { kind: "is true" };
    throw unsupported(reader, "Array<Array<Bool>>", reader.position);
  }
  reader.skipSpace();
  const { position: start } = reader;
  const operator = takeComparisonOperator(reader);
  if (operator === undefined) throw reader.error("expected ComparisonOp");
  const { position: end } = reader;
  const scalar = operandTypeOf(type, operator);
  if (scalar === undefined) throw unsupported(reader, type, start, end);
  if (operator === "matches") parser.restrictions.requireRegexes({ start, end });
  reader.skipSpace();
  return readRightSide(parser, operator, scalar);
}

function operandTypeOf(
  type: ValueType,
  operator: ComparisonOperator,
): Exclude<ScalarType, "Bool"> | undefined {
  if (type !== "Ip" && type !== "Bytes" && type !== "Int") return undefined;
  const allowed: readonly ScalarType[] =
    operator in operandTypes ? operandTypes[operator as keyof typeof operandTypes] : operandTypes.in;
  return allowed.includes(type) ? type : undefined;
}

function unsupported(reader: Reader, type: ValueType, start: number, end = reader.position): ExpressionError {
  return reader.error(`cannot perform this operation on type ${type}`, start, end);
}

function readRightSide(
  parser: Parser,
  operator: ComparisonOperator,
  type: Exclude<ScalarType, "Bool">,
): Test {
  const { reader } = parser;
  switch (operator) {
    case "in":
      return reader.startsWith("$")
        ? { kind: "in list", list: readListName(reader), type }
        : { kind: "in set", set: readSet(reader, type) };
    case "bitwise and":
      return { kind: "bitwise and", mask: readInt(reader) };
    case "contains":
      return { kind: "contains", part: readBytes(reader) };
    case "matches":
      return readMatches(parser);
    case "wildcard":
    case "strict wildcard":
      return readWildcard(parser, operator);
    case "eq":
    case "ne":
    case "lt":
    case "le":
    case "gt":
    case "ge":
      return { kind: "ordering", operator, literal: readLiteral(reader, type) };
  }
}

function readMatches(parser: Parser): Test {
  const { reader } = parser;
  const pattern = readPattern(reader);
  const issue = parser.patternIssue(pattern.text);
  if (issue !== undefined) throw reader.error(issue, pattern.span.start, pattern.span.end);
  return { kind: "matches", pattern };
}

function readWildcard({ reader, limits }: Parser, operator: WildcardOperator): Test {
  const { position: start } = reader;
  const pattern = readText(reader);
  const wildcard = parseWildcard(pattern.value, limits.wildcardStarsMax);
  if ("issue" in wildcard) throw reader.error(wildcard.issue, start);
  return { kind: "wildcard", operator, pattern };
}
