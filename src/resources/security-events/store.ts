import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from "kysely";

import type { Timestamp } from "../../storage/columns.ts";
import type { Db, SecurityEventRow, Tables } from "../../storage/tables.ts";
import type { EventCondition } from "./filter.ts";

/** Few enough that one statement stays within the parameters that both engines take. */
const rowsAtOnce = 500;

export async function insertSecurityEvents(db: Db, rows: readonly SecurityEventRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    await db
      .insertInto("security_events")
      .values(rows.slice(from, from + rowsAtOnce))
      .execute();
  }
}

export interface EventSelection {
  readonly condition: EventCondition;
  readonly direction: "asc" | "desc";
  readonly limit: number;
}

/** Events of a zone in the order in which they came. */
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

/** Ids of the oldest events, `limit` at most, that are older than `time` or not among the `newest` ones. */
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

function toSql(
  expression: Builder,
  condition: EventCondition,
): ExpressionWrapper<Tables, "security_events", SqlBool> {
  if ("all" in condition) return expression.and(condition.all.map((part) => toSql(expression, part)));
  if ("any" in condition) return expression.or(condition.any.map((part) => toSql(expression, part)));
  const { column, comparison, value } = condition;
  return expression(column, comparison, value as never);
}
