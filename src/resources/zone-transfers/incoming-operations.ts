import { errorCodes } from "../../core/error-codes.ts";
import { invalidRequest } from "../../core/error.ts";
import { IdOnly } from "../../operation/schema.ts";
import { zoneRead, zoneWrite } from "../../operation/zone.ts";
import { fromJson, toTimestamp } from "../../storage/columns.ts";
import { insertRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { IncomingTransferRow } from "../../storage/schema/zone-transfers.ts";
import {
  deleteIncoming,
  replaceIncomingPeers,
  selectIncomingPeerIds,
  updateIncoming,
} from "./incoming-store.ts";
import { Incoming, IncomingBody, TransferStatus } from "./schema.ts";
import { findIncoming, refuseInvalidPeers } from "./zone-transfers.ts";

const path = "/zones/{zone_id}/secondary_dns/incoming";
const read = "DNS Read";
const write = "DNS Write";

/** Errors: 404 code 10004 for a zone without peers. */
export const getIncomingTransfer = zoneRead({
  name: "getIncomingTransfer",
  summary: "Get the peers from which a zone is transferred",
  path,
  permission: read,
  result: Incoming,
  run: async ({ db, zone }) => toIncoming(db, await findIncoming(db, zone.id)),
});

/**
 * A zone of the type `secondary` is transferred at once; for others it is only stored. Errors: 400 code 10009 for a zone that
 * has some, 10011 for another name or unknown peers.
 */
export const createIncomingTransfer = zoneWrite({
  name: "createIncomingTransfer",
  summary: "Name the peers from which a zone is transferred",
  method: "POST",
  path,
  permission: write,
  body: IncomingBody,
  result: Incoming,
  run: async ({ tx, zone, now, audit }, { body }) => {
    await refuseInvalidPeers(tx, zone, body);
    const created_on = toTimestamp(now);
    const row: IncomingTransferRow = {
      zone_id: zone.id,
      name: body.name,
      auto_refresh_seconds: body.auto_refresh_seconds,
      created_on,
      modified_on: created_on,
      checked_on: null,
      soa: null,
      due_on: created_on,
      expires_on: null,
      wants_whole: 0,
    };
    const { configured } = errorCodes.zoneTransfers;
    await insertRow(tx, "incoming_transfers", row, () =>
      invalidRequest(configured, "the zone already has incoming zone transfers configured"),
    );
    await replaceIncomingPeers(tx, zone.id, body.peers);
    const after = await toIncoming(tx, row);
    audit({ action: "incoming_transfer_add", id: zone.id, after });
    return after;
  },
});

/** The peers are asked at once. Errors: 404 code 10004, 400 code 10011. */
export const replaceIncomingTransfer = zoneWrite({
  name: "replaceIncomingTransfer",
  summary: "Change the peers from which a zone is transferred",
  method: "PUT",
  path,
  permission: write,
  body: IncomingBody,
  result: Incoming,
  run: async ({ tx, zone, now, audit }, { body }) => {
    const row = await findIncoming(tx, zone.id);
    const before = await toIncoming(tx, row);
    await refuseInvalidPeers(tx, zone, body);
    const { name, auto_refresh_seconds } = body;
    const modified_on = toTimestamp(now);
    const change = { name, auto_refresh_seconds, modified_on, due_on: modified_on };
    await updateIncoming(tx, zone.id, change);
    await replaceIncomingPeers(tx, zone.id, body.peers);
    const after = await toIncoming(tx, { ...row, ...change });
    audit({ action: "incoming_transfer_edit", id: zone.id, before, after });
    return after;
  },
});

/** The records that were transferred stay. Errors: 404 code 10004. */
export const deleteIncomingTransfer = zoneWrite({
  name: "deleteIncomingTransfer",
  summary: "Transfer a zone from nobody any more",
  method: "DELETE",
  path,
  permission: write,
  result: IdOnly,
  run: async ({ tx, zone, audit }) => {
    const before = await toIncoming(tx, await findIncoming(tx, zone.id));
    await deleteIncoming(tx, zone.id);
    audit({ action: "incoming_transfer_delete", id: zone.id, before });
    return { id: zone.id };
  },
});

/** It begins afterwards; `soa_serial` and `checked_time` tell what came of it. Errors: 404 code 10004. */
export const forceAxfrOfZone = zoneWrite({
  name: "forceAxfrOfZone",
  summary: "Transfer a zone from its peers as a whole",
  method: "POST",
  path: "/zones/{zone_id}/secondary_dns/force_axfr",
  permission: write,
  result: TransferStatus,
  run: async ({ tx, zone, now, audit }) => {
    await findIncoming(tx, zone.id);
    await updateIncoming(tx, zone.id, { wants_whole: 1, due_on: toTimestamp(now) });
    audit({ action: "incoming_transfer_force", id: zone.id });
    return "OK";
  },
});

async function toIncoming(db: Db, row: IncomingTransferRow): Promise<Incoming> {
  return {
    id: row.zone_id,
    name: row.name,
    peers: await selectIncomingPeerIds(db, row.zone_id),
    auto_refresh_seconds: row.auto_refresh_seconds,
    created_time: row.created_on,
    modified_time: row.modified_on,
    ...(row.soa !== null && { soa_serial: fromJson(row.soa).serial }),
    ...(row.checked_on !== null && { checked_time: row.checked_on }),
  };
}
