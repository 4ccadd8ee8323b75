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
} from "graphql";

import type { EventGroup, EventGroupOrder } from "./count-events.ts";
import { eventDimensions, type EventDimension } from "./event-dimensions.ts";
import type { QueryContext, ZoneNode } from "./graphql-query.ts";
import { count, decimal, filter, forms, listOf, number } from "./graphql-types.ts";

const dimensions = new GraphQLObjectType<EventGroup>({
  name: "FirewallEventsAdaptiveGroupsDimensions",
  description: "What the events of a group have in common.",
  fields: Object.fromEntries(
    Object.entries(eventDimensions).map(([name, { form }]) => [
      name,
      {
        type: new GraphQLNonNull(forms[form]),
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
export const eventGroupsField: GraphQLFieldConfig<ZoneNode, QueryContext, GroupsArguments> = {
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
