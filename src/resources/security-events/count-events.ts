import { createPause } from "../../operation/pause.ts";
import type { Db } from "../../storage/tables.ts";
import type { EventDimension } from "./event-fields.ts";
import { conditionOf, FilterTooLargeError, timesOf } from "./filter.ts";
import type { EventQuery } from "./security-events.ts";
import { selectEventGroups, sliceSecurityEvents } from "./store.ts";

export interface EventGroupOrder {
  readonly by: "count" | EventDimension;
  readonly direction: "asc" | "desc";
}

export interface EventGroupQuery extends Pick<EventQuery, "filter" | "limit"> {
  /** None groups all events together. */
  readonly dimensions: readonly EventDimension[];
  /** The largest groups come first by default. */
  readonly orders: readonly EventGroupOrder[];
}

export interface EventGroup extends Counted {
  readonly dimensions: Readonly<Partial<Record<EventDimension, string | number>>>;
}

interface Counted {
  /** Events that are stored. */
  readonly rows: number;
  /** Events for which they stand. */
  readonly count: number;
}

/** Groups that one turn of the event loop puts in order. */
const orderedAtOnce = 2_500;

const bounds = {
  events: 100_000,
  /** Characters of the values of all groups, which stay in memory until every event is counted. */
  characters: 64_000_000,
};

/**
 * Counts matching events by dimensions, slice by slice. Throws FilterTooLargeError, also for too many
 * matching events, and for groups whose values are too long together.
 */
export async function countSecurityEvents(
  db: Db,
  zoneId: string,
  { filter, dimensions, ...query }: EventGroupQuery,
  max: Readonly<typeof bounds> = bounds,
): Promise<EventGroup[]> {
  const condition = conditionOf(filter);
  const pause = createPause();
  const counts = new Map<string, Counted>();
  let events = 0;
  let characters = 0;
  for await (const slice of sliceSecurityEvents(db, zoneId, { ...timesOf(condition), direction: "asc" })) {
    for (const { rows, count, values } of await selectEventGroups(db, zoneId, {
      condition,
      dimensions,
      slice,
    })) {
      const key = JSON.stringify(values);
      const counted = counts.get(key);
      if (counted === undefined) characters += key.length;
      counts.set(key, { rows: (counted?.rows ?? 0) + rows, count: (counted?.count ?? 0) + count });
      events += rows;
    }
    if (events > max.events) {
      throw new FilterTooLargeError(`more than ${max.events} events meet the filter: narrow its time`);
    }
    if (characters > max.characters) {
      throw new FilterTooLargeError(
        "the groups are too large together: narrow the time, or ask for fewer dimensions",
      );
    }
    await pause();
  }
  return firstGroups(counts, dimensions, query);
}

/** The first groups in an order, of which a few thousand are put in order at once. */
async function firstGroups(
  counts: ReadonlyMap<string, Counted>,
  dimensions: readonly EventDimension[],
  { orders, limit }: Pick<EventGroupQuery, "orders" | "limit">,
): Promise<EventGroup[]> {
  const pause = createPause();
  const compare = orderOf(dimensions, orders);
  let first: EventGroup[] = [];
  let rest: EventGroup[] = [];
  const takeRest = (): void => {
    first = [...first, ...rest].toSorted(compare).slice(0, limit);
    rest = [];
  };
  for (const [key, counted] of counts) {
    const values = JSON.parse(key) as readonly (string | number)[];
    rest.push({
      ...counted,
      dimensions: Object.fromEntries(dimensions.map((name, index) => [name, values[index]])),
    });
    if (rest.length < orderedAtOnce) continue;
    takeRest();
    await pause();
  }
  takeRest();
  return first;
}

/** After `orders` the largest groups come first, and then those with the smallest values. */
function orderOf(
  dimensions: readonly EventDimension[],
  orders: readonly EventGroupOrder[],
): (one: EventGroup, other: EventGroup) => number {
  const rules = [
    ...orders,
    { by: "count", direction: "desc" } as const,
    ...dimensions.map((by) => ({ by, direction: "asc" }) as const),
  ];
  const valueOf = ({ count, dimensions: values }: EventGroup, by: EventGroupOrder["by"]) =>
    by === "count" ? count : values[by];
  return (one, other) => {
    for (const { by, direction } of rules) {
      const order = compareValues(valueOf(one, by) ?? "", valueOf(other, by) ?? "");
      if (order !== 0) return direction === "asc" ? order : -order;
    }
    return 0;
  };
}

/** Texts by their code points, as databases compare them in UTF-8. */
function compareValues(one: string | number, other: string | number): number {
  if (one === other) return 0;
  if (typeof one === "number" || typeof other === "number" || !isHigh.test(one) || !isHigh.test(other))
    return one < other ? -1 : 1;
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** Only where both texts have one of these is their order in UTF-16 another one. */
const isHigh = /[\ud800-\uffff]/;
