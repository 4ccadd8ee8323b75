import { Type } from "@sinclair/typebox";

import { accessRange } from "../../core/dns/served/transfer-access.ts";
import { pageOf } from "../../core/page.ts";
import {
  accountList,
  accountRead,
  accountWrite,
  type AccountRead,
  type AccountWrite,
  zoneRead,
  zoneWrite,
} from "../../operation/scope.ts";
import { IdOnly } from "../../operation/schema.ts";
import { toTimestamp, toFlag, fromJson } from "../../storage/columns.ts";
import { deleteRow, insertRow, updateRow, selectRow } from "../../storage/rows.ts";
import type {
  TransferAclRow,
  TransferPeerRow,
  TransferKeyRow,
  OutgoingTransferRow,
  IncomingTransferRow,
} from "../../storage/schema/zone-transfers.ts";
import {
  Acl,
  AclBody,
  Peer,
  PeerBody,
  Tsig,
  TsigBody,
  NotifiedPeer,
  Outgoing,
  OutgoingBody,
  TransferStatus,
  Incoming,
  IncomingBody,
} from "./schema.ts";
import {
  selectOfAccount,
  deleteOutgoing,
  forgetNotified,
  replacePeers,
  selectPeers,
  updateOutgoing,
  deleteIncoming,
  replaceIncomingPeers,
  selectIncomingPeerIds,
  updateIncoming,
} from "./store.ts";
import {
  findAcl,
  invalidValue,
  refuseQuota,
  findPeer,
  refuseInUse,
  findKey,
  isDomainName,
  type TransferKeyContext,
  findOutgoing,
  refuseInvalidPeers,
  findIncoming,
} from "./zone-transfers.ts";
import { parseIpAddress } from "../../core/net/ip-address.ts";
import type { Db } from "../../storage/tables.ts";
import { parseTsigAlgorithm } from "../../core/dns/wire/tsig.ts";
import { decide } from "../../core/policy/evaluate.ts";
import { account } from "../../core/policy/permission-groups.ts";
import { sealedPlace } from "../../storage/sealed-columns.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { invalidRequest } from "../../core/error.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { serialOf } from "../zones/zones.ts";

const aclsPath = "/accounts/{account_id}/secondary_dns/acls";
const aclPath = "/accounts/{account_id}/secondary_dns/acls/{acl_id}";
const readAccount = ["Account Settings Read", "Account Settings Write"] as const;
const writeAccount = "Account Settings Write";

/** The oldest first. */
export const listTransferAcls = accountList({
  name: "listTransferAcls",
  summary: "List the addresses that may transfer the zones of an account",
  path: aclsPath,
  permission: readAccount,
  result: Acl,
  list: { orderings: ["created_on"], perPageMax: 500 },
  run: async ({ db, accountId }, { page }) => {
    const rows = await selectOfAccount(db, "transfer_acls", accountId);
    const { items, totalCount } = pageOf(rows, page, { created_on: (row) => row.created_on });
    return { items: items.map(toAcl), totalCount };
  },
});

/** Errors: 400 code 10011 for a range that is none or too large, 10013 above the quota. */
export const createTransferAcl = accountWrite({
  name: "createTransferAcl",
  summary: "Allow an address or a range to transfer the zones of an account",
  method: "POST",
  path: aclsPath,
  permission: writeAccount,
  body: AclBody,
  result: Acl,
  run: async ({ tx, accountId, context, now, audit }, { body }) => {
    await refuseQuota(tx, "transfer_acls", accountId, "ACLs");
    const row: TransferAclRow = {
      id: context.newId(),
      account_id: accountId,
      name: body.name,
      ip_range: parseRange(body.ip_range),
      created_on: toTimestamp(now),
    };
    await insertRow(tx, "transfer_acls", row);
    const after = toAcl(row);
    audit({ action: "transfer_acl_add", id: row.id, after });
    return after;
  },
});

/** Errors: 404 code 10001. */
export const getTransferAcl = accountRead({
  name: "getTransferAcl",
  summary: "Get an ACL of zone transfers",
  path: aclPath,
  permission: readAccount,
  result: Acl,
  run: async ({ db, accountId }, { params }) => toAcl(await findAcl(db, accountId, params.acl_id)),
});

/** Errors: 404 code 10001, 400 code 10011. */
export const replaceTransferAcl = accountWrite({
  name: "replaceTransferAcl",
  summary: "Change an ACL of zone transfers",
  method: "PUT",
  path: aclPath,
  permission: writeAccount,
  body: AclBody,
  result: Acl,
  run: async ({ tx, accountId, audit }, { params: { acl_id: id }, body }) => {
    const row = await findAcl(tx, accountId, id);
    const change = { name: body.name, ip_range: parseRange(body.ip_range) };
    await updateRow(tx, "transfer_acls", id, change);
    const after = toAcl({ ...row, ...change });
    audit({ action: "transfer_acl_edit", id, before: toAcl(row), after });
    return after;
  },
});

/** Errors: 404 code 10001. */
export const deleteTransferAcl = accountWrite({
  name: "deleteTransferAcl",
  summary: "Delete an ACL of zone transfers",
  method: "DELETE",
  path: aclPath,
  permission: writeAccount,
  result: IdOnly,
  run: async ({ tx, accountId, audit }, { params: { acl_id: id } }) => {
    const before = toAcl(await findAcl(tx, accountId, id));
    await deleteRow(tx, "transfer_acls", id);
    audit({ action: "transfer_acl_delete", id, before });
    return { id };
  },
});

function parseRange(text: string): string {
  const range = accessRange(text);
  if (range !== undefined) return range;
  throw invalidValue(
    "/ip_range",
    "must be an IP address, or a range in CIDR notation of at most a /24 or /64",
  );
}

function toAcl({ id, ip_range, name }: TransferAclRow): Acl {
  return { id, ip_range, name };
}

const peersPath = "/accounts/{account_id}/secondary_dns/peers";
const peerPath = "/accounts/{account_id}/secondary_dns/peers/{peer_id}";

/** The oldest first. */
export const listTransferPeers = accountList({
  name: "listTransferPeers",
  summary: "List the peers of zone transfers",
  path: peersPath,
  permission: readAccount,
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
  path: peersPath,
  permission: writeAccount,
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
  path: peerPath,
  permission: readAccount,
  result: Peer,
  run: async ({ db, accountId }, { params }) => toPeer(await findPeer(db, accountId, params.peer_id)),
});

/** Errors: 404 code 10002, 400 code 10011. */
export const replaceTransferPeer = accountWrite({
  name: "replaceTransferPeer",
  summary: "Change a peer of zone transfers; what is left out has no value any more",
  method: "PUT",
  path: peerPath,
  permission: writeAccount,
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
  path: peerPath,
  permission: writeAccount,
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

const tsigsPath = "/accounts/{account_id}/secondary_dns/tsigs";
const tsigPath = "/accounts/{account_id}/secondary_dns/tsigs/{tsig_id}";

/**
 * The oldest first, with their secrets for callers who may change them. Errors: 503 code 10504 without the
 * secret key.
 */
export const listTsigs = accountList({
  name: "listTsigs",
  summary: "List the TSIG keys of an account",
  path: tsigsPath,
  permission: readAccount,
  result: Tsig,
  list: { orderings: ["created_on"], perPageMax: 500 },
  run: async (work: AccountRead<TransferKeyContext>, { page }) => {
    const { db, accountId } = work;
    const shown = shownTo(work);
    const rows = await selectOfAccount(db, "transfer_keys", accountId);
    const { items, totalCount } = pageOf(rows, page, { created_on: (row) => row.created_on });
    return { items: items.map(shown), totalCount };
  },
});

/**
 * Errors: 400 code 10011 for a name, algorithm or secret that is none, 10013 above the quota; 503 code 10504.
 */
export const createTsig = accountWrite({
  name: "createTsig",
  summary: "Create a TSIG key",
  method: "POST",
  path: tsigsPath,
  permission: writeAccount,
  body: TsigBody,
  result: Tsig,
  run: async ({ tx, accountId, context, now, audit }: AccountWrite<TransferKeyContext>, { body }) => {
    refuseInvalid(body);
    await refuseQuota(tx, "transfer_keys", accountId, "TSIG keys");
    const id = context.newId();
    const row: TransferKeyRow = {
      id,
      account_id: accountId,
      name: body.name,
      algo: body.algo,
      secret: context.secretBox.seal(body.secret, sealedPlace("transfer_keys.secret", id)),
      created_on: toTimestamp(now),
    };
    await insertRow(tx, "transfer_keys", row);
    audit({ action: "tsig_add", id, after: withoutSecret(row) });
    return { id, ...body };
  },
});

/** Errors: 404 code 10003, 503 code 10504. */
export const getTsig = accountRead({
  name: "getTsig",
  summary: "Get a TSIG key",
  path: tsigPath,
  permission: readAccount,
  result: Tsig,
  run: async (work: AccountRead<TransferKeyContext>, { params }) =>
    shownTo(work)(await findKey(work.db, work.accountId, params.tsig_id)),
});

/** Errors: 404 code 10003, 400 code 10011, 503 code 10504. */
export const replaceTsig = accountWrite({
  name: "replaceTsig",
  summary: "Change a TSIG key",
  method: "PUT",
  path: tsigPath,
  permission: writeAccount,
  body: TsigBody,
  result: Tsig,
  run: async (
    { tx, accountId, context, audit }: AccountWrite<TransferKeyContext>,
    { params: { tsig_id: id }, body },
  ) => {
    const row = await findKey(tx, accountId, id);
    refuseInvalid(body);
    const change = {
      name: body.name,
      algo: body.algo,
      secret: context.secretBox.seal(body.secret, sealedPlace("transfer_keys.secret", id)),
    };
    await updateRow(tx, "transfer_keys", id, change);
    const [before, after] = [withoutSecret(row), withoutSecret({ ...row, ...change })];
    audit({ action: "tsig_edit", id, before, after });
    return { id, ...body };
  },
});

/** Errors: 404 code 10003, 400 code 10031 for the key of a peer. */
export const deleteTsig = accountWrite({
  name: "deleteTsig",
  summary: "Delete a TSIG key",
  method: "DELETE",
  path: tsigPath,
  permission: writeAccount,
  result: IdOnly,
  run: async ({ tx, accountId, audit }, { params: { tsig_id: id } }) => {
    const row = await findKey(tx, accountId, id);
    const peer = await selectRow(tx, "transfer_peers", { key_id: id });
    refuseInUse(peer !== undefined, "TSIG", `the peer ${peer?.name}`);
    await deleteRow(tx, "transfer_keys", id);
    audit({ action: "tsig_delete", id, before: withoutSecret(row) });
    return { id };
  },
});

function refuseInvalid({ name, algo, secret }: TsigBody): void {
  if (!isDomainName(name)) throw invalidValue("/name", "must be a domain name");
  if (parseTsigAlgorithm(algo) === undefined) {
    throw invalidValue("/algo", "must be an algorithm of TSIG, such as hmac-sha256.");
  }
  // Not so for a text with other characters, a wrong length, or bits behind the last octet.
  if (Buffer.from(secret, "base64").toString("base64") !== secret) {
    throw invalidValue("/secret", "must be base64");
  }
}

/** Shows a key to a caller: whoever may not change it does not see its secret. */
function shownTo({
  caller,
  accountId,
  context,
}: AccountRead<TransferKeyContext>): (row: TransferKeyRow) => Tsig {
  const { allowed } = decide(caller.grants, account(writeAccount), { type: "account", id: accountId });
  return allowed ? (row) => toTsig(context, row) : withoutSecret;
}

function toTsig({ secretBox }: TransferKeyContext, { id, name, algo, secret }: TransferKeyRow): Tsig {
  return { id, name, algo, secret: secretBox.open(secret, sealedPlace("transfer_keys.secret", id)) };
}

function withoutSecret({ id, name, algo }: TransferKeyRow): Omit<Tsig, "secret"> {
  return { id, name, algo };
}

const outgoingPath = "/zones/{zone_id}/secondary_dns/outgoing";
const read = "DNS Read";
const write = "DNS Write";

/** Errors: 404 code 10004 for a zone without peers. */
export const getOutgoingTransfer = zoneRead({
  name: "getOutgoingTransfer",
  summary: "Get the peers to which a zone is transferred",
  path: outgoingPath,
  permission: read,
  result: Outgoing,
  run: async ({ db, zone }) => toOutgoing(db, zone, await findOutgoing(db, zone.id)),
});

/**
 * Creates a disabled configuration. Errors: 400 code 10009 for a zone that has some, 10011 for another name
 * or unknown peers.
 */
export const createOutgoingTransfer = zoneWrite({
  name: "createOutgoingTransfer",
  summary: "Name the peers to which a zone is transferred",
  method: "POST",
  path: outgoingPath,
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
  path: outgoingPath,
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
  path: outgoingPath,
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
  path: `${outgoingPath}/enable`,
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
  path: `${outgoingPath}/disable`,
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
  path: `${outgoingPath}/status`,
  permission: read,
  result: TransferStatus,
  run: async ({ db, zone }) => statusOf((await findOutgoing(db, zone.id)).enabled),
});

/** Errors: 404 code 10004. */
export const listNotifiedPeers = zoneRead({
  name: "listNotifiedPeers",
  summary: "Tell what the peers of a zone were notified of",
  path: `${outgoingPath}/peers`,
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
 * Changes before that are not transferred one by one any more. Errors: 404 code 10004, 400 code 10015 while
 * transfers are off.
 */
export const forceNotifyOfZone = zoneWrite({
  name: "forceNotifyOfZone",
  summary: "Notify the peers of a zone",
  method: "POST",
  path: `${outgoingPath}/force_notify`,
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

const incomingPath = "/zones/{zone_id}/secondary_dns/incoming";

/** Errors: 404 code 10004 for a zone without peers. */
export const getIncomingTransfer = zoneRead({
  name: "getIncomingTransfer",
  summary: "Get the peers from which a zone is transferred",
  path: incomingPath,
  permission: read,
  result: Incoming,
  run: async ({ db, zone }) => toIncoming(db, await findIncoming(db, zone.id)),
});

/**
 * A zone of the type `secondary` is transferred at once; for others it is only stored. Errors: 400 code 10009
 * for a zone that has some, 10011 for another name or unknown peers.
 */
export const createIncomingTransfer = zoneWrite({
  name: "createIncomingTransfer",
  summary: "Name the peers from which a zone is transferred",
  method: "POST",
  path: incomingPath,
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
  path: incomingPath,
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
  path: incomingPath,
  permission: write,
  result: IdOnly,
  run: async ({ tx, zone, audit }) => {
    const before = await toIncoming(tx, await findIncoming(tx, zone.id));
    await deleteIncoming(tx, zone.id);
    audit({ action: "incoming_transfer_delete", id: zone.id, before });
    return { id: zone.id };
  },
});

/**
 * Requests a transfer, which begins afterwards; `soa_serial` and `checked_time` tell what came of it. Errors:
 * 404 code 10004.
 */
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
