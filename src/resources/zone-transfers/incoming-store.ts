import { sql } from "kysely";

import type { Timestamp } from "../../storage/columns.ts";
import { statement } from "../../storage/statement.ts";
import type { Db } from "../../storage/tables.ts";
import type { IncomingTransferRow, TransferPeerRow } from "../../storage/schema/zone-transfers.ts";

/** Ids of the peers from which a zone is transferred, in their order. */
export async function selectIncomingPeerIds(db: Db, zoneId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("incoming_peers")
    .select("peer_id")
    .where("zone_id", "=", zoneId)
    .orderBy("position")
    .execute();
  return rows.map(({ peer_id }) => peer_id);
}

export async function replaceIncomingPeers(
  tx: Db,
  zoneId: string,
  peerIds: readonly string[],
): Promise<void> {
  await tx.deleteFrom("incoming_peers").where("zone_id", "=", zoneId).execute();
  const rows = peerIds.map((peer_id, position) => ({ zone_id: zoneId, peer_id, position }));
  if (rows.length > 0) await tx.insertInto("incoming_peers").values(rows).execute();
}

export async function updateIncoming(
  tx: Db,
  zoneId: string,
  change: Partial<IncomingTransferRow>,
): Promise<void> {
  await tx.updateTable("incoming_transfers").set(change).where("zone_id", "=", zoneId).execute();
}

export async function deleteIncoming(tx: Db, zoneId: string): Promise<void> {
  await tx.deleteFrom("incoming_transfers").where("zone_id", "=", zoneId).execute();
}

/** The peers from which a zone is transferred, in their order. */
export const selectIncomingPeers = statement<{ zoneId: string }, TransferPeerRow>(`
  select transfer_peers.* from incoming_peers join transfer_peers on transfer_peers.id = peer_id
  where zone_id = :zoneId order by position`);

/** A zone whose peers are to be asked. */
export interface DueTransfer extends IncomingTransferRow {
  readonly zone_name: string;
  readonly account_id: string;
}

/** The zones of the type `secondary` that are due, but for `except`; the longest overdue of each account, and of all first. */
export async function selectDueTransfers(
  db: Db,
  { now, ofAccountMax, except }: { now: Timestamp; ofAccountMax: number; except: readonly string[] },
): Promise<readonly DueTransfer[]> {
  const others = except.length === 0 ? sql`` : sql`and zone_id not in (${sql.join(except)})`;
  const { rows } = await sql<DueTransfer>`
  select * from (
    select incoming_transfers.*, zones.name as zone_name, zones.account_id,
      row_number() over (partition by zones.account_id order by due_on, zone_id) as place
    from incoming_transfers join zones on zones.id = zone_id and type = 'secondary'
    where due_on <= ${now} ${others}) as due
  where place <= ${ofAccountMax} order by due_on, zone_id`.execute(db);
  return rows;
}

/** When the next of them is due; undefined for none. */
export async function selectNextDue(db: Db): Promise<Timestamp | undefined> {
  const { rows } = await sql<{ due_on: Timestamp | null }>`
  select min(due_on) as due_on from incoming_transfers
  join zones on zones.id = zone_id and type = 'secondary'`.execute(db);
  return rows[0]?.due_on ?? undefined;
}

/** The names of zones that are transferred to us, and their ids; of those with the same name the one that counts is last. */
export async function selectIncomingNames(
  db: Db,
): Promise<readonly { readonly id: string; readonly name: string; readonly account_id: string }[]> {
  return (
    db
      .selectFrom("incoming_transfers")
      .innerJoin("zones", "zones.id", "incoming_transfers.zone_id")
      .select(["zones.id", "zones.name", "zones.account_id"])
      .where("zones.type", "=", "secondary")
      // Of several accounts' zones of a name, the last one counts: the active one, else the oldest.
      .orderBy(({ eb }) => eb.case().when("zones.status", "=", "active").then(1).else(0).end())
      .orderBy("zones.created_on", "desc")
      .orderBy("zones.id", "desc")
      .execute()
  );
}
