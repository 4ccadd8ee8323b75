import { sql, type ExpressionBuilder, type ExpressionWrapper, type SqlBool } from "kysely";

import type { Timestamp } from "../../storage/schema/table.ts";
import type { Db, Tables } from "../../storage/tables.ts";
import type { SecurityEventRow } from "../../storage/schema/edges.ts";
import { eventDimensions, type EventDimension } from "./event-fields.ts";
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

type Direction = "asc" | "desc";

/** The place of an event in the order by time. */
type EventPlace = Pick<SecurityEventRow, "datetime" | "id">;

/**
 * Events of a zone that follow each other by time: those behind `after`, up to `last`, or all where these are
 * undefined.
 */
interface EventSlice {
  readonly direction: Direction;
  readonly after: EventPlace | undefined;
  readonly last: EventPlace | undefined;
}

interface EventSelection {
  readonly condition: EventCondition;
  readonly slice: EventSlice;
  readonly limit: number;
}

/** The first events of a slice that meet a condition, in the direction of the slice. */
export async function selectSecurityEvents(
  db: Db,
  zoneId: string,
  { condition, slice, limit }: EventSelection,
): Promise<SecurityEventRow[]> {
  return db
    .selectFrom("security_events")
    .selectAll()
    .where("zone_id", "=", zoneId)
    .where((expression) => isIn(expression, slice))
    .where((expression) => toSql(expression, condition))
    .orderBy("datetime", slice.direction)
    .orderBy("id", slice.direction)
    .limit(limit)
    .execute();
}

/** Rows that a statement reads in a few milliseconds. */
const sliceSize = 2_500;

/** Divides the events of a zone between two times into slices of `size`. */
export async function* sliceSecurityEvents(
  db: Db,
  zoneId: string,
  { direction, from, until, size = sliceSize }: SlicedEvents,
): AsyncGenerator<EventSlice, void, undefined> {
  let after: EventPlace | undefined;
  do {
    const last = await selectLastOfSlice(db, zoneId, { direction, after, from, until, size });
    yield { direction, after, last };
    after = last;
  } while (after !== undefined);
}

interface SlicedEvents {
  readonly direction: Direction;
  readonly from: Timestamp | undefined;
  readonly until: Timestamp | undefined;
  readonly size?: number;
}

/** Undefined where fewer than `size` events are left. */
async function selectLastOfSlice(
  db: Db,
  zoneId: string,
  { direction, after, from, until, size }: Required<SlicedEvents> & Pick<EventSlice, "after">,
): Promise<EventPlace | undefined> {
  let query = db
    .selectFrom("security_events")
    .select(["datetime", "id"])
    .where("zone_id", "=", zoneId)
    .where((expression) => isIn(expression, { direction, after, last: undefined }));
  if (from !== undefined) query = query.where("datetime", ">=", from);
  if (until !== undefined) query = query.where("datetime", "<=", until);
  return query
    .orderBy("datetime", direction)
    .orderBy("id", direction)
    .offset(size - 1)
    .limit(1)
    .executeTakeFirst();
}

interface GroupSelection {
  readonly condition: EventCondition;
  readonly dimensions: readonly EventDimension[];
  readonly slice: EventSlice;
}

/**
 * Counts the events of a slice that meet a condition, by the values of dimensions in their order: those that
 * are stored (`rows`), and those for which they stand (`count`).
 */
export async function selectEventGroups(
  db: Db,
  zoneId: string,
  { condition, dimensions, slice }: GroupSelection,
) {
  const rows = sql<number | string>`count(*)`;
  const count = sql<number | string>`sum(sample_interval)`;
  let query = db
    .selectFrom("security_events")
    .select([rows.as("rows"), count.as("count"), ...dimensions.map((name) => dimensionOf(name).as(name))])
    .where("zone_id", "=", zoneId)
    .where((expression) => isIn(expression, slice))
    .where((expression) => toSql(expression, condition))
    .having(rows, ">", 0);
  if (dimensions.length > 0) query = query.groupBy(dimensions.map(dimensionOf));
  const groups = await query.execute();
  return groups.map(({ rows: stored, count: events, ...values }) => ({
    rows: Number(stored),
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

/** The ids of events before a time: those among the `limit` oldest. */
export async function selectOldEvents(db: Db, time: Timestamp, limit: number): Promise<string[]> {
  const oldest = await db
    .selectFrom("security_events")
    .select(["id", "datetime"])
    .orderBy("id")
    .limit(limit)
    .execute();
  return oldest.filter(({ datetime }) => datetime < time).map(({ id }) => id);
}

/** The first account that has events, of those behind one where it is given. Undefined without any. */
export async function selectAccountWithEvents(
  db: Db,
  behind: string | undefined,
): Promise<string | undefined> {
  let query = db.selectFrom("security_events").select("account_id").orderBy("account_id").limit(1);
  if (behind !== undefined) query = query.where("account_id", ">", behind);
  return (await query.executeTakeFirst())?.account_id;
}

/** Counts the events of an account behind an id, `limit` of them at most, and tells the last of these. */
export async function countEventsOfAccount(
  db: Db,
  accountId: string,
  after: string | undefined,
  limit: number,
): Promise<{ readonly counted: number; readonly last: string | undefined }> {
  const { count, max } = db.fn;
  const portion = db
    .selectFrom("security_events")
    .select("id")
    .where("account_id", "=", accountId)
    .where("id", ">", after ?? "")
    .orderBy("id")
    .limit(limit);
  const { counted, last } = await db
    .selectFrom(portion.as("portion"))
    .select([count<number | string>("id").as("counted"), max("id").as("last")])
    .executeTakeFirstOrThrow();
  return { counted: Number(counted), last };
}

/** The ids of the `limit` oldest events of an account. */
export async function selectOldestEventsOfAccount(
  db: Db,
  accountId: string,
  limit: number,
): Promise<string[]> {
  const oldest = await db
    .selectFrom("security_events")
    .select("id")
    .where("account_id", "=", accountId)
    .orderBy("id")
    .limit(limit)
    .execute();
  return oldest.map(({ id }) => id);
}

export async function deleteSecurityEvents(db: Db, ids: readonly string[]): Promise<void> {
  await db
    .deleteFrom("security_events")
    .where("id", "in", [...ids])
    .execute();
}

type Builder = ExpressionBuilder<Tables, "security_events">;

/** To be asked before conditions on the time: SQLite seeks by the first that it can. */
function isIn({ and, eb, refTuple, tuple }: Builder, { direction, after, last }: EventSlice) {
  const [behind, upTo] = direction === "asc" ? ([">", "<="] as const) : (["<", ">="] as const);
  const isPlaced = (comparison: typeof behind | typeof upTo, { datetime, id }: EventPlace) =>
    eb(refTuple("datetime", "id"), comparison, tuple(datetime, id));
  return and([
    ...(after === undefined ? [] : [isPlaced(behind, after)]),
    ...(last === undefined ? [] : [isPlaced(upTo, last)]),
  ]);
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
