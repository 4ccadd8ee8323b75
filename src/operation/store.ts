import { insertion, statement } from "../storage/statement.ts";
import type { Db } from "../storage/tables.ts";
import type { AuditLogRow } from "../storage/schema/audit-logs.ts";
import type { ZoneRow } from "../storage/schema/zones.ts";

const zoneById = statement<{ id: string }, ZoneRow>("select * from zones where id = :id");

export async function selectZone(db: Db, id: string): Promise<ZoneRow | undefined> {
  const [row] = await zoneById(db, { id });
  return row;
}

const accountOfZoneById = statement<{ id: string }, Pick<ZoneRow, "account_id">>(
  "select account_id from zones where id = :id",
);

export async function selectAccountOfZone(
  db: Db,
  id: string,
): Promise<Pick<ZoneRow, "account_id"> | undefined> {
  const [row] = await accountOfZoneById(db, { id });
  return row;
}

const lockedZoneById = statement<{ id: string }, ZoneRow>("select * from zones where id = :id for update");

/** Locks the zone and what is in it until the transaction ends. */
export async function selectZoneForChange(db: Db, id: string): Promise<ZoneRow | undefined> {
  const [row] = await lockedZoneById(db, { id });
  return row;
}

/** Locks the account and its memberships until the transaction ends. */
export async function selectAccountForChange(tx: Db, id: string): Promise<{ id: string } | undefined> {
  return tx.selectFrom("accounts").select("id").where("id", "=", id).forUpdate().executeTakeFirst();
}

/** Locks the user and what belongs to it until the transaction ends. */
export async function selectUserForChange(tx: Db, id: string): Promise<{ id: string } | undefined> {
  return tx.selectFrom("users").select("id").where("id", "=", id).forUpdate().executeTakeFirst();
}

/** The accounts of which the user is a member. */
export async function selectAccountsOfUser(tx: Db, userId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom("memberships")
    .select("account_id")
    .where("user_id", "=", userId)
    .execute();
  return rows.map(({ account_id }) => account_id);
}

const insertAuditLog = insertion("audit_logs");

/** Both engines limit the parameters of a statement. */
const rowsAtOnce = 500;

export async function insertAuditLogs(db: Db, rows: readonly AuditLogRow[]): Promise<void> {
  const [only] = rows;
  if (rows.length === 1 && only !== undefined) {
    // The common case, without a copy.
    await insertAuditLog(db, only);
    return;
  }
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    await db
      .insertInto("audit_logs")
      .values(rows.slice(from, from + rowsAtOnce))
      .execute();
  }
}
