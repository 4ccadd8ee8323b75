import { isHostname, toAsciiName } from "../../core/dns/name.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError, invalidIdentifier } from "../../core/error.ts";
import type { Db, Web3HostnameRow, ZoneRow } from "../../storage/tables.ts";
import { isContentPath } from "./content.ts";
import type { Web3Hostname } from "./schema.ts";
import { selectWeb3Hostname } from "./store.ts";

/** Errors: 404 code 1002. */
export async function findWeb3Hostname(db: Db, zoneId: string, id: string): Promise<Web3HostnameRow> {
  const row = await selectWeb3Hostname(db, zoneId, id);
  if (row === undefined) throw invalidIdentifier("Web3 hostname", errorCodes.web3Hostnames.unknown);
  return row;
}

/** Errors: 400 code 1004 for a name outside the zone. */
export function parseName(text: string, zone: ZoneRow): string {
  const name = toAsciiName(text);
  const isOfZone = name === zone.name || name?.endsWith(`.${zone.name}`) === true;
  if (name !== undefined && isOfZone && isHostname(name)) return name;
  throw new AppError(
    "invalid",
    errorCodes.web3Hostnames.invalid,
    `The name must be a hostname in ${zone.name}`,
    { pointer: "/name" },
  );
}

/** Errors: 400 code 1004. */
export function refuseDnsLink(target: Web3HostnameRow["target"], dnslink: string): void {
  if (target !== "ipfs" || dnslink === "" || isContentPath(dnslink)) return;
  throw new AppError(
    "invalid",
    errorCodes.web3Hostnames.invalid,
    "dnslink must begin with /ipfs/ or /ipns/ and say of what",
    { pointer: "/dnslink" },
  );
}

/** A text that is not set is left out: declarative clients would plan to remove an empty one. */
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
