import { foldName, nameToOctets } from "../../core/dns/wire/names.ts";
import { WireError } from "../../core/dns/wire/octets.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { invalidBody, invalidRequest, notFound } from "../../core/error.ts";
import type { Context } from "../../operation/context.ts";
import type { SecretBox } from "../../secrets/secret-box.ts";
import { findRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type {
  IncomingTransferRow,
  OutgoingTransferRow,
  TransferAclRow,
  TransferKeyRow,
  TransferPeerRow,
} from "../../storage/schema/zone-transfers.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { countOfAccount, selectKnownPeerIds } from "./store.ts";

export interface TransferKeyContext extends Context {
  readonly secretBox: SecretBox;
}

const { zoneTransfers: codes } = errorCodes;

/** Most access lists, peers and keys of an account, of each. */
const quota = 500;

/** Errors: 404 code 10001. */
export async function findAcl(db: Db, accountId: string, id: string): Promise<TransferAclRow> {
  return findRow(db, "transfer_acls", { account_id: accountId, id }, () =>
    notFound(codes.unknownAcl, "could not find ACL"),
  );
}

/** Errors: 404 code 10002. */
export async function findPeer(db: Db, accountId: string, id: string): Promise<TransferPeerRow> {
  return findRow(db, "transfer_peers", { account_id: accountId, id }, () =>
    notFound(codes.unknownPeer, "could not find peer"),
  );
}

/** Errors: 404 code 10003. */
export async function findKey(db: Db, accountId: string, id: string): Promise<TransferKeyRow> {
  return findRow(db, "transfer_keys", { account_id: accountId, id }, () =>
    notFound(codes.unknownKey, "could not find TSIG"),
  );
}

/** Errors: 404 code 10004. */
export async function findOutgoing(db: Db, zoneId: string): Promise<OutgoingTransferRow> {
  return findRow(db, "outgoing_transfers", { zone_id: zoneId }, () =>
    notFound(codes.notConfigured, "the zone has no outgoing zone transfers configured"),
  );
}

/** Errors: 404 code 10004. */
export async function findIncoming(db: Db, zoneId: string): Promise<IncomingTransferRow> {
  return findRow(db, "incoming_transfers", { zone_id: zoneId }, () =>
    notFound(codes.notConfigured, "the zone has no incoming zone transfers configured"),
  );
}

/** Errors: 400 code 10011 for a name that is not the zone's, and for peers of nobody or of others. */
export async function refuseInvalidPeers(
  tx: Db,
  zone: ZoneRow,
  { name, peers }: { readonly name: string; readonly peers: readonly string[] },
): Promise<void> {
  const names = [zone.name, ...(zone.unicode_name === null ? [] : [zone.unicode_name])];
  if (!names.includes(nameKey(name))) throw invalidValue("/name", "must be the name of the zone");
  const known = await selectKnownPeerIds(tx, zone.account_id, peers);
  const unknown = peers.findIndex((id) => !known.has(id));
  if (unknown !== -1) throw invalidValue(`/peers/${unknown}`, "must be the id of a peer of the account");
}

/** Errors: 400 code 10013. */
export async function refuseQuota(
  tx: Db,
  table: Parameters<typeof countOfAccount>[1],
  accountId: string,
  noun: string,
): Promise<void> {
  if ((await countOfAccount(tx, table, accountId)) < quota) return;
  throw invalidRequest(codes.quotaReached, `the account already has its maximum of ${quota} ${noun}`);
}

/** Errors: 400 code 10031. */
export function refuseInUse(isUsed: boolean, what: string, by: string): void {
  if (isUsed) throw invalidRequest(codes.inUse, `the ${what} is in use by ${by}`);
}

/** The error for a value that cannot be: 400 code 10011. */
export function invalidValue(pointer: string, rule: string): Error {
  return invalidBody(pointer, rule, codes.invalidValue);
}

/** Whether a text is the name of a domain, with or without a final dot. */
export function isDomainName(text: string): boolean {
  try {
    return nameToOctets(text).length > 1;
  } catch (error) {
    if (error instanceof WireError) return false;
    throw error;
  }
}

/** The form in which two texts of one name are equal. */
export function nameKey(text: string): string {
  return foldName(text).replace(/(?<=.)\.$/, "");
}
