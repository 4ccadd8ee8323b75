import {
  GraphQLError,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  type GraphQLInputType,
  type GraphQLNullableInputType,
  type GraphQLObjectType,
} from "graphql";

import { parseTimestamp } from "../../storage/columns.ts";
import { comparisonsOf, eventFields } from "./event-fields.ts";

/** The names of scalars are those of the public schema (wire contract 12). */
export const text = new GraphQLScalarType({
  name: "string",
  coerceInputValue: (value) => {
    if (typeof value !== "string") throw new GraphQLError("must be a string");
    // PostgreSQL cannot be asked for it, and no event holds it.
    if (value.includes("\0")) throw new GraphQLError("must not hold the character U+0000");
    return value;
  },
});
const time = new GraphQLScalarType({
  name: "Time",
  description: "`2026-01-02T03:04:05Z`, RFC 3339.",
  coerceInputValue: (value) => {
    const timestamp = typeof value === "string" ? parseTimestamp(value) : undefined;
    if (timestamp === undefined) throw new GraphQLError("must be a time such as 2026-01-02T03:04:05Z");
    return timestamp;
  },
  coerceOutputValue: (value) => `${String(value).slice(0, 19)}Z`,
});
const numberMax = 0xff_ff;
export const number = new GraphQLScalarType({
  name: "uint16",
  coerceInputValue: (value) => {
    if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > numberMax) {
      throw new GraphQLError(`must be an integer from 0 to ${numberMax}`);
    }
    return value;
  },
});
/** Of the fields of an event. */
export const forms = { text, number, time } as const;

/** A number that is only answered. */
export const count = new GraphQLScalarType({ name: "uint64" });

/** Of both datasets. */
export const filter: GraphQLInputObjectType = new GraphQLInputObjectType({
  name: "FirewallEventsAdaptiveFilter_InputObject",
  description: "An event has to meet all of it.",
  fields: () => {
    const comparisons = Object.entries(eventFields).flatMap(([name, { form }]) =>
      Object.entries(comparisonsOf[form]).map(
        ([ending, comparison]): [string, { type: GraphQLInputType }] => {
          const isList = comparison === "in" || comparison === "not in";
          return [name + ending, { type: isList ? listOf(forms[form]) : forms[form] }];
        },
      ),
    );
    return {
      ...Object.fromEntries(comparisons),
      AND: { type: listOf(filter) },
      OR: { type: listOf(filter) },
    };
  },
});

export function listOf<T extends GraphQLNullableInputType | GraphQLObjectType>(
  type: T,
): GraphQLList<GraphQLNonNull<T>> {
  return new GraphQLList(new GraphQLNonNull(type));
}
