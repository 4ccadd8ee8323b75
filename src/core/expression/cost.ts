import type { Access, Call, Comparison, Expression, Test } from "./ast.ts";
import type { FieldDefinition } from "./fields.ts";
import { translatePattern } from "./regex-dialect.ts";

/**
 * The cost of an expression: for each field that it reads, units for each octet of its value. A unit is the
 * work of one part of a regular expression on one octet in the worst case, about 5 ns. Fields of a bounded
 * size take 0.
 */
export type Cost = ReadonlyMap<FieldDefinition, number>;

/** Counts, for each field, how often its octets are in a value. */
type Size = ReadonlyMap<FieldDefinition, number>;

/** Units that tests and functions which only compare take for each octet; others take 1. */
const comparing = 0.05;
const searching = 0.25;
/** The length in octets from which searching for a text may take longer. */
const needleOctets = 250;
const regexUnitsMin = 8;
/** Units for each octet of a body from which the fields of a form are made. */
const unitsOfMaking = 24;

interface FunctionCost {
  readonly units?: number;
  /** Octets of the result for each octet of the arguments. */
  readonly growth?: number;
}

const functionCosts: Readonly<Record<string, FunctionCost>> = {
  decode_base64: { units: 4 },
  encode_base64: { units: 4, growth: 2 },
  ends_with: { units: comparing },
  is_timed_hmac_valid_v0: { units: 64 },
  len: { units: comparing },
  lookup_json_integer: { units: 16 },
  lookup_json_string: { units: 16 },
  remove_bytes: { units: 16 },
  remove_query_args: { units: 16 },
  starts_with: { units: comparing },
  substring: { units: comparing },
  upper: { units: 4 },
  // A result may hold eight groups.
  regex_replace: { growth: 8 },
  wildcard_replace: { units: 2, growth: 8 },
};

/** Whether a visitor decides how long a field is. */
export function isOfAnyLength({ name, type }: FieldDefinition): boolean {
  const isBounded = type === "Bool" || type === "Int" || type === "Ip";
  return !isBounded && /^(?:raw\.)?http\./.test(name) && name !== "http.request.body.mime";
}

/** Whether a field has the body of a visitor's request as its value, or is made from it. */
export function isOfBody(field: FieldDefinition): boolean {
  return field.name.startsWith("http.request.body.") && isOfAnyLength(field);
}

export function costOf(part: Expression | Access): Cost {
  const estimate = new Estimate();
  if (part.kind === "access") estimate.sizeOf(part);
  else estimate.add(part);
  return estimate.units;
}

class Estimate {
  readonly units = new Map<FieldDefinition, number>();

  add(expression: Expression): void {
    switch (expression.kind) {
      case "constant":
        return;
      case "group":
      case "not":
      case "quantifier":
        return this.add(expression.operand);
      case "logical":
        for (const operand of expression.operands) this.add(operand);
        return;
      case "comparison":
        return this.#addComparison(expression);
    }
  }

  sizeOf({ base }: Access): Size {
    if (base.kind === "call") return this.#sizeOfResult(base);
    const { name } = base.field;
    const making = isOfBody(base.field) && name !== "http.request.body.raw" ? unitsOfMaking : 0;
    this.units.set(base.field, (this.units.get(base.field) ?? 0) + making);
    return isOfAnyLength(base.field) ? new Map([[base.field, 1]]) : new Map();
  }

  #addComparison({ left, test }: Comparison): void {
    this.#work(this.sizeOf(left), unitsOfTest(test));
  }

  #sizeOfResult(call: Call): Size {
    const size = new Map<FieldDefinition, number>();
    for (const argument of call.args) {
      if (argument.kind === "condition") this.add(argument.expression);
      if (argument.kind !== "access") continue;
      for (const [field, times] of this.sizeOf(argument.access))
        size.set(field, (size.get(field) ?? 0) + times);
    }
    const { units, growth } = costOfCall(call);
    this.#work(size, units);
    for (const [field, times] of size) size.set(field, times * growth);
    return size;
  }

  #work(size: Size, units: number): void {
    for (const [field, times] of size) this.units.set(field, (this.units.get(field) ?? 0) + times * units);
  }
}

function costOfCall({ function: { name }, args }: Call): Required<FunctionCost> {
  const { units = 1, growth = 1 } = functionCosts[name] ?? {};
  const literals = args.map((argument) =>
    argument.kind === "literal" && argument.literal.kind === "bytes" ? argument.literal.value : undefined,
  );
  const [, second] = literals;
  switch (name) {
    case "join":
      // The separator stands between any two elements, each of which may be empty.
      return { units, growth: 1 + (second?.length ?? headersOctetsMax) };
    case "regex_replace":
      return { units: unitsOfPattern(second ?? ""), growth };
    case "url_decode":
      return { units: second?.includes("r") === true ? 64 : 8, growth };
    default:
      return { units, growth };
  }
}

function unitsOfTest(test: Test): number {
  if (test.kind === "matches") return unitsOfPattern(test.pattern.text);
  if (test.kind === "contains") return searching * (1 + Math.floor(test.part.value.length / needleOctets));
  if (test.kind === "wildcard") return searching * (2 + Math.floor(test.pattern.value.length / needleOctets));
  return comparing;
}

/** The units of a pattern that the parser has accepted. */
function unitsOfPattern(pattern: string): number {
  return Math.max(regexUnitsMin, translatePattern(pattern).parts);
}

/**
 * Octets of the largest body that rules see. The headers of a request or response, from which fields are
 * made, have a bound of their own.
 */
export const bodyOctetsMax = 131_072;
const headersOctetsMax = 32_768;

/** The units that the expression takes where every field is as long as it may be. */
export function unitsMaxOf(cost: Cost): number {
  let sum = 0;
  for (const [field, units] of cost) sum += units * (isOfBody(field) ? bodyOctetsMax : headersOctetsMax);
  return sum;
}
