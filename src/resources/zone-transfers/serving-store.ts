import { sql } from "kysely";

import { statement } from "../../storage/statement.ts";
import type { Db } from "../../storage/tables.ts";
import type { TransferKeyRow, TransferPeerRow } from "../../storage/schema/zone-transfers.ts";

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
export interface PendingNotice {
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

/** All members of all catalogs, by peer. */
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
