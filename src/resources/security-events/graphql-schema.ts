import {
  getDirectiveValues,
  GraphQLEnumType,
  GraphQLError,
  GraphQLIncludeDirective,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSkipDirective,
  Kind,
  type FieldNode,
  type GraphQLFieldConfig,
  type GraphQLResolveInfo,
  GraphQLInputObjectType,
  GraphQLSchema,
} from "graphql";

import type { EventGroup, EventGroupOrder } from "./count-events.ts";
import { eventDimensions, type EventDimension, eventFields } from "./event-fields.ts";
import {
  type QueryContext,
  type ZoneNode,
  count,
  decimal,
  filter,
  graphqlTypes,
  listOf,
  number,
  budgetError,
  text,
} from "./graphql-types.ts";
import { fromJson } from "../../storage/columns.ts";
import type { SecurityEventRow } from "../../storage/schema/edges.ts";
import { emptyDatasetFields } from "./graphql-empty-datasets.ts";

const dimensions = new GraphQLObjectType<EventGroup>({
  name: "FirewallEventsAdaptiveGroupsDimensions",
  description: "What the events of a group have in common.",
  fields: Object.fromEntries(
    Object.entries(eventDimensions).map(([name, { type }]) => [
      name,
      {
        type: new GraphQLNonNull(graphqlTypes[type]),
        resolve: ({ dimensions: values }: EventGroup) => values[name as EventDimension],
      },
    ]),
  ),
});

const averages = new GraphQLObjectType<EventGroup>({
  name: "FirewallEventsAdaptiveGroupsAvg",
  fields: {
    sampleInterval: {
      type: new GraphQLNonNull(decimal),
      description: "How many events each one that is stored stands for.",
      resolve: ({ count: events, rows }) => events / rows,
    },
  },
});

const group = new GraphQLObjectType<EventGroup>({
  name: "FirewallEventsAdaptiveGroups",
  description: "How many events have the same values of the requested dimensions.",
  fields: {
    avg: { type: averages, resolve: (source) => source },
    count: { type: new GraphQLNonNull(count) },
    dimensions: { type: dimensions, resolve: (source) => source },
  },
});

const orderBy = new GraphQLEnumType({
  name: "FirewallEventsAdaptiveGroupsOrderBy",
  values: Object.fromEntries(
    (["count", ...Object.keys(eventDimensions)] as readonly EventGroupOrder["by"][]).flatMap((by) =>
      (["asc", "desc"] as const).map((direction) => [
        `${by}_${direction.toUpperCase()}`,
        { value: { by, direction } satisfies EventGroupOrder },
      ]),
    ),
  ),
});

const groupsDefault = 100;

interface GroupsArguments {
  readonly filter?: Readonly<Record<string, unknown>> | null;
  readonly orderBy?: readonly EventGroupOrder[] | null;
  readonly limit?: number | null;
}

/** Security events of a zone, counted by dimensions. */
const eventGroupsField: GraphQLFieldConfig<ZoneNode, QueryContext, GroupsArguments> = {
  description: `Security events counted by their dimensions. Default: the ${groupsDefault} largest groups.`,
  type: new GraphQLNonNull(listOf(group)),
  args: { filter: { type: filter }, orderBy: { type: listOf(orderBy) }, limit: { type: number } },
  resolve: async ({ zoneTag }, given, { reader, budget }, info) => {
    const limit = given.limit ?? groupsDefault;
    if (limit === 0) throw new GraphQLError("limit: must be at least 1");
    budget.spendDataset(zoneTag);
    const asked = dimensionsOf(info);
    const orders = withoutRepeats(given.orderBy ?? []);
    for (const { by } of orders) {
      if (by !== "count" && !asked.includes(by)) {
        throw new GraphQLError(`orderBy: ${by} is not among the dimensions that are asked for`);
      }
    }
    const groups = await reader.countEvents(zoneTag, {
      filter: given.filter ?? {},
      dimensions: asked,
      orders,
      limit,
    });
    budget.spendRows(groups.length);
    return groups;
  },
};

/** Drops later orders by the same dimension, as databases limit their number. */
export function withoutRepeats(orders: readonly EventGroupOrder[]): readonly EventGroupOrder[] {
  const seen = new Set<string>();
  return orders.filter(({ by }) => seen.size < seen.add(by).size);
}

/** The dimensions in the selection of a query. */
function dimensionsOf(info: GraphQLResolveInfo): readonly EventDimension[] {
  const parts = fieldsBelow(info.fieldNodes, info).filter(({ name }) => name.value === "dimensions");
  const asked = fieldsBelow(parts, info)
    .map(({ name }) => name.value)
    .filter((name): name is EventDimension => Object.hasOwn(eventDimensions, name));
  return [...new Set(asked)];
}

/** The fields directly below nodes, including those of fragments, each of which counts once. */
function fieldsBelow(nodes: readonly FieldNode[], info: GraphQLResolveInfo): FieldNode[] {
  const spread = new Set<string>();
  const fieldsIn = ({ selectionSet }: Pick<FieldNode, "selectionSet">): FieldNode[] =>
    (selectionSet?.selections ?? []).flatMap((selection) => {
      const { variableValues } = info;
      if (getDirectiveValues(GraphQLSkipDirective, selection, variableValues)?.["if"] === true) return [];
      if (getDirectiveValues(GraphQLIncludeDirective, selection, variableValues)?.["if"] === false) return [];
      if (selection.kind === Kind.FIELD) return [selection];
      if (selection.kind === Kind.INLINE_FRAGMENT) return fieldsIn(selection);
      const name = selection.name.value;
      const fragment = info.fragments[name];
      if (fragment === undefined || spread.has(name)) return [];
      spread.add(name);
      return fieldsIn(fragment);
    });
  return nodes.flatMap(fieldsIn);
}

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
        ([name, { column, type }]): [string, GraphQLFieldConfig<SecurityEventRow, unknown>] => [
          name,
          { type: new GraphQLNonNull(graphqlTypes[type]), resolve: (source) => source[column] },
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
