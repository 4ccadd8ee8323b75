import type { Timestamp } from "../../storage/columns.ts";
import { countRows } from "../../storage/page.ts";
import type { Db, Tables } from "../../storage/tables.ts";
import type { OutgoingPeerRow, OutgoingTransferRow } from "../../storage/schema/zone-transfers.ts";

type AccountTable = "transfer_acls" | "transfer_keys" | "transfer_peers";

/** The rows of the table that belong to an account, the oldest first. */
export async function selectOfAccount<Table extends AccountTable>(
  db: Db,
  table: Table,
  accountId: string,
): Promise<Tables[Table][]> {
  const rows = await db
    .selectFrom<AccountTable>(table)
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("created_on")
    .orderBy("id")
    .execute();
  return rows;
}

export async function countOfAccount(db: Db, table: AccountTable, accountId: string): Promise<number> {
  return countRows(db.selectFrom(table).where("account_id", "=", accountId));
}

/** Which of the ids are those of peers of the account. */
export async function selectKnownPeerIds(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom("transfer_peers")
    .select("id")
    .where("account_id", "=", accountId)
    .where("id", "in", ids)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The peers of a zone in their order. */
export async function selectPeers(db: Db, zoneId: string): Promise<OutgoingPeerRow[]> {
  return db
    .selectFrom("outgoing_peers")
    .selectAll()
    .where("zone_id", "=", zoneId)
    .orderBy("position")
    .execute();
}

/** Replaces the peers of a zone; those that stay keep what they were notified of. */
export async function replacePeers(tx: Db, zoneId: string, peerIds: readonly string[]): Promise<void> {
  const known = await tx.selectFrom("outgoing_peers").selectAll().where("zone_id", "=", zoneId).execute();
  const staying = new Map(known.map((row) => [row.peer_id, row]));
  await tx.deleteFrom("outgoing_peers").where("zone_id", "=", zoneId).execute();
  const rows: OutgoingPeerRow[] = peerIds.map((peer_id, position) => ({
    ...(staying.get(peer_id) ?? { notified_serial: null, transferred_serial: null, reminders_left: 0 }),
    zone_id: zoneId,
    peer_id,
    position,
  }));
  if (rows.length > 0) await tx.insertInto("outgoing_peers").values(rows).execute();
}

export async function updateOutgoing(
  tx: Db,
  zoneId: string,
  change: Partial<OutgoingTransferRow>,
): Promise<void> {
  await tx.updateTable("outgoing_transfers").set(change).where("zone_id", "=", zoneId).execute();
}

export async function deleteOutgoing(tx: Db, zoneId: string): Promise<void> {
  await tx.deleteFrom("outgoing_transfers").where("zone_id", "=", zoneId).execute();
}

/** Lets every peer of a zone be notified again. */
export async function forgetNotified(tx: Db, zoneId: string): Promise<void> {
  await tx
    .updateTable("outgoing_peers")
    .set({ notified_serial: null })
    .where("zone_id", "=", zoneId)
    .execute();
}

/** When a peer of a zone last answered. */
export async function noteChecked(tx: Db, zoneId: string, checked_on: Timestamp): Promise<void> {
  await updateOutgoing(tx, zoneId, { checked_on });
}
