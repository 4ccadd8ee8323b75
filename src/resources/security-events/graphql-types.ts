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

import type { SecurityEventRow } from "../../storage/schema/edges.ts";
import type { EventGroup, EventGroupQuery } from "./count-events.ts";
import type { EventQuery } from "./security-events.ts";
import { parseTimestamp } from "../../storage/columns.ts";
import { comparisonsOf, eventFields, type FieldType } from "./event-fields.ts";

export interface EventReader {
  /** Throws unless the caller may read the zone. */
  readonly authorizeZone: (zoneTag: string) => Promise<void>;
  readonly listEvents: (zoneTag: string, query: EventQuery) => Promise<SecurityEventRow[]>;
  readonly countEvents: (zoneTag: string, query: EventGroupQuery) => Promise<EventGroup[]>;
}

export interface ZoneNode {
  readonly zoneTag: string;
}

export interface QueryContext {
  readonly reader: EventReader;
  readonly budget: QueryBudget;
}

const rowsMax = 10_000;
const datasetsMax = 10;

/** Limits the size of one query. Its methods throw a GraphQLError above the limits. */
export class QueryBudget {
  #rows = 0;
  readonly #datasets = new Map<string, number>();

  /** Counts events or groups. */
  spendRows(rows: number): void {
    this.#rows += rows;
    if (this.#rows > rowsMax) throw budgetError(`limit: a query may ask for at most ${rowsMax} events`);
  }

  /** Counts datasets per zone. */
  spendDataset(zoneTag: string): void {
    const datasets = (this.#datasets.get(zoneTag) ?? 0) + 1;
    this.#datasets.set(zoneTag, datasets);
    if (datasets > datasetsMax) throw budgetError(`a query may ask for at most ${datasetsMax} datasets`);
  }
}

export function budgetError(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: "budget" } });
}

/** Scalars have the names of the public schema. */
export const text = new GraphQLScalarType({
  name: "string",
  coerceInputValue: (value) => {
    if (typeof value !== "string") throw new GraphQLError("must be a string");
    // PostgreSQL cannot store it.
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
const date = new GraphQLScalarType({
  name: "Date",
  description: "`2026-01-02`.",
  coerceInputValue: (value) => {
    const isDate = typeof value === "string" && parseTimestamp(`${value}T00:00:00Z`) !== undefined;
    if (!isDate) throw new GraphQLError("must be a date such as 2026-01-02");
    return value;
  },
});
/** The scalars of dataset fields. */
export const graphqlTypes = { text, number, time, date } as const;

/** Only answers hold `uint64` and `float64`. */
export const count = new GraphQLScalarType({ name: "uint64" });
export const decimal = new GraphQLScalarType({ name: "float64" });

export function filterOf(name: string, fields: Readonly<Record<string, FieldType>>): GraphQLInputObjectType {
  const filterType: GraphQLInputObjectType = new GraphQLInputObjectType({
    name,
    description: "All of its conditions must match.",
    fields: () => {
      const comparisons = Object.entries(fields).flatMap(([field, type]) =>
        Object.entries(comparisonsOf[type]).map(
          ([ending, comparison]): [string, { type: GraphQLInputType }] => {
            const isList = comparison === "in" || comparison === "not in";
            return [field + ending, { type: isList ? listOf(graphqlTypes[type]) : graphqlTypes[type] }];
          },
        ),
      );
      return {
        ...Object.fromEntries(comparisons),
        AND: { type: listOf(filterType) },
        OR: { type: listOf(filterType) },
      };
    },
  });
  return filterType;
}

/** The filter of both event datasets. */
export const filter = filterOf(
  "FirewallEventsAdaptiveFilter_InputObject",
  Object.fromEntries(Object.entries(eventFields).map(([name, { type }]) => [name, type])),
);

export function listOf<T extends GraphQLNullableInputType | GraphQLObjectType>(
  type: T,
): GraphQLList<GraphQLNonNull<T>> {
  return new GraphQLList(new GraphQLNonNull(type));
}
