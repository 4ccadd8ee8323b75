import { sql } from "kysely";

import type { Timestamp } from "../../storage/schema/table.ts";
import { countRows } from "../../storage/page.ts";
import type { Db, Tables } from "../../storage/tables.ts";
import type {
  OutgoingPeerRow,
  OutgoingTransferRow,
  IncomingTransferRow,
  TransferPeerRow,
  TransferKeyRow,
} from "../../storage/schema/zone-transfers.ts";
import { statement } from "../../storage/statement.ts";

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

/** Selects the ids that are those of peers of the account. */
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

/** Stores when a peer of a zone last answered. */
export async function noteChecked(tx: Db, zoneId: string, checked_on: Timestamp): Promise<void> {
  await updateOutgoing(tx, zoneId, { checked_on });
}

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

/**
 * The zones of the type `secondary` that are due, but for `except`; the longest overdue of each account, and
 * of all first.
 */
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

/** Selects the time at which the next of them is due; undefined for none. */
export async function selectNextDue(db: Db): Promise<Timestamp | undefined> {
  const { rows } = await sql<{ due_on: Timestamp | null }>`
  select min(due_on) as due_on from incoming_transfers
  join zones on zones.id = zone_id and type = 'secondary'`.execute(db);
  return rows[0]?.due_on ?? undefined;
}

/**
 * The names of zones that are transferred to us, and their ids; of those with the same name the one that
 * counts is last.
 */
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

/** The access rules for transfers of a zone. */
export const selectTransferOfZone = statement<
  { zoneId: string },
  { account_id: string; enabled: 0 | 1; backlog_serial: number }
>(`
  select zones.account_id, enabled, backlog_serial from zones
  join outgoing_transfers on outgoing_transfers.zone_id = zones.id where zones.id = :zoneId`);

export const selectPeersOfZone = statement<{ zoneId: string }, TransferPeerRow>(`
  select transfer_peers.* from outgoing_peers join transfer_peers on transfer_peers.id = peer_id
  where zone_id = :zoneId order by position`);

/** A zone that its peer has to be notified of. */
interface PendingNotice {
  readonly zone_id: string;
  readonly account_id: string;
  readonly peer_id: string;
  readonly ip: string;
  readonly port: number | null;
  readonly key_id: string | null;
  readonly notified_serial: number | null;
  readonly transferred_serial: number | null;
  readonly reminders_left: number;
  readonly dns_serial: number | null;
}

/** Zones with another serial than their peers were notified of, or that these are to be reminded of. */
export async function selectPendingNotices(db: Db): Promise<readonly PendingNotice[]> {
  const { rows } = await sql<PendingNotice>`
  select outgoing_peers.zone_id, zones.account_id, peer_id, ip, port, key_id, notified_serial, transferred_serial, reminders_left,
    dns_serial
  from outgoing_peers
  join outgoing_transfers on outgoing_transfers.zone_id = outgoing_peers.zone_id and enabled = 1
  join zones on zones.id = outgoing_peers.zone_id and status = 'active'
  join transfer_peers on transfer_peers.id = peer_id and ip is not null
  where notified_serial is null or dns_serial is null or notified_serial <> dns_serial
    or (reminders_left > 0 and (transferred_serial is null or transferred_serial <> notified_serial))`.execute(
    db,
  );
  return rows;
}

export const updateNotified = statement<{
  zoneId: string;
  peerId: string;
  serial: number;
  remindersLeft: number;
}>(`
  update outgoing_peers set notified_serial = :serial, reminders_left = :remindersLeft
  where zone_id = :zoneId and peer_id = :peerId`);

export const updateCatalogNotified = statement<{ peerId: string; serial: number; remindersLeft: number }>(`
  update transfer_peers set catalog_notified_serial = :serial, catalog_reminders_left = :remindersLeft
  where id = :peerId`);

export const updateTransferred = statement<{ zoneId: string; peerId: string; serial: number }>(`
  update outgoing_peers set transferred_serial = :serial where zone_id = :zoneId and peer_id = :peerId`);

export const updateCatalogTransferred = statement<{ peerId: string; serial: number }>(`
  update transfer_peers set catalog_transferred_serial = :serial where id = :peerId`);

/** The zones of a peer that are transferred to it. */
export interface CatalogMember {
  readonly peer_id: string;
  readonly zone_id: string;
  readonly name: string;
}

export async function selectCatalogMembers(db: Db): Promise<readonly CatalogMember[]> {
  const { rows } = await sql<CatalogMember>`
  select peer_id, zones.id as zone_id, zones.name from outgoing_peers
  join outgoing_transfers on outgoing_transfers.zone_id = outgoing_peers.zone_id and enabled = 1
  join zones on zones.id = outgoing_peers.zone_id and status = 'active' and type in ('full', 'secondary')
  order by peer_id, zones.id`.execute(db);
  return rows;
}

export async function selectAllPeers(db: Db): Promise<TransferPeerRow[]> {
  return db.selectFrom("transfer_peers").selectAll().execute();
}

/** Nothing where another process has changed the catalog meanwhile. */
export const updateCatalog = statement<{ peerId: string; serial: number; digest: string; before: string }>(`
  update transfer_peers set catalog_serial = :serial, catalog_digest = :digest
  where id = :peerId and coalesce(catalog_digest, '') = :before`);

export async function selectKeysOfAccount(db: Db, accountId: string): Promise<TransferKeyRow[]> {
  return db.selectFrom("transfer_keys").selectAll().where("account_id", "=", accountId).execute();
}
