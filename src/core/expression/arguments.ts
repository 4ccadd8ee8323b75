import { typeOf, type Argument, type Literal } from "./ast.ts";
import { decodeText } from "./byte-string.ts";
import type { ArgumentKind, FunctionDefinition, Parameter, ParameterType } from "./functions.ts";
import type { Parser } from "./parser.ts";
import { parseReplacement, parseWildcard } from "./wildcard.ts";
import { isArray, isMap, type ValueType } from "./value-type.ts";

/** The error in the kind or type of the next argument; undefined for none. */
export function checkArgument(
  definition: FunctionDefinition,
  before: readonly Argument[],
  argument: Argument,
): string | undefined {
  const parameter = parameterAt(definition, before.length);
  const actual: ArgumentKind = argument.kind === "literal" ? "Literal" : "Field";
  if (parameter.kind !== "Either" && parameter.kind !== actual) {
    const mismatch = `expected argument of kind ${parameter.kind}, but got ${actual}`;
    return `invalid kind of argument #${before.length}: ${mismatch}`;
  }
  const expected = parameter.types ?? (before[0] === undefined ? [] : [argumentType(before[0])]);
  const type = argumentType(argument);
  if (expected.some((one) => includesType(one, type))) return undefined;
  const mismatch = `expected value of type ${shownTypes(expected)}, but got ${type}`;
  return `invalid type of argument #${before.length}: ${mismatch}`;
}

function parameterAt({ parameters, optional = [], rest }: FunctionDefinition, index: number): Parameter {
  const parameter = parameters[index] ?? optional[index - parameters.length] ?? rest;
  if (parameter === undefined) throw new Error(`there is no parameter ${index}`);
  return parameter;
}

/** The type of an argument; with `[*]`, that of each element. */
export function argumentType(argument: Argument): ValueType {
  if (argument.kind === "access") return argument.access.type;
  if (argument.kind === "condition") return typeOf(argument.expression);
  const types = { bytes: "Bytes", int: "Int", ip: "Ip" } as const;
  return types[argument.literal.kind];
}

function includesType(expected: ParameterType, type: ValueType): boolean {
  if (expected === "Array<_>") return isArray(type);
  return expected === "Map<_>" ? isMap(type) : expected === type;
}

/** Types as error messages name them: `Bytes or Int`, and three or more in braces. */
export function shownTypes(types: readonly ParameterType[]): string {
  return types.length > 2 ? `{${types.join(", ")}}` : types.join(" or ");
}

/** The error in the value of a literal or in the source of the first argument; undefined for none. */
export function checkArgumentValue(
  parser: Parser,
  definition: FunctionDefinition,
  before: readonly Argument[],
  argument: Argument,
): string | undefined {
  const { name, sources } = definition;
  const index = before.length;
  if (index === 0 && sources !== undefined && !isFieldOf(argument, sources)) {
    return invalidValue(index, `must be one of the fields ${sources.join(", ")}`);
  }
  if (argument.kind !== "literal") return undefined;
  const issue = checks[`${name} ${index}`]?.(argument.literal, parser, before);
  return issue === undefined ? undefined : invalidValue(index, issue);
}

function isFieldOf(argument: Argument, names: readonly string[]): boolean {
  if (argument.kind !== "access" || argument.access.indexes.length > 0) return false;
  const { base } = argument.access;
  return base.kind === "field" && names.includes(base.field.name);
}

function invalidValue(index: number, reason: string): string {
  return `invalid value of argument #${index}: invalid argument: ${JSON.stringify(reason)}`;
}

type Check = (literal: Literal, parser: Parser, before: readonly Argument[]) => string | undefined;

const between =
  (min: bigint, max: bigint): Check =>
  (literal) =>
    literal.kind === "int" && (literal.value < min || literal.value > max)
      ? `must be between ${min} and ${max}`
      : undefined;

const flags =
  (...allowed: readonly string[]): Check =>
  (literal) =>
    literal.kind === "bytes" && !allowed.includes(literal.value)
      ? `must be one of: ${allowed.filter((flag) => flag !== "").join(", ")}`
      : undefined;

const checkReplacement: Check = (literal) => {
  if (literal.kind !== "bytes") return undefined;
  const replacement = parseReplacement(literal.value);
  return "issue" in replacement ? replacement.issue : undefined;
};

const sliceBitsMax = 32n;
const sliceOffsetMax = 2040n;

const checkSliceEnd: Check = (literal, _parser, before) => {
  const start = before[1];
  if (literal.kind !== "int" || start?.kind !== "literal" || start.literal.kind !== "int") return undefined;
  const bits = literal.value - start.literal.value;
  return bits < 1n || bits > sliceBitsMax ? `must be 1 to ${sliceBitsMax} bits behind the start` : undefined;
};

/** Further checks, by function and argument position. */
const checks: Readonly<Record<string, Check>> = {
  "bit_slice 1": between(0n, sliceOffsetMax),
  "bit_slice 2": checkSliceEnd,
  "cidr 1": between(1n, 32n),
  "cidr 2": between(1n, 128n),
  "cidr6 1": between(1n, 128n),
  "encode_base64 1": flags("", "u", "p", "up", "pu"),
  "is_timed_hmac_valid_v0 2": between(0n, 2n ** 53n),
  "is_timed_hmac_valid_v0 4": between(0n, 4096n),
  "is_timed_hmac_valid_v0 5": flags("", "s"),
  "regex_replace 1": (literal, parser) => {
    if (literal.kind !== "bytes") return undefined;
    const text = decodeText(literal.value);
    return text === undefined ? "must be text in UTF-8" : parser.patternIssue(text);
  },
  "regex_replace 2": checkReplacement,
  "split 1": (literal) =>
    literal.kind === "bytes" && literal.value === "" ? "must not be empty" : undefined,
  "split 2": between(1n, 128n),
  "url_decode 1": flags("", "r", "u", "ur", "ru"),
  "wildcard_replace 1": (literal, { limits }) => {
    if (literal.kind !== "bytes") return undefined;
    const wildcard = parseWildcard(literal.value, limits.wildcardStarsMax);
    return "issue" in wildcard ? wildcard.issue : undefined;
  },
  "wildcard_replace 2": checkReplacement,
  "wildcard_replace 3": flags("", "s"),
};
