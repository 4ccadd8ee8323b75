import { prepare } from "../../storage/prepared.ts";
import type { AuditLogRow, Db } from "../../storage/tables.ts";

const columns = [
  "id",
  "occurred_on",
  "account_id",
  "user_id",
  "action_type",
  "actor_type",
  "actor_id",
  "actor_email",
  "actor_ip",
  "interface",
  "resource_type",
  "resource_id",
  "zone_id",
  "zone_name",
  "old_value",
  "new_value",
  "metadata",
] as const satisfies readonly (keyof AuditLogRow)[];

/** Few enough that one statement stays within the parameters that both engines take. */
const rowsAtOnce = 500;

const oneAuditLog = prepare<Record<(typeof columns)[number], string | null>, never>((db, argument) =>
  db
    .insertInto("audit_logs")
    .values(Object.fromEntries(columns.map((column) => [column, argument(column)])) as never),
);

export async function insertAuditLogs(db: Db, rows: readonly AuditLogRow[]): Promise<void> {
  const [only] = rows;
  if (rows.length === 1 && only !== undefined) {
    await oneAuditLog(db, { ...only });
    return;
  }
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    await db
      .insertInto("audit_logs")
      .values(rows.slice(from, from + rowsAtOnce))
      .execute();
  }
}
