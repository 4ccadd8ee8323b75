import { prepare } from "../storage/prepared.ts";
import type { AuditLogRow, Db, ZoneRow } from "../storage/tables.ts";

const zonesById = prepare<{ id: string }, ZoneRow>((db, argument) =>
  db.selectFrom("zones").selectAll().where("id", "=", argument("id")),
);

export async function selectZone(db: Db, id: string): Promise<ZoneRow | undefined> {
  const [row] = await zonesById(db, { id });
  return row;
}

const lockedZonesById = prepare<{ id: string }, ZoneRow>((db, argument) =>
  db.selectFrom("zones").selectAll().where("id", "=", argument("id")).forUpdate(),
);

/** The zone, held against every other change of it or of what is in it until the transaction ends. */
export async function selectZoneForChange(db: Db, id: string): Promise<ZoneRow | undefined> {
  const [row] = await lockedZonesById(db, { id });
  return row;
}

/** Nobody else changes the account or who belongs to it until the transaction ends. */
export async function selectAccountForChange(tx: Db, id: string): Promise<{ id: string } | undefined> {
  return tx.selectFrom("accounts").select("id").where("id", "=", id).forUpdate().executeTakeFirst();
}

/** Nobody else changes the user or what belongs to it until the transaction ends. */
export async function selectUserForChange(tx: Db, id: string): Promise<{ id: string } | undefined> {
  return tx.selectFrom("users").select("id").where("id", "=", id).forUpdate().executeTakeFirst();
}

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
  "token_id",
  "interface",
  "resource_type",
  "resource_id",
  "zone_id",
  "zone_name",
  "old_value",
  "new_value",
  "metadata",
] as const satisfies readonly (keyof AuditLogRow)[];

type AuditLogValues = Record<(typeof columns)[number], string | null>;

/** Few enough that one statement stays within the parameters that both engines take. */
const rowsAtOnce = 500;

const oneAuditLog = prepare<AuditLogValues, never>((db, argument) =>
  db
    .insertInto("audit_logs")
    .values(Object.fromEntries(columns.map((column) => [column, argument(column)])) as never),
);

export async function insertAuditLogs(db: Db, rows: readonly AuditLogRow[]): Promise<void> {
  const [only] = rows;
  if (rows.length === 1 && only !== undefined) {
    // Nearly every change is one: no copy is made of it.
    await oneAuditLog(db, only);
    return;
  }
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    await db
      .insertInto("audit_logs")
      .values(rows.slice(from, from + rowsAtOnce))
      .execute();
  }
}
