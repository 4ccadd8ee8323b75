import { errorCodes } from "../../core/error-codes.ts";
import { invalidRequest, invalidIdentifier } from "../../core/error.ts";
import { isWithin, isHostname, toAsciiName } from "../../core/dns/content/name.ts";
import { findRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { Web3HostnameRow } from "../../storage/schema/web3.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import type { Web3Hostname } from "./schema.ts";

const contentPath = /^\/ip[fn]s\/[^\s/]\S*$/;

/**
 * CIDv0 is a base58btc SHA-256 multihash; the first letter of a CIDv1 is its base, here those that gateways
 * serve.
 */
const cid =
  /^(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{8,}|z[1-9A-HJ-NP-Za-km-z]{8,}|k[0-9a-z]{8,}|f[0-9a-f]{8,})$/;

/** Whether it is a path below `/ipfs/` or `/ipns/`. */
export function isContentPath(text: string): boolean {
  return contentPath.test(text);
}

/** Errors: 400 code 1004. */
export function refuseContent(type: "cid" | "content_path", content: string, pointer: string): void {
  if (type === "cid" ? cid.test(content) : isContentPath(content)) return;
  const message =
    type === "cid" ? "content must be a CID" : "content must begin with /ipfs/ or /ipns/ and say of what";
  throw invalidRequest(errorCodes.web3Hostnames.invalid, message, pointer);
}

/** Errors: 404 code 1002. */
export async function findWeb3Hostname(db: Db, zoneId: string, id: string): Promise<Web3HostnameRow> {
  return findRow(db, "web3_hostnames", { zone_id: zoneId, id }, () =>
    invalidIdentifier("Web3 hostname", errorCodes.web3Hostnames.unknown),
  );
}

/** Errors: 400 code 1004 for a name outside the zone. */
export function parseName(text: string, zone: ZoneRow): string {
  const name = toAsciiName(text);
  if (name !== undefined && isWithin(name, zone.name) && isHostname(name)) return name;
  throw invalidRequest(
    errorCodes.web3Hostnames.invalid,
    `The name must be a hostname in ${zone.name}`,
    "/name",
  );
}

/** Errors: 400 code 1004. */
export function refuseDnsLink(target: Web3HostnameRow["target"], dnslink: string): void {
  if (target !== "ipfs" || dnslink === "" || isContentPath(dnslink)) return;
  throw invalidRequest(
    errorCodes.web3Hostnames.invalid,
    "dnslink must begin with /ipfs/ or /ipns/ and say of what",
    "/dnslink",
  );
}

/** Omits empty texts: declarative clients would plan to remove them. */
export function toWeb3Hostname(row: Web3HostnameRow, zone: ZoneRow): Web3Hostname {
  return {
    id: row.id,
    name: row.name,
    ...(row.description !== "" && { description: row.description }),
    status: zone.status === "active" ? "active" : "pending",
    target: row.target,
    ...(row.dnslink !== "" && { dnslink: row.dnslink }),
    created_on: row.created_on,
    modified_on: row.modified_on,
  };
}
