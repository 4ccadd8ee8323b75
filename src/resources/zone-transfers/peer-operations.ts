import { parseIpAddress } from "../../core/net/ip-address.ts";
import { pageOf } from "../../core/page.ts";
import { accountList, accountRead, accountWrite } from "../../operation/account.ts";
import { IdOnly } from "../../operation/schema.ts";
import { toFlag, toTimestamp } from "../../storage/columns.ts";
import { deleteRow, insertRow, selectRow, updateRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { TransferPeerRow } from "../../storage/schema/zone-transfers.ts";
import { Peer, PeerBody } from "./schema.ts";
import { selectOfAccount } from "./store.ts";
import { findPeer, invalidValue, refuseInUse, refuseQuota } from "./zone-transfers.ts";

const path = "/accounts/{account_id}/secondary_dns/peers";
const item = "/accounts/{account_id}/secondary_dns/peers/{peer_id}";
const read = ["Account Settings Read", "Account Settings Write"] as const;
const write = "Account Settings Write";

/** The oldest first. */
export const listTransferPeers = accountList({
  name: "listTransferPeers",
  summary: "List the peers of zone transfers",
  path,
  permission: read,
  result: Peer,
  list: { orderings: ["created_on"], perPageMax: 500 },
  run: async ({ db, accountId }, { page }) => {
    const rows = await selectOfAccount(db, "transfer_peers", accountId);
    const { items, totalCount } = pageOf(rows, page, { created_on: (row) => row.created_on });
    return { items: items.map(toPeer), totalCount };
  },
});

/** Errors: 400 code 10011 for an address or key that is none, 10013 above the quota. */
export const createTransferPeer = accountWrite({
  name: "createTransferPeer",
  summary: "Create a peer of zone transfers",
  method: "POST",
  path,
  permission: write,
  body: PeerBody,
  result: Peer,
  run: async ({ tx, accountId, context, now, audit }, { body }) => {
    await refuseQuota(tx, "transfer_peers", accountId, "peers");
    const row: TransferPeerRow = {
      id: context.newId(),
      account_id: accountId,
      ...(await toColumns(tx, accountId, body)),
      catalog_serial: null,
      catalog_digest: null,
      catalog_notified_serial: null,
      catalog_transferred_serial: null,
      catalog_reminders_left: 0,
      created_on: toTimestamp(now),
    };
    await insertRow(tx, "transfer_peers", row);
    const after = toPeer(row);
    audit({ action: "transfer_peer_add", id: row.id, after });
    return after;
  },
});

/** Errors: 404 code 10002. */
export const getTransferPeer = accountRead({
  name: "getTransferPeer",
  summary: "Get a peer of zone transfers",
  path: item,
  permission: read,
  result: Peer,
  run: async ({ db, accountId }, { params }) => toPeer(await findPeer(db, accountId, params.peer_id)),
});

/** Errors: 404 code 10002, 400 code 10011. */
export const replaceTransferPeer = accountWrite({
  name: "replaceTransferPeer",
  summary: "Change a peer of zone transfers; what is left out has no value any more",
  method: "PUT",
  path: item,
  permission: write,
  body: PeerBody,
  result: Peer,
  run: async ({ tx, accountId, audit }, { params: { peer_id: id }, body }) => {
    const row = await findPeer(tx, accountId, id);
    const change = await toColumns(tx, accountId, body);
    await updateRow(tx, "transfer_peers", id, change);
    const after = toPeer({ ...row, ...change });
    audit({ action: "transfer_peer_edit", id, before: toPeer(row), after });
    return after;
  },
});

/** Errors: 404 code 10002, 400 code 10031 for the peer of a zone. */
export const deleteTransferPeer = accountWrite({
  name: "deleteTransferPeer",
  summary: "Delete a peer of zone transfers",
  method: "DELETE",
  path: item,
  permission: write,
  result: IdOnly,
  run: async ({ tx, accountId, audit }, { params: { peer_id: id } }) => {
    const before = toPeer(await findPeer(tx, accountId, id));
    const used =
      (await selectRow(tx, "outgoing_peers", { peer_id: id })) ??
      (await selectRow(tx, "incoming_peers", { peer_id: id }));
    refuseInUse(used !== undefined, "peer", `the zone ${used?.zone_id}`);
    await deleteRow(tx, "transfer_peers", id);
    audit({ action: "transfer_peer_delete", id, before });
    return { id };
  },
});

type Columns = Pick<TransferPeerRow, "name" | "ip" | "port" | "ixfr_enable" | "key_id">;

async function toColumns(
  tx: Db,
  accountId: string,
  { name, ip = null, port = null, ixfr_enable, tsig_id: keyId }: PeerBody,
): Promise<Columns> {
  // Terraform sends empty texts for what is not set.
  const [address, key_id] = [ip || null, keyId || null];
  if (address !== null && parseIpAddress(address) === undefined) {
    throw invalidValue("/ip", "must be an IPv4 or IPv6 address");
  }
  const key =
    key_id === null ? null : await selectRow(tx, "transfer_keys", { account_id: accountId, id: key_id });
  if (key === undefined) throw invalidValue("/tsig_id", "must be the id of a TSIG of the account");
  return { name, ip: address, port, ixfr_enable: ixfr_enable == null ? null : toFlag(ixfr_enable), key_id };
}

function toPeer({ id, name, ip, port, ixfr_enable, key_id }: TransferPeerRow): Peer {
  return {
    id,
    name,
    ...(ip !== null && { ip }),
    ...(port !== null && { port }),
    ...(ixfr_enable !== null && { ixfr_enable: ixfr_enable === 1 }),
    ...(key_id !== null && { tsig_id: key_id }),
  };
}
