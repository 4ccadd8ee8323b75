import { Type } from "@sinclair/typebox";

import { errorCodes } from "../../core/error-codes.ts";
import { invalidRequest } from "../../core/error.ts";
import { IdOnly } from "../../operation/schema.ts";
import { zoneRead, zoneWrite } from "../../operation/zone.ts";
import { toFlag, toTimestamp } from "../../storage/columns.ts";
import { insertRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { OutgoingTransferRow } from "../../storage/schema/zone-transfers.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { serialOf } from "../zones/zones.ts";
import { NotifiedPeer, Outgoing, OutgoingBody, TransferStatus } from "./schema.ts";
import { deleteOutgoing, forgetNotified, replacePeers, selectPeers, updateOutgoing } from "./store.ts";
import { findOutgoing, refuseInvalidPeers } from "./zone-transfers.ts";

const path = "/zones/{zone_id}/secondary_dns/outgoing";
const read = "DNS Read";
const write = "DNS Write";

/** Errors: 404 code 10004 for a zone without peers. */
export const getOutgoingTransfer = zoneRead({
  name: "getOutgoingTransfer",
  summary: "Get the peers to which a zone is transferred",
  path,
  permission: read,
  result: Outgoing,
  run: async ({ db, zone }) => toOutgoing(db, zone, await findOutgoing(db, zone.id)),
});

/** They are disabled at first. Errors: 400 code 10009 for a zone that has some, 10011 for another name or unknown peers. */
export const createOutgoingTransfer = zoneWrite({
  name: "createOutgoingTransfer",
  summary: "Name the peers to which a zone is transferred",
  method: "POST",
  path,
  permission: write,
  body: OutgoingBody,
  result: Outgoing,
  run: async ({ tx, zone, now, audit }, { body }) => {
    await refuseInvalidPeers(tx, zone, body);
    const row: OutgoingTransferRow = {
      zone_id: zone.id,
      name: body.name,
      enabled: 0,
      backlog_serial: serialOf(zone),
      created_on: toTimestamp(now),
      checked_on: null,
      transferred_on: null,
    };
    const { configured } = errorCodes.zoneTransfers;
    await insertRow(tx, "outgoing_transfers", row, () =>
      invalidRequest(configured, "the zone already has outgoing zone transfers configured"),
    );
    await replacePeers(tx, zone.id, body.peers);
    const after = await toOutgoing(tx, zone, row);
    audit({ action: "outgoing_transfer_add", id: zone.id, after });
    return after;
  },
});

/** Errors: 404 code 10004, 400 code 10011. */
export const replaceOutgoingTransfer = zoneWrite({
  name: "replaceOutgoingTransfer",
  summary: "Change the peers to which a zone is transferred",
  method: "PUT",
  path,
  permission: write,
  body: OutgoingBody,
  result: Outgoing,
  run: async ({ tx, zone, audit }, { body }) => {
    const row = await findOutgoing(tx, zone.id);
    const before = await toOutgoing(tx, zone, row);
    await refuseInvalidPeers(tx, zone, body);
    const change = { name: body.name };
    await updateOutgoing(tx, zone.id, change);
    await replacePeers(tx, zone.id, body.peers);
    const after = await toOutgoing(tx, zone, { ...row, ...change });
    audit({ action: "outgoing_transfer_edit", id: zone.id, before, after });
    return after;
  },
});

/** Errors: 404 code 10004. */
export const deleteOutgoingTransfer = zoneWrite({
  name: "deleteOutgoingTransfer",
  summary: "Transfer a zone to nobody any more",
  method: "DELETE",
  path,
  permission: write,
  result: IdOnly,
  run: async ({ tx, zone, audit }) => {
    const before = await toOutgoing(tx, zone, await findOutgoing(tx, zone.id));
    await deleteOutgoing(tx, zone.id);
    audit({ action: "outgoing_transfer_delete", id: zone.id, before });
    return { id: zone.id };
  },
});

/** Notifies the peers. Errors: 404 code 10004. */
export const enableOutgoingTransfer = zoneWrite({
  name: "enableOutgoingTransfer",
  summary: "Turn the transfers of a zone to its peers on",
  method: "POST",
  path: `${path}/enable`,
  permission: write,
  result: TransferStatus,
  run: async ({ tx, zone, audit }) => {
    const { enabled } = await findOutgoing(tx, zone.id);
    if (enabled === 0) {
      await turn(tx, zone, true);
      audit({ action: "outgoing_transfer_enable", id: zone.id });
    }
    return statusOf(1);
  },
});

/** Changes before that are not transferred one by one later. Errors: 404 code 10004. */
export const disableOutgoingTransfer = zoneWrite({
  name: "disableOutgoingTransfer",
  summary: "Turn the transfers of a zone to its peers off",
  method: "POST",
  path: `${path}/disable`,
  permission: write,
  result: TransferStatus,
  run: async ({ tx, zone, audit }) => {
    const { enabled } = await findOutgoing(tx, zone.id);
    if (enabled === 1) {
      await turn(tx, zone, false);
      audit({ action: "outgoing_transfer_disable", id: zone.id });
    }
    return statusOf(0);
  },
});

/** Errors: 404 code 10004. */
export const getOutgoingTransferStatus = zoneRead({
  name: "getOutgoingTransferStatus",
  summary: "Tell whether the transfers of a zone to its peers are on",
  path: `${path}/status`,
  permission: read,
  result: TransferStatus,
  run: async ({ db, zone }) => statusOf((await findOutgoing(db, zone.id)).enabled),
});

/** Errors: 404 code 10004. */
export const listNotifiedPeers = zoneRead({
  name: "listNotifiedPeers",
  summary: "Tell what the peers of a zone were notified of",
  path: `${path}/peers`,
  permission: read,
  result: Type.Array(NotifiedPeer),
  run: async ({ db, zone }): Promise<NotifiedPeer[]> => {
    await findOutgoing(db, zone.id);
    const serial = serialOf(zone);
    return (await selectPeers(db, zone.id)).map(({ peer_id: id, notified_serial }) => ({
      id,
      notified_serial,
      is_current: notified_serial === serial,
    }));
  },
});

/**
 * Changes before that are not transferred one by one any more. Errors: 404 code 10004, 400 code 10015 while transfers are
 * off.
 */
export const forceNotifyOfZone = zoneWrite({
  name: "forceNotifyOfZone",
  summary: "Notify the peers of a zone",
  method: "POST",
  path: `${path}/force_notify`,
  permission: write,
  result: TransferStatus,
  run: async ({ tx, zone, audit }) => {
    const { enabled } = await findOutgoing(tx, zone.id);
    if (enabled === 0) {
      throw invalidRequest(errorCodes.zoneTransfers.disabled, "outgoing zone transfers are disabled");
    }
    await forgetNotified(tx, zone.id);
    await updateOutgoing(tx, zone.id, { backlog_serial: serialOf(zone) });
    audit({ action: "outgoing_transfer_notify", id: zone.id });
    return "OK";
  },
});

async function turn(tx: Db, zone: ZoneRow, isOn: boolean): Promise<void> {
  await updateOutgoing(tx, zone.id, { enabled: toFlag(isOn), backlog_serial: serialOf(zone) });
  await forgetNotified(tx, zone.id);
}

async function toOutgoing(db: Db, zone: ZoneRow, row: OutgoingTransferRow): Promise<Outgoing> {
  return {
    id: zone.id,
    name: row.name,
    peers: (await selectPeers(db, zone.id)).map(({ peer_id }) => peer_id),
    soa_serial: serialOf(zone),
    created_time: row.created_on,
    ...(row.checked_on !== null && { checked_time: row.checked_on }),
    ...(row.transferred_on !== null && { last_transferred_time: row.transferred_on }),
  };
}

function statusOf(enabled: 0 | 1): string {
  return enabled === 1 ? "Enabled" : "Disabled";
}
