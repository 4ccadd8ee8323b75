import type { Caller } from "../../core/caller.ts";
import { isHostname, toAsciiName } from "../../core/dns/name.ts";
import { AppError } from "../../core/error.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Db, Web3HostnameRow, ZoneRow } from "../../storage/tables.ts";
import { recordChanges, type ChangeSubject } from "../../operation/audit.ts";
import type { Context } from "../../operation/context.ts";
import { findZone, lockZone } from "../../operation/scope.ts";
import { plans } from "../zones/zones.ts";
import { isContentPath } from "./content.ts";
import type { CreateWeb3HostnameBody, EditWeb3HostnameBody, Web3Hostname } from "./schema.ts";
import {
  deleteWeb3HostnameRow,
  insertWeb3Hostname,
  selectWeb3Hostname,
  selectWeb3Hostnames,
  updateWeb3Hostname,
} from "./store.ts";

/** All Web3 hostnames of a zone by name, not paginated. Errors: 404 code 1001. */
export async function listWeb3Hostnames({ db }: Context, zoneId: string): Promise<Web3Hostname[]> {
  const zone = await findZone(db.read, zoneId);
  const rows = await selectWeb3Hostnames(db.read, zoneId);
  return rows.map((row) => toWeb3Hostname(row, zone));
}

/** Errors: 404 code 1001 for the zone, 404 code 1002 for the hostname. */
export async function getWeb3Hostname({ db }: Context, zoneId: string, id: string): Promise<Web3Hostname> {
  const zone = await findZone(db.read, zoneId);
  return toWeb3Hostname(await findWeb3Hostname(db.read, zoneId, id), zone);
}

/**
 * Errors: 400 code 1004 for a name outside the zone or a DNSLink that is none, 1005 for a name that the zone
 * has, 1006 above the quota of the plan; 404 code 1001.
 */
export async function createWeb3Hostname(
  context: Context,
  caller: Caller,
  zoneId: string,
  body: CreateWeb3HostnameBody,
): Promise<Web3Hostname> {
  return context.db.transaction(async (tx) => {
    const zone = await lockZone(tx, zoneId);
    const name = parseName(body.name, zone);
    const { target } = body;
    const [description, dnslink] = [body.description ?? "", body.dnslink ?? ""];
    refuseDnsLink(target, dnslink);
    const earlier = await selectWeb3Hostnames(tx, zone.id);
    if (earlier.some((row) => row.name === name)) {
      throw new AppError("invalid", 1005, `${name} is already a Web3 hostname`, { pointer: "/name" });
    }
    const quota = plans[zone.plan].web3HostnameQuota;
    if (earlier.length >= quota) {
      throw new AppError("invalid", 1006, `The zone already has its maximum of ${quota} Web3 hostnames`);
    }
    const created_on = toTimestamp(context.now());
    const row: Web3HostnameRow = {
      id: context.newId(),
      zone_id: zone.id,
      name,
      target,
      description,
      dnslink,
      created_on,
      modified_on: created_on,
    };
    await insertWeb3Hostname(tx, row);
    const after = toWeb3Hostname(row, zone);
    await recordChanges(context, tx, caller, [
      { action: "web3_hostname_add", ...subjectOf(zone, row), after },
    ]);
    return after;
  });
}

/** Changes a hostname: what is left out stays. Errors: as `getWeb3Hostname`, and 400 code 1004. */
export async function editWeb3Hostname(
  context: Context,
  caller: Caller,
  zoneId: string,
  id: string,
  body: EditWeb3HostnameBody,
): Promise<Web3Hostname> {
  return context.db.transaction(async (tx) => {
    const zone = await lockZone(tx, zoneId);
    const row = await findWeb3Hostname(tx, zoneId, id);
    const [description, dnslink] = [
      textAfter(row.description, body.description),
      textAfter(row.dnslink, body.dnslink),
    ];
    refuseDnsLink(row.target, dnslink);
    const changed = { description, dnslink, modified_on: toTimestamp(context.now()) };
    await updateWeb3Hostname(tx, id, changed);
    const [before, after] = [toWeb3Hostname(row, zone), toWeb3Hostname({ ...row, ...changed }, zone)];
    await recordChanges(context, tx, caller, [
      { action: "web3_hostname_edit", ...subjectOf(zone, row), before, after },
    ]);
    return after;
  });
}

/** Errors: as `getWeb3Hostname`. */
export async function deleteWeb3Hostname(
  context: Context,
  caller: Caller,
  zoneId: string,
  id: string,
): Promise<{ id: string }> {
  return context.db.transaction(async (tx) => {
    const zone = await lockZone(tx, zoneId);
    const row = await findWeb3Hostname(tx, zoneId, id);
    await deleteWeb3HostnameRow(tx, id);
    await recordChanges(context, tx, caller, [
      { action: "web3_hostname_delete", ...subjectOf(zone, row), before: toWeb3Hostname(row, zone) },
    ]);
    return { id };
  });
}

/** Errors: 404 code 1002. */
export async function findWeb3Hostname(db: Db, zoneId: string, id: string): Promise<Web3HostnameRow> {
  const row = await selectWeb3Hostname(db, zoneId, id);
  if (row === undefined) throw new AppError("not-found", 1002, "Invalid Web3 hostname identifier");
  return row;
}

function parseName(text: string, zone: ZoneRow): string {
  const name = toAsciiName(text);
  const isOfZone = name === zone.name || name?.endsWith(`.${zone.name}`) === true;
  if (name !== undefined && isOfZone && isHostname(name)) return name;
  throw new AppError("invalid", 1004, `The name must be a hostname in ${zone.name}`, { pointer: "/name" });
}

function refuseDnsLink(target: Web3HostnameRow["target"], dnslink: string): void {
  if (target !== "ipfs" || dnslink === "" || isContentPath(dnslink)) return;
  throw new AppError("invalid", 1004, "dnslink must begin with /ipfs/ or /ipns/ and say of what", {
    pointer: "/dnslink",
  });
}

/** What is left out stays; null means none. */
function textAfter(before: string, sent: string | null | undefined): string {
  return sent === undefined ? before : (sent ?? "");
}

/** A text that is not set is left out: declarative clients would plan to remove an empty one. */
function toWeb3Hostname(row: Web3HostnameRow, zone: ZoneRow): Web3Hostname {
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

function subjectOf(zone: ZoneRow, { id }: Web3HostnameRow): ChangeSubject {
  return { owner: { zone }, resource: { type: "web3_hostname", id } };
}
