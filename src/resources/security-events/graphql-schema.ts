import {
  GraphQLEnumType,
  GraphQLError,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  type GraphQLFieldConfig,
  type GraphQLInputType,
  type GraphQLNullableInputType,
} from "graphql";

import { fromJson, parseTimestamp } from "../../storage/columns.ts";
import type { SecurityEventRow } from "../../storage/tables.ts";
import { comparisonsOf, eventFields } from "./event-fields.ts";
import type { EventQuery } from "./security-events.ts";

/** What the fields of a query ask. */
export interface EventReader {
  /** Throws unless the caller may read the zone. */
  readonly authorizeZone: (zoneTag: string) => Promise<void>;
  readonly listEvents: (zoneTag: string, query: EventQuery) => Promise<SecurityEventRow[]>;
}

interface ZoneNode {
  readonly zoneTag: string;
}

/** The names of scalars are those of the public schema (wire contract 12). */
const text = new GraphQLScalarType({
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
const number = new GraphQLScalarType({
  name: "uint16",
  coerceInputValue: (value) => {
    if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > numberMax) {
      throw new GraphQLError(`must be an integer from 0 to ${numberMax}`);
    }
    return value;
  },
});
const forms = { text, number, time } as const;

const metadata = new GraphQLObjectType({
  name: "FirewallEventMetadata",
  fields: { key: { type: text }, value: { type: text } },
});

const event = new GraphQLObjectType<SecurityEventRow>({
  name: "FirewallEventsAdaptive",
  description: "What one rule made of one request.",
  fields: {
    ...Object.fromEntries(
      Object.entries(eventFields).map(
        ([name, { column, form }]): [string, GraphQLFieldConfig<SecurityEventRow, unknown>] => [
          name,
          { type: new GraphQLNonNull(forms[form]), resolve: (source) => source[column] },
        ],
      ),
    ),
    metadata: { type: new GraphQLNonNull(listOf(metadata)), resolve: (source) => fromJson(source.metadata) },
  },
});

const filter: GraphQLInputObjectType = new GraphQLInputObjectType({
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

const order = new GraphQLEnumType({
  name: "FirewallEventsAdaptiveOrderBy",
  values: { datetime_ASC: { value: "asc" }, datetime_DESC: { value: "desc" } },
});

const rowsMax = 10_000;
const rowsDefault = 100;
const datasetsMax = 10;

/** What one query has asked for so far. */
export class QueryBudget {
  #rows = 0;
  #datasets = 0;

  /** Throws a GraphQLError where the query asks for more than one may. */
  spend(rows: number): void {
    this.#rows += rows;
    this.#datasets += 1;
    if (this.#rows > rowsMax) throw budgetError(`limit: a query may ask for at most ${rowsMax} events`);
    if (this.#datasets > datasetsMax)
      throw budgetError(`a query may ask for at most ${datasetsMax} datasets`);
  }
}

function budgetError(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: "budget" } });
}

interface QueryContext {
  readonly reader: EventReader;
  readonly budget: QueryBudget;
}

interface EventsArguments {
  readonly filter?: Readonly<Record<string, unknown>> | null;
  readonly orderBy?: readonly ("asc" | "desc")[] | null;
  readonly limit?: number | null;
}

const zone = new GraphQLObjectType<ZoneNode, QueryContext>({
  name: "Zone",
  fields: {
    zoneTag: { type: new GraphQLNonNull(text) },
    firewallEventsAdaptive: {
      description: `Security events. Default: the newest ${rowsDefault}.`,
      type: new GraphQLNonNull(listOf(event)),
      args: { filter: { type: filter }, orderBy: { type: listOf(order) }, limit: { type: number } },
      resolve: async ({ zoneTag }, given: EventsArguments, { reader, budget }) => {
        const limit = given.limit ?? rowsDefault;
        if (limit === 0) throw new GraphQLError("limit: must be at least 1");
        budget.spend(limit);
        const direction = given.orderBy?.[0] ?? "desc";
        return reader.listEvents(zoneTag, { filter: given.filter ?? {}, direction, limit });
      },
    },
  },
});

const zoneFilter = new GraphQLInputObjectType({
  name: "ZoneFilter_InputObject",
  fields: { zoneTag: { type: text } },
});

const viewer = new GraphQLObjectType<unknown, QueryContext>({
  name: "Viewer",
  fields: {
    zones: {
      description: "The zone of a tag, which is its id.",
      type: new GraphQLNonNull(listOf(zone)),
      args: { filter: { type: zoneFilter } },
      resolve: async (
        _,
        given: { readonly filter?: { readonly zoneTag?: string | null } | null },
        { reader },
      ) => {
        const zoneTag = given.filter?.zoneTag;
        if (zoneTag === undefined || zoneTag === null) {
          throw new GraphQLError("zones: needs filter: { zoneTag }");
        }
        await reader.authorizeZone(zoneTag);
        return [{ zoneTag }];
      },
    },
  },
});

/** The schema that is served: security events of zones (wire contract 12). */
export const graphqlSchema = new GraphQLSchema({
  query: new GraphQLObjectType<unknown, QueryContext>({
    name: "Query",
    fields: { viewer: { type: new GraphQLNonNull(viewer), resolve: () => ({}) } },
  }),
});

function listOf<T extends GraphQLNullableInputType | GraphQLObjectType>(
  type: T,
): GraphQLList<GraphQLNonNull<T>> {
  return new GraphQLList(new GraphQLNonNull(type));
}
