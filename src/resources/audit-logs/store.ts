import { sql, type SqlBool } from "kysely";

import { countRows } from "../../storage/page.ts";
import type { Db } from "../../storage/tables.ts";
import type { AuditLogRow } from "../../storage/schema/audit-logs.ts";
import type { AuditLogRange, FilteredColumns } from "./filter.ts";

/** The account or user that entries belong to. */
export type AuditLogOwner = { readonly accountId: string } | { readonly userId: string };

type Direction = "asc" | "desc";

/** The entries with these ids, by their time. */
export async function selectAuditLogs(
  db: Db,
  ids: readonly string[],
  direction: Direction,
): Promise<AuditLogRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom("audit_logs")
    .selectAll()
    .where("id", "in", [...ids])
    .orderBy("occurred_on", direction)
    .orderBy("id", direction)
    .execute();
}

/** The ids of one page of a range, read from an index alone. */
export async function selectAuditLogIds(
  db: Db,
  owner: AuditLogOwner,
  range: AuditLogRange,
  {
    direction,
    limit,
    offset,
  }: { readonly direction: Direction; readonly limit: number; readonly offset: number },
): Promise<string[]> {
  const rows = await inOrder(db, owner, range, direction).select("id").limit(limit).offset(offset).execute();
  return rows.map(({ id }) => id);
}

export async function countAuditLogs(db: Db, owner: AuditLogOwner, range: AuditLogRange): Promise<number> {
  return countRows(within(db, owner, range));
}

type FilteredRow = FilteredColumns & Pick<AuditLogRow, "id">;

const walkedAtOnce = 1_000;

/** The filtered columns of all entries of a range, in portions. */
export async function* walkAuditLogs(
  db: Db,
  owner: AuditLogOwner,
  range: AuditLogRange,
  direction: Direction,
): AsyncGenerator<FilteredRow[], void, undefined> {
  const comparison = sql.raw(direction === "asc" ? ">" : "<");
  let query = inOrder(db, owner, range, direction).limit(walkedAtOnce);
  for (;;) {
    const rows = await query
      .select(["id", "occurred_on", "action_type", "actor_email", "actor_ip", "zone_name"])
      .execute();
    yield rows;
    const end = rows.at(-1);
    if (end === undefined || rows.length < walkedAtOnce) return;
    query = inOrder(db, owner, range, direction)
      .where(sql<SqlBool>`(occurred_on, id) ${comparison} (${end.occurred_on}, ${end.id})`)
      .limit(walkedAtOnce);
  }
}

/**
 * The ids of the entries before `time` among the `limit` oldest. Ids begin with their time: the primary key
 * finds them.
 */
export async function selectOldAuditLogs(db: Db, time: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom((from) =>
      from.selectFrom("audit_logs").select(["id", "occurred_on"]).orderBy("id").limit(limit).as("oldest"),
    )
    .select("id")
    .where("occurred_on", "<", time as AuditLogRow["occurred_on"])
    .execute();
  return rows.map(({ id }) => id);
}

export async function deleteAuditLogs(db: Db, ids: readonly string[]): Promise<void> {
  await db
    .deleteFrom("audit_logs")
    .where("id", "in", [...ids])
    .execute();
}

function inOrder(db: Db, owner: AuditLogOwner, range: AuditLogRange, direction: Direction) {
  return within(db, owner, range).orderBy("occurred_on", direction).orderBy("id", direction);
}

function within(db: Db, owner: AuditLogOwner, { id, since, before }: AuditLogRange) {
  let query = db.selectFrom("audit_logs");
  query =
    "accountId" in owner
      ? query.where("account_id", "=", owner.accountId)
      : query.where("user_id", "=", owner.userId);
  if (id !== undefined) query = query.where("id", "=", id);
  if (since !== undefined) query = query.where("occurred_on", ">=", since);
  if (before !== undefined) query = query.where("occurred_on", "<", before);
  return query;
}
