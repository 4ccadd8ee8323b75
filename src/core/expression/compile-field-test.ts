import { isArray, isMap } from "./value-type.ts";
import type { Access, Test } from "./ast.ts";
import { literalValue } from "./compile-access.ts";
import type { ValueTest } from "./compile-test.ts";
import type { RequestContext } from "./context.ts";
import { slotOf } from "./scheme.ts";

/**
 * The most usual comparisons, of a field as it is, in one function instead of two. Undefined for others. A missing
 * value passes no test: it equals nothing and is in no order.
 */
export function compileFieldTest(
  { base, indexes }: Access,
  test: Test,
  valueTest: ValueTest,
): ((context: RequestContext) => boolean) | undefined {
  if (base.kind === "call") return indexes.length === 0 ? compilePartTest(base, test) : undefined;
  if (indexes.length > 0 || isArray(base.field.type) || isMap(base.field.type)) return undefined;
  const slot = slotOf(base.field);
  if (test.kind === "is true") return ({ values }) => values[slot] === true;
  if (test.kind === "ordering" && test.operator === "eq" && test.literal.kind !== "ip") {
    const bound = literalValue(test.literal);
    return ({ values }) => values[slot] === bound;
  }
  if (test.kind === "contains") {
    const { value: part } = test.part;
    return ({ values }) => {
      const value = values[slot];
      return value !== undefined && (value as string).includes(part);
    };
  }
  return (context) => {
    const value = context.values[slot];
    return value !== undefined && valueTest(value, context);
  };
}

/** `starts_with` and `ends_with` of a field and a literal. */
function compilePartTest(
  { function: { name }, args: [first, second] }: Extract<Access["base"], { readonly kind: "call" }>,
  test: Test,
): ((context: RequestContext) => boolean) | undefined {
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
