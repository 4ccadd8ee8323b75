import {
  GraphQLEnumType,
  GraphQLError,
  GraphQLInputObjectType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  type GraphQLFieldConfig,
} from "graphql";

import { fromJson } from "../../storage/columns.ts";
import type { SecurityEventRow } from "../../storage/schema/edges.ts";
import { eventFields } from "./event-fields.ts";
import { emptyDatasetFields } from "./graphql-empty-datasets.ts";
import { eventGroupsField } from "./graphql-groups.ts";
import { budgetError, type QueryContext, type ZoneNode } from "./graphql-query.ts";
import { filter, forms, listOf, number, text } from "./graphql-types.ts";

const metadata = new GraphQLObjectType({
  name: "FirewallEventMetadata",
  fields: { key: { type: text }, value: { type: text } },
});

const event = new GraphQLObjectType<SecurityEventRow>({
  name: "FirewallEventsAdaptive",
  description: "What one rule did with one request.",
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

const order = new GraphQLEnumType({
  name: "FirewallEventsAdaptiveOrderBy",
  values: { datetime_ASC: { value: "asc" }, datetime_DESC: { value: "desc" } },
});

const rowsDefault = 100;

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
        budget.spendDataset(zoneTag);
        budget.spendRows(limit);
        const direction = given.orderBy?.[0] ?? "desc";
        return reader.listEvents(zoneTag, { filter: given.filter ?? {}, direction, limit });
      },
    },
    firewallEventsAdaptiveGroups: eventGroupsField,
    ...emptyDatasetFields,
  },
});

const zoneFilter = new GraphQLInputObjectType({
  name: "ZoneFilter_InputObject",
  fields: { zoneTag: { type: text }, zoneTag_in: { type: listOf(text) } },
});

interface ZonesArguments {
  readonly filter?: {
    readonly zoneTag?: string | null;
    readonly zoneTag_in?: readonly string[] | null;
  } | null;
}

const zonesMax = 10;

const viewer = new GraphQLObjectType<unknown, QueryContext>({
  name: "Viewer",
  fields: {
    zones: {
      description: `The zones with these tags, which are their ids: ${zonesMax} at most.`,
      type: new GraphQLNonNull(listOf(zone)),
      args: { filter: { type: zoneFilter } },
      resolve: async (_, given: ZonesArguments, { reader }) => {
        const zoneTags = zoneTagsOf(given);
        if (zoneTags.length > zonesMax) throw budgetError(`zones: a query may ask for at most ${zonesMax}`);
        for (const zoneTag of zoneTags) await reader.authorizeZone(zoneTag);
        return zoneTags.map((zoneTag): ZoneNode => ({ zoneTag }));
      },
    },
  },
});

/** Without duplicates, in the order of the query. */
function zoneTagsOf({ filter: asked }: ZonesArguments): readonly string[] {
  const { zoneTag: one, zoneTag_in: several } = asked ?? {};
  const listed = several ?? (typeof one === "string" ? [one] : undefined);
  if (listed === undefined) throw new GraphQLError("zones: needs filter: { zoneTag } or { zoneTag_in }");
  return [...new Set(listed)].filter((zoneTag) => typeof one !== "string" || zoneTag === one);
}

export const graphqlSchema = new GraphQLSchema({
  query: new GraphQLObjectType<unknown, QueryContext>({
    name: "Query",
    fields: { viewer: { type: new GraphQLNonNull(viewer), resolve: () => ({}) } },
  }),
});
