import type { ZoneApex } from "../../core/dns/served/apex.ts";
import { dnsSettingsOf, type DnsSettings } from "../../core/dns/served/dns-settings.ts";
import type { WireRecord, ZoneRecord } from "../../core/dns/served/record-sets.ts";
import type { ZoneOwner } from "../../core/dns/names/name-authority.ts";
import { base64ToOctets } from "../../core/dns/wire/octets.ts";
import { fromJson } from "../../storage/columns.ts";
import type { ChangedZones } from "../../storage/changes.ts";
import type { Db } from "../../storage/tables.ts";
import type { WireRecordRow } from "../../storage/schema/dns.ts";
import { toStoredRecord, type DnsRecord } from "../dns-records/dns-records.ts";
import { apexOfZone, ownerOf, type ZoneContext } from "../zones/zones.ts";
import {
  selectDelegations,
  selectDnsChanges,
  selectRecordsAfter,
  selectRecordsAt,
  selectServedZones,
  type NamePosition,
  type SignedWith,
} from "./store.ts";
import { isAnyWireRecord, selectWireRecordsAfter, selectWireRecordsAt } from "./wire-record-store.ts";

/** A zone that name servers answer for, apart from its records. */
export interface ServedZone {
  readonly id: string;
  readonly owner: ZoneOwner;
  /** False for one whose name servers are others', which has a say in names below it alone. */
  readonly isHosted: boolean;
  readonly apex: ZoneApex;
  /**
   * Whether it has records to answer with: not before the first transfer to us, nor once that has expired.
   */
  readonly isAvailable: boolean;
  /** `dns_records_version` of the zone. */
  readonly recordsVersion: number;
  readonly dnsSettings: DnsSettings;
  /** Whether proxied names have the addresses of the edge. */
  readonly isProxying: boolean;
  readonly flattensAll: boolean;
  /** Whether proxied names have AAAA records. */
  readonly hasIpv6: boolean;
  /** Undefined for a zone that is not signed. */
  readonly signedWith: SignedWith | undefined;
  /** Whether it is a copy of a zone of other name servers. */
  readonly isSecondary: boolean;
  /** Whether it is served with the signatures of its primary server. */
  readonly isPresigned: boolean;
  /** Whether peers may transfer it. */
  readonly isTransferred: boolean;
}

export type RecordsByName = ReadonlyMap<string, readonly ZoneRecord[]>;

const portionRecords = 500;
/** The number of parameters that a statement of either engine takes with ease. */
const namesAtOnce = 500;

/**
 * The active zones among these; all of them without. Those of the type `internal` are left out: they are no
 * part of the public DNS.
 */
export async function findServedZones(
  { settings }: Pick<ZoneContext, "settings">,
  db: Db,
  among: ChangedZones | undefined,
): Promise<ServedZone[]> {
  const rows = await selectServedZones(db, among);
  return rows.map(
    ({
      zone: row,
      dnsSettings: changed,
      flattening,
      ipv6,
      isDnsOnly,
      signedWith,
      isTransferred,
      transferred,
      isAvailable,
    }) => {
      const dnsSettings = dnsSettingsOf(settings.vendor, changed === null ? {} : fromJson(changed));
      const isSecondary = row.type === "secondary";
      const isPresigned = isSecondary && signedWith?.presigned === 1;
      return {
        id: row.id,
        owner: ownerOf(row, settings),
        isHosted: row.type !== "partial",
        apex: apexOfZone(row, settings, dnsSettings, transferred),
        recordsVersion: row.dns_records_version,
        dnsSettings,
        isProxying: row.paused === 0 && !isDnsOnly && dnsSettings.zone_mode === "standard",
        // The signatures are of the CNAMEs.
        flattensAll: !isPresigned && (dnsSettings.flatten_all_cnames || flattening === "flatten_all"),
        // The edge has IPv6 unless somebody says otherwise.
        hasIpv6: ipv6 !== "off",
        signedWith: isPresigned ? undefined : signedWith,
        isSecondary,
        isPresigned,
        isTransferred,
        isAvailable,
      };
    },
  );
}

/** The names below a zone that its NS records delegate, with the servers that they name. */
export async function readDelegations(db: Db, zoneId: string): Promise<ReadonlyMap<string, string[]>> {
  const servers = new Map<string, string[]>();
  for (const { name, record } of await selectDelegations(db, zoneId)) {
    const { content } = JSON.parse(record) as DnsRecord;
    servers.set(name, [...(servers.get(name) ?? []), content.toLowerCase()]);
  }
  return servers;
}

/** The records at each of the names, none where there are none any more. */
export async function findRecordsAt(
  db: Db,
  zone: Pick<ServedZone, "id" | "isSecondary">,
  names: ReadonlySet<string>,
): Promise<RecordsByName> {
  return (await findVersionedRecordsAt(db, zone, names)).records;
}

/** The same, with the version of the zone's records when the last of them were read; undefined without names. */
export async function findVersionedRecordsAt(
  db: Db,
  { id, isSecondary }: Pick<ServedZone, "id" | "isSecondary">,
  names: ReadonlySet<string>,
): Promise<{ readonly records: RecordsByName; readonly version: number | undefined }> {
  const wire = new Map<string, ZoneRecord[]>(Array.from(names, (name) => [name, []]));
  if (isSecondary) await addWireRecords(db, id, wire);
  const { found, version } = await readVersionedRecordsAt(db, id, [...names]);
  const records = new Map<string, ZoneRecord[]>(Array.from(names, (name) => [name, []]));
  for (const record of found) records.get(record.name)?.push(toStoredRecord(record));
  for (const [name, its] of wire) records.get(name)?.push(...its);
  return { records, version };
}

/** Adds the records that the API cannot express to those of their names. */
async function addWireRecords(
  db: Db,
  zoneId: string,
  byName: ReadonlyMap<string, ZoneRecord[]>,
): Promise<void> {
  const names = [...byName.keys()];
  for (let at = 0; at < names.length; at += namesAtOnce) {
    for (const row of await selectWireRecordsAt(db, zoneId, names.slice(at, at + namesAtOnce))) {
      byName.get(row.name)?.push(toWireRecord(row));
    }
  }
}

function toWireRecord({ type, ttl, rdata }: WireRecordRow): WireRecord {
  return { typeCode: type, ttl, rdata: base64ToOctets(rdata) };
}

export async function readRecordsAt(db: Db, zoneId: string, names: readonly string[]): Promise<DnsRecord[]> {
  return (await readVersionedRecordsAt(db, zoneId, names)).found;
}

async function readVersionedRecordsAt(db: Db, zoneId: string, names: readonly string[]) {
  const found: DnsRecord[] = [];
  let version: number | undefined;
  for (let at = 0; at < names.length; at += namesAtOnce) {
    for (const row of await selectRecordsAt(db, zoneId, names.slice(at, at + namesAtOnce))) {
      ({ version } = row);
      if (row.record !== null) found.push(JSON.parse(row.record) as DnsRecord);
    }
  }
  return { found, version };
}

/** All records of a zone, in portions; those of one name are in one portion. */
export async function* streamRecordsByName(
  db: Db,
  { id: zoneId, isSecondary }: Pick<ServedZone, "id" | "isSecondary">,
): AsyncGenerator<RecordsByName, void, undefined> {
  const hasWireRecords = isSecondary && (await isAnyWireRecord(db, zoneId));
  let position: NamePosition = { name: "", id: "" };
  const portions = groupByName(async () => {
    const rows = await selectRecordsAfter(db, zoneId, position, portionRecords);
    position = rows.at(-1) ?? position;
    return rows.map(({ name, record }) => ({
      name,
      record: toStoredRecord(JSON.parse(record) as DnsRecord),
    }));
  });
  for await (const portion of portions) {
    if (hasWireRecords) await addWireRecords(db, zoneId, portion);
    yield portion;
  }
  if (!hasWireRecords) return;
  let wirePosition = { name: "", identity: "" };
  yield* groupByName(async () => {
    const rows = await selectWireRecordsAfter(db, zoneId, wirePosition, portionRecords);
    wirePosition = rows.at(-1) ?? wirePosition;
    return rows.map((row) => ({ name: row.name, record: toWireRecord(row) }));
  });
}

/** Reads portions of records in the order of their names until one is not full, and groups each by name. */
async function* groupByName(
  readPortion: () => Promise<readonly { readonly name: string; readonly record: ZoneRecord }[]>,
): AsyncGenerator<Map<string, ZoneRecord[]>, void, undefined> {
  let open: { readonly name: string; readonly records: ZoneRecord[] } | undefined;
  for (;;) {
    const rows = await readPortion();
    const complete = new Map<string, ZoneRecord[]>();
    for (const { name, record } of rows) {
      if (open !== undefined && open.name !== name) complete.set(open.name, open.records);
      if (open?.name !== name) open = { name, records: [] };
      open.records.push(record);
    }
    const isLast = rows.length < portionRecords;
    if (isLast && open !== undefined) complete.set(open.name, open.records);
    yield complete;
    if (isLast) return;
  }
}

/**
 * The names at which records changed after one version and up to another; undefined where that is not known
 * any more.
 */
export async function findChangedNames(
  db: Db,
  zoneId: string,
  after: number,
  upTo: number,
): Promise<ReadonlySet<string> | undefined> {
  const changes = await selectDnsChanges(db, { zoneId, after, upTo });
  if (changes.length !== upTo - after) return undefined;
  const names = new Set<string>();
  for (const { names: listed } of changes) {
    if (listed === null) return undefined;
    for (const name of fromJson(listed)) names.add(name);
  }
  return names;
}
