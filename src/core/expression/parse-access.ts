import { eachCount, type Access, type Argument, type Call, type FieldReference, type Index } from "./ast.ts";
import { argumentType, checkArgument, checkArgumentValue } from "./arguments.ts";
import { decodeText } from "./byte-string.ts";
import { ExpressionError } from "./expression-error.ts";
import { type FunctionDefinition, findFunction } from "./functions.ts";
import { readInt, readLiteral } from "./literals.ts";
import { startsComparison, startsCondition } from "./keywords.ts";
import { readComparison } from "./parse-comparison.ts";
import type { Parser } from "./parser.ts";
import type { Reader } from "./reader.ts";
import { findField } from "./fields.ts";
import { elementType, isArray, isMap, type ScalarType, type ValueType } from "./value-type.ts";

const identifierCharacters = /[A-Za-z0-9_]+/y;
const positionMax = 2n ** 32n - 1n;

/** A field or call with its indexes. Throws ExpressionError. */
export function readAccess(parser: Parser): Access {
  const { reader } = parser;
  const { position: start } = reader;
  const base = readBase(parser);
  let type = base.kind === "field" ? base.field.type : base.type;
  const indexes: Index[] = [];
  while (reader.startsWith("[")) {
    const { position: indexStart } = reader;
    const index = readIndex(reader);
    const element = canIndex(type, index) ? elementType(type) : undefined;
    if (element === undefined) {
      const reason = `cannot access index ${shownIndex(index)} for type ${type}`;
      throw reader.error(reason, indexStart, reader.position);
    }
    type = element;
    indexes.push(index);
  }
  return { kind: "access", base, indexes, type, span: reader.spanFrom(start) };
}

function canIndex(type: ValueType, { kind }: Index): boolean {
  if (kind === "position") return isArray(type);
  return kind === "key" ? isMap(type) : isArray(type) || isMap(type);
}

function shownIndex(index: Index): string {
  if (index.kind === "each") return "MapEach";
  return index.kind === "position"
    ? `ArrayIndex(${index.position})`
    : `MapKey(${JSON.stringify(decodeText(index.key) ?? index.key)})`;
}

function readIndex(reader: Reader): Index {
  reader.expect("[");
  reader.skipSpace();
  const index = readIndexValue(reader);
  reader.skipSpace();
  reader.expect("]");
  return index;
}

function readIndexValue(reader: Reader): Index {
  if (reader.take("*")) return { kind: "each" };
  const { position: start } = reader;
  if (reader.startsWith('"')) {
    const literal = readLiteral(reader, "Bytes");
    if (literal.kind === "bytes" && decodeText(literal.value) !== undefined) {
      return { kind: "key", key: literal.value };
    }
    throw reader.error('expected literal "expected utf8 string"', start);
  }
  const position = attempt(reader, () => readInt(reader));
  if (position === undefined) {
    throw reader.error('expected literal "expected quoted utf8 string or positive integer"', start);
  }
  if (position < 0n || position > positionMax) {
    throw reader.error('expected literal "expected positive integer as index"', start);
  }
  return { kind: "position", position: Number(position) };
}

/** Runs `read`; returns undefined after an ExpressionError, which consumes nothing. */
function attempt<Result>(reader: Reader, read: () => Result): Result | undefined {
  const { position } = reader;
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    reader.position = position;
    return undefined;
  }
}

function readBase(parser: Parser): FieldReference | Call {
  const { reader, restrictions } = parser;
  const { position: start } = reader;
  do reader.takeWhile(identifierCharacters, "identifier character");
  while (reader.take("."));
  const span = reader.spanFrom(start);
  const name = reader.source.slice(span.start, span.end);
  const field = findField(name);
  if (field !== undefined) {
    restrictions.require(field, `field ${name}`, span);
    return { kind: "field", field, span };
  }
  const definition = findFunction(name);
  if (definition === undefined) throw reader.error("unknown identifier", span.start, span.end);
  restrictions.require(definition, `function ${name}`, span);
  parser.useFunction(definition, span);
  reader.skipSpace();
  const args = parser.nested(reader.position, () => readArguments(parser, definition));
  const type = resultType(definition, args);
  return { kind: "call", function: definition, args, type, span: reader.spanFrom(start) };
}

function resultType({ returns }: FunctionDefinition, [first]: readonly Argument[]): ValueType {
  const ofOne = returns ?? (first === undefined ? "Bytes" : argumentType(first));
  return first?.kind === "access" && eachCount(first.access) > 0 ? `Array<${ofOne}>` : ofOne;
}

function readArguments(parser: Parser, definition: FunctionDefinition): Argument[] {
  const { reader } = parser;
  const { parameters, optional = [], rest } = definition;
  const countMax = rest === undefined ? parameters.length + optional.length : Number.POSITIVE_INFINITY;
  const args: Argument[] = [];
  reader.expect("(");
  reader.skipSpace();
  while (!reader.isAtEnd && !reader.startsWith(")")) {
    if (args.length > 0) reader.expect(",");
    reader.skipSpace();
    const { position: start } = reader;
    const argument = readArgument(parser);
    const span = reader.spanFrom(start);
    if (args.length > 0 && argument.kind === "access" && eachCount(argument.access) > 0) {
      throw reader.error("invalid use of map each access operator", span.start, span.end);
    }
    if (args.length >= countMax) throw reader.error("invalid number of arguments", start);
    const issue =
      checkArgument(definition, args, argument) ?? checkArgumentValue(parser, definition, args, argument);
    if (issue !== undefined) throw reader.error(issue, span.start, span.end);
    args.push(argument);
    reader.skipSpace();
  }
  if (args.length < parameters.length) throw reader.error("invalid number of arguments");
  reader.expect(")");
  return args;
}

// At most two hexadecimal digits, then a character that neither numbers nor octets contain.
const startsName = /[0-9A-Fa-f]{0,2}[G-Zg-z_]/y;
const startsText = /"|r["#]/y;

function readArgument(parser: Parser): Argument {
  const { reader } = parser;
  const { position: start } = reader;
  if (isNext(reader, startsText)) return { kind: "literal", literal: readLiteral(reader, "Bytes") };
  if (startsCondition(reader)) return { kind: "condition", expression: parser.readExpression(parser) };
  if (isNext(reader, startsName)) return readAccessArgument(parser);
  const access = attempt(reader, () => readAccessArgument(parser));
  if (access !== undefined) return access;
  // Octets last: two digits may begin any of them.
  for (const type of ["Ip", "Int", "Bytes"] satisfies ScalarType[]) {
    const literal = attempt(reader, () => readLiteral(reader, type));
    if (literal !== undefined) return { kind: "literal", literal };
  }
  throw reader.error("unrecognised input", start);
}

function isNext(reader: Reader, pattern: RegExp): boolean {
  pattern.lastIndex = reader.position;
  return pattern.test(reader.source);
}

function readAccessArgument(parser: Parser): Argument {
  const access = readAccess(parser);
  if (!startsComparison(parser.reader)) return { kind: "access", access };
  return { kind: "condition", expression: readComparison(parser, access) };
}
