import type { Access, OrderingOperator, Test } from "./ast.ts";
import { literalValue } from "./compile-access.ts";
import { membersOf, type ValueTest } from "./compile-test.ts";
import type { RequestContext, Value } from "./context.ts";
import { slotOf } from "./scheme.ts";
import { isArray, isMap } from "./value-type.ts";

type FieldTest = (context: RequestContext) => boolean;

/**
 * The most usual comparisons, of a field as it is, in one function instead of two. Undefined for others. A missing
 * value passes no test: `undefined` equals nothing, and is in no order in JavaScript either.
 */
export function compileFieldTest(
  { base, indexes }: Access,
  test: Test,
  valueTest: ValueTest,
): FieldTest | undefined {
  if (base.kind === "call") return indexes.length === 0 ? compilePartTest(base, test) : undefined;
  if (indexes.length > 0 || isArray(base.field.type) || isMap(base.field.type)) return undefined;
  const slot = slotOf(base.field);
  switch (test.kind) {
    case "is true":
      return ({ values }) => values[slot] === true;
    case "ordering":
      if (test.literal.kind !== "ip")
        return orderingFieldTest(slot, test.operator, literalValue(test.literal));
      break;
    case "contains": {
      const { value: part } = test.part;
      return ({ values }) => (values[slot] as string | undefined)?.includes(part) === true;
    }
    case "in set": {
      const members = membersOf(test.set);
      if (members !== undefined) return memberFieldTest(slot, members);
      break;
    }
    case "bitwise and":
    case "matches":
    case "wildcard":
    case "in list":
  }
  return (context) => {
    const value = context.values[slot];
    return value !== undefined && valueTest(value, context);
  };
}

function orderingFieldTest(slot: number, operator: OrderingOperator, bound: Value): FieldTest {
  switch (operator) {
    case "eq":
      return ({ values }) => values[slot] === bound;
    case "ne":
      return ({ values }) => values[slot] !== bound && values[slot] !== undefined;
    case "lt":
      return ({ values }) => (values[slot] as number) < (bound as number);
    case "le":
      return ({ values }) => (values[slot] as number) <= (bound as number);
    case "gt":
      return ({ values }) => (values[slot] as number) > (bound as number);
    case "ge":
      return ({ values }) => (values[slot] as number) >= (bound as number);
  }
}

function memberFieldTest(slot: number, members: readonly Value[]): FieldTest {
  const [one, two, ...others] = members;
  if (one === undefined || two === undefined || others.length > 0) {
    const all = new Set<Value | undefined>(members);
    return ({ values }) => all.has(values[slot]);
  }
  return ({ values }) => {
    const value = values[slot];
    return value === one || value === two;
  };
}

/** `starts_with` and `ends_with` of a field and a literal. */
function compilePartTest(
  { function: { name }, args: [first, second] }: Extract<Access["base"], { readonly kind: "call" }>,
  test: Test,
): FieldTest | undefined {
  if (test.kind !== "is true" || first?.kind !== "access" || second?.kind !== "literal") return undefined;
  const { base, indexes } = first.access;
  if (base.kind !== "field" || indexes.length > 0 || second.literal.kind !== "bytes") return undefined;
  const slot = slotOf(base.field);
  const { value: part } = second.literal;
  if (name === "starts_with") {
    return ({ values }) => (values[slot] as string | undefined)?.startsWith(part) === true;
  }
  if (name === "ends_with") {
    return ({ values }) => (values[slot] as string | undefined)?.endsWith(part) === true;
  }
  return undefined;
}
