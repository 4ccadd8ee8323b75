import { sql, type ExpressionBuilder, type ExpressionWrapper, type SqlBool } from "kysely";

import type { Timestamp } from "../../storage/columns.ts";
import type { Db, Tables } from "../../storage/tables.ts";
import type { SecurityEventRow } from "../../storage/tables/edges.ts";
import { eventDimensions, type EventDimension } from "./event-dimensions.ts";
import type { EventCondition } from "./filter.ts";

/** Keeps a statement within the parameters that both engines accept. */
const rowsAtOnce = 500;

/** An event that is there already stays as it is. */
export async function insertSecurityEvents(db: Db, rows: readonly SecurityEventRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    await db
      .insertInto("security_events")
      .values(rows.slice(from, from + rowsAtOnce))
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
  }
}

export interface EventSelection {
  readonly condition: EventCondition;
  readonly direction: "asc" | "desc";
  readonly limit: number;
}

export async function selectSecurityEvents(
  db: Db,
  zoneId: string,
  { condition, direction, limit }: EventSelection,
): Promise<SecurityEventRow[]> {
  return db
    .selectFrom("security_events")
    .selectAll()
    .where("zone_id", "=", zoneId)
    .where((expression) => toSql(expression, condition))
    .orderBy("datetime", direction)
    .orderBy("id", direction)
    .limit(limit)
    .execute();
}

interface NewestSelection {
  readonly since: Timestamp;
  /** The last event of the page before. */
  readonly before: Pick<SecurityEventRow, "datetime" | "id"> | undefined;
  readonly limit: number;
}

export async function selectNewestSecurityEvents(
  db: Db,
  zoneId: string,
  { since, before, limit }: NewestSelection,
): Promise<SecurityEventRow[]> {
  let query = db
    .selectFrom("security_events")
    .selectAll()
    .where("zone_id", "=", zoneId)
    .where("datetime", ">=", since);
  if (before !== undefined) {
    const { datetime, id } = before;
    query = query.where(({ and, eb, or }) =>
      or([eb("datetime", "<", datetime), and([eb("datetime", "=", datetime), eb("id", "<", id)])]),
    );
  }
  return query.orderBy("datetime", "desc").orderBy("id", "desc").limit(limit).execute();
}

/** Where an event stands in the order by time. */
type EventPlace = Pick<SecurityEventRow, "datetime" | "id">;

/** Events of a zone that follow each other: those behind `after`, up to `last`, or all where it is undefined. */
interface EventSlice {
  readonly after: EventPlace;
  readonly last: EventPlace | undefined;
}

/** Divides the events of a zone between two times into slices of `size`. */
export async function* sliceSecurityEvents(
  db: Db,
  zoneId: string,
  { from, until, size }: SlicedEvents,
): AsyncGenerator<EventSlice, void, undefined> {
  let after: EventPlace | undefined = { datetime: from ?? ("" as Timestamp), id: "" };
  while (after !== undefined) {
    const last = await selectLastOfSlice(db, zoneId, { after, until, size });
    yield { after, last };
    after = last;
  }
}

interface SlicedEvents {
  readonly from: Timestamp | undefined;
  readonly until: Timestamp | undefined;
  readonly size: number;
}

/** Undefined where fewer than `size` events are left. */
async function selectLastOfSlice(
  db: Db,
  zoneId: string,
  { after, until, size }: Omit<SlicedEvents, "from"> & Pick<EventSlice, "after">,
): Promise<EventPlace | undefined> {
  let query = db
    .selectFrom("security_events")
    .select(["datetime", "id"])
    .where("zone_id", "=", zoneId)
    .where(({ eb, refTuple, tuple }) => eb(refTuple("datetime", "id"), ">", tuple(after.datetime, after.id)));
  if (until !== undefined) query = query.where("datetime", "<=", until);
  return query
    .orderBy("datetime")
    .orderBy("id")
    .offset(size - 1)
    .limit(1)
    .executeTakeFirst();
}

interface GroupSelection {
  readonly condition: EventCondition;
  readonly dimensions: readonly EventDimension[];
  readonly slice: EventSlice;
}

/** Counts the events of a slice that meet a condition, by the values of dimensions in their order. */
export async function selectEventGroups(
  db: Db,
  zoneId: string,
  { condition, dimensions, slice: { after, last } }: GroupSelection,
) {
  const count = sql<number | string>`count(*)`;
  let query = db
    .selectFrom("security_events")
    .select([count.as("count"), ...dimensions.map((name) => dimensionOf(name).as(name))])
    .where("zone_id", "=", zoneId)
    .where((expression) => isPlaced(expression, ">", after))
    .where((expression) => toSql(expression, condition))
    .having(count, ">", 0);
  if (last !== undefined) query = query.where((expression) => isPlaced(expression, "<=", last));
  if (dimensions.length > 0) query = query.groupBy(dimensions.map(dimensionOf));
  const rows = await query.execute();
  return rows.map(({ count: events, ...values }) => ({
    count: Number(events),
    values: dimensions.map((name) => values[name]),
  }));
}

/** Without parameters: PostgreSQL would not recognize the expression again in `group by`. */
function dimensionOf(name: EventDimension) {
  const dimension = eventDimensions[name];
  if ("column" in dimension) return sql<string | number>`${sql.ref(dimension.column)}`;
  const { characters, rest } = dimension;
  return sql<string>`substr(datetime, 1, ${sql.lit(characters)}) || ${sql.lit(rest)}`;
}

/** The ids of the `limit` oldest events that are older than `time` or not among the `newest`. */
export async function selectExcessSecurityEvents(
  db: Db,
  { time, newest, limit }: { readonly time: Timestamp; readonly newest: number; readonly limit: number },
): Promise<string[]> {
  const lastExcess = await db
    .selectFrom("security_events")
    .select("id")
    .orderBy("id", "desc")
    .limit(1)
    .offset(newest)
    .executeTakeFirst();
  const oldest = await db
    .selectFrom("security_events")
    .select(["id", "datetime"])
    .orderBy("id")
    .limit(limit)
    .execute();
  const excessId = lastExcess?.id ?? "";
  return oldest.filter(({ id, datetime }) => datetime < time || id <= excessId).map(({ id }) => id);
}

export async function deleteSecurityEvents(db: Db, ids: readonly string[]): Promise<void> {
  await db
    .deleteFrom("security_events")
    .where("id", "in", [...ids])
    .execute();
}

type Builder = ExpressionBuilder<Tables, "security_events">;

function isPlaced({ eb, refTuple, tuple }: Builder, comparison: ">" | "<=", { datetime, id }: EventPlace) {
  return eb(refTuple("datetime", "id"), comparison, tuple(datetime, id));
}

function toSql(
  expression: Builder,
  condition: EventCondition,
): ExpressionWrapper<Tables, "security_events", SqlBool> {
  if ("all" in condition) return expression.and(condition.all.map((part) => toSql(expression, part)));
  if ("any" in condition) return expression.or(condition.any.map((part) => toSql(expression, part)));
  const { column, comparison, value } = condition;
  return expression(column, comparison, value as never);
}
