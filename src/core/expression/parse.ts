import { eachCount, typeOf, type Access, type Expression, type LogicalOperator } from "./ast.ts";
import { shownTypes } from "./arguments.ts";
import { costOf, unitsMaxOf } from "./cost.ts";
import { takeConstant, takeLogicalOperator, takeNot, takeQuantifier } from "./keywords.ts";
import { readAccess } from "./parse-access.ts";
import { readComparison } from "./parse-comparison.ts";
import { type ParseOptions, Parser } from "./parser.ts";

/**
 * Parses a filter. The types of fields and functions decide what may follow them, so types are checked while
 * parsing. Throws ExpressionError.
 */
export function parseExpression(source: string, options: ParseOptions = {}): Expression {
  const parser = new Parser(source, options, readExpression);
  const { reader } = parser;
  const { position: start } = reader;
  const expression = readExpression(parser);
  const type = typeOf(expression);
  if (type !== "Bool") throw reader.error(`expected value of type Bool, but got ${type}`, start);
  parser.requireEnd();
  requireUnits(parser, expression);
  return expression;
}

export function parseValueExpression(source: string, options: ParseOptions = {}): Access {
  const parser = new Parser(source, options, readExpression);
  const { reader } = parser;
  const { position: start } = reader;
  const access = readAccess(parser);
  const isVector = eachCount(access) > 0;
  const actual = isVector ? `Array<${access.type}>` : access.type;
  const { valueTypes: expected = [access.type] } = options;
  if (isVector || !expected.some((type) => type === access.type)) {
    throw reader.error(`expected value of type ${shownTypes(expected)}, but got ${actual}`, start);
  }
  parser.requireEnd();
  requireUnits(parser, access);
  return access;
}

/** Throws ExpressionError for an expression that would take too long on a long body. */
function requireUnits({ reader, limits: { unitsMax } }: Parser, expression: Expression | Access): void {
  const units = Math.ceil(unitsMaxOf(costOf(expression)));
  if (units <= unitsMax) return;
  const reason =
    `the expression takes up to ${units} steps (parts of its regular expressions and functions, times the octets ` +
    `of the fields that they read), but the limit is ${unitsMax}`;
  throw reader.error(reason, expression.span.start, expression.span.end);
}

/** The binary operators, the weakest first. */
const precedence: readonly LogicalOperator[] = ["or", "xor", "and"];

function readExpression(parser: Parser): Expression {
  return readLogical(parser, 0);
}

function readLogical(parser: Parser, level: number): Expression {
  const operator = precedence[level];
  if (operator === undefined) return readSimple(parser);
  const { reader } = parser;
  const { position: start } = reader;
  const first = readLogical(parser, level + 1);
  const operands = [first];
  while (takeLogicalOperator(reader, operator)) {
    const operand = readLogical(parser, level + 1);
    const [expected, actual] = [typeOf(first), typeOf(operand)];
    if (expected !== actual) {
      throw reader.error(`expected value of type ${expected}, but got ${actual}`);
    }
    operands.push(operand);
  }
  if (operands.length === 1) return first;
  return { kind: "logical", operator, operands, span: reader.spanFrom(start) };
}

function readSimple(parser: Parser): Expression {
  const { reader } = parser;
  const { position: start } = reader;
  if (reader.startsWith("(")) {
    const operand = parser.nested(start, () => readGroup(parser));
    return { kind: "group", operand, span: reader.spanFrom(start) };
  }
  if (takeNot(reader)) {
    const operand = parser.nested(start, () => {
      reader.skipSpace();
      return readSimple(parser);
    });
    return { kind: "not", operand, span: reader.spanFrom(start) };
  }
  const value = takeConstant(reader);
  if (value !== undefined) return { kind: "constant", value, span: reader.spanFrom(start) };
  const quantifier = takeQuantifier(reader);
  if (quantifier === undefined) return readComparison(parser, readAccess(parser));
  reader.skipSpace();
  const operand = parser.nested(reader.position, () => readQuantified(parser));
  return { kind: "quantifier", quantifier, operand, span: reader.spanFrom(start) };
}

function readGroup(parser: Parser): Expression {
  const { reader } = parser;
  reader.expect("(");
  reader.skipSpace();
  const expression = readExpression(parser);
  reader.skipSpace();
  reader.expect(")");
  return expression;
}

function readQuantified(parser: Parser): Expression {
  const { reader } = parser;
  reader.expect("(");
  reader.skipSpace();
  const { position: start } = reader;
  if (reader.startsWith(")")) throw reader.error("invalid number of arguments");
  const operand = readExpression(parser);
  const type = typeOf(operand);
  if (type !== "Array<Bool>") {
    const mismatch = `expected value of type Array<Bool>, but got ${type}`;
    throw reader.error(`invalid type of argument #0: ${mismatch}`, start, reader.position);
  }
  reader.skipSpace();
  if (reader.startsWith(",")) throw reader.error("invalid number of arguments");
  reader.expect(")");
  return operand;
}
