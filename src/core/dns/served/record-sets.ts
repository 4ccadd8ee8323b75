import type { Hash } from "../dnssec/keys.ts";
import { isSignersType, signedTypeOf } from "../dnssec/transferred-data.ts";
import type { Rdata, RecordType } from "../content/record-types.ts";
import { primaryOf, timesOf, type ZoneApex } from "./apex.ts";
import { typeCodes } from "../wire/codes.ts";
import { nameToOctets } from "../wire/names.ts";
import { fourOctets } from "../wire/octets.ts";
import { type RecordSet, addressData, recordData } from "../wire/record-data.ts";

export interface StoredRecord extends Rdata {
  readonly type: RecordType;
  /** Seconds; 1 is automatic. */
  readonly ttl: number;
  readonly proxied: boolean;
  readonly settings: Readonly<Record<string, boolean>>;
}

/** A record that the API cannot express, as it was transferred. */
export interface WireRecord {
  readonly typeCode: number;
  /** Seconds. */
  readonly ttl: number;
  /** Octets, with names uncompressed. */
  readonly rdata: string;
}

export type ZoneRecord = StoredRecord | WireRecord;

/** Settings of a zone that decide which record sets its records become. */
export interface ServingRules {
  /** Its share of caches and counters bears its answers. */
  readonly accountId?: string;
  /**
   * The sets that every proxied name is answered with; undefined while nothing is proxied, as in a paused
   * zone.
   */
  readonly edge: EdgeSets | undefined;
  /** Whether every CNAME that is not proxied is answered with the addresses of its target. */
  readonly flattensAll: boolean;
  /** Whether NS records at the apex are served together with the zone's own name servers. */
  readonly isMultiProvider?: boolean;
  /** For a zone that is served with the signatures of its primary server; undefined for any other. */
  readonly presigned?: { readonly sha1: Hash } | undefined;
}

/** The addresses of the edge, A and AAAA; undefined for none of that version. */
export interface EdgeSets {
  readonly ipv4: RecordSet | undefined;
  readonly ipv6: RecordSet | undefined;
}

/** A CNAME that is answered with the addresses of its target. */
export interface FlattenedCname {
  /** Without final dot. */
  readonly target: string;
  readonly ttl: number;
}

export interface ServedName {
  readonly sets: readonly RecordSet[];
  readonly flattened: FlattenedCname | undefined;
}

/** The TTL of proxied records, and of records whose stored TTL is 1 (automatic). */
export const automaticTtl = 300;

export function edgeSets(addresses: readonly string[]): EdgeSets {
  const setOf = (type: number, of: readonly string[]): RecordSet | undefined =>
    of.length === 0 ? undefined : { type, ttl: automaticTtl, rdatas: of.map(addressData) };
  return {
    ipv4: setOf(
      typeCodes.A,
      addresses.filter((address) => !address.includes(":")),
    ),
    ipv6: setOf(
      typeCodes.AAAA,
      addresses.filter((address) => address.includes(":")),
    ),
  };
}

const addressTypes: ReadonlySet<RecordType> = new Set(["A", "AAAA", "CNAME"]);

/**
 * The record sets of a name that has these records. A CNAME that is neither proxied nor flattened is served
 * alone (RFC 1034 section 3.6.2). NS records at the apex are served only in a zone with several providers.
 */
export function servedName(
  all: readonly ZoneRecord[],
  isApex: boolean,
  { edge, flattensAll, isMultiProvider = false, presigned }: ServingRules,
): ServedName {
  const dropsServers = isApex && !isMultiProvider;
  const records = all.filter((record) => "content" in record);
  const wire =
    records.length === all.length
      ? []
      : all.filter((record): record is WireRecord => isServedWire(record, presigned !== undefined));
  const proxied = edge === undefined ? [] : records.filter((record) => record.proxied);
  if (proxied.length > 0) {
    const others = records.filter(({ type }) => !addressTypes.has(type));
    return {
      sets: [...edgeSetsOf(proxied, edge), ...setsOf([...others, ...wire], dropsServers)],
      flattened: undefined,
    };
  }
  const cname = records.find(({ type }) => type === "CNAME");
  if (cname === undefined) return { sets: setsOf([...records, ...wire], dropsServers), flattened: undefined };
  if (!isApex && !flattensAll && cname.settings["flatten_cname"] !== true) {
    return { sets: setsOf([cname, ...wire], dropsServers), flattened: undefined };
  }
  const others = records.filter(({ type }) => type !== "CNAME");
  return {
    sets: setsOf([...others, ...wire], dropsServers),
    flattened: { target: cname.content, ttl: servedTtl(cname) },
  };
}

/** Records that the signer of a zone adds to it are served only together with all signatures. */
function isServedWire(record: ZoneRecord, isPresigned: boolean): boolean {
  return "typeCode" in record && (isPresigned || !isSignersType(record.typeCode));
}

function edgeSetsOf(proxied: readonly StoredRecord[], edge: EdgeSets | undefined): RecordSet[] {
  const has = (setting: string): boolean => proxied.some(({ settings }) => settings[setting] === true);
  return [has("ipv6_only") ? undefined : edge?.ipv4, has("ipv4_only") ? undefined : edge?.ipv6].filter(
    (set) => set !== undefined,
  );
}

function setsOf(records: readonly ZoneRecord[], dropsServers: boolean): RecordSet[] {
  const sets = new Map<number, { type: number; ttl: number; rdatas: string[] }>();
  for (const record of records) {
    const { type, ttl, rdata } = toWire(record);
    if (dropsServers && type === typeCodes.NS) continue;
    // Signatures have the TTLs of what they sign (RFC 4034 section 3).
    const key = type === typeCodes.RRSIG ? signedTypeOf(rdata) + typesEnd : type;
    const set = sets.get(key);
    if (set === undefined) {
      sets.set(key, { type, ttl, rdatas: [rdata] });
      continue;
    }
    // All records of a set have one TTL (RFC 2181 section 5.2).
    set.ttl = Math.min(set.ttl, ttl);
    if (!set.rdatas.includes(rdata)) set.rdatas.push(rdata);
  }
  // With `Array.from` or a spread of `set`, each set of a zone takes 56 octets more.
  return [...sets.values()].map(({ type, ttl, rdatas }) => ({ type, ttl, rdatas }));
}

const typesEnd = 0x1_0000;

function toWire(record: ZoneRecord): { readonly type: number; readonly ttl: number; readonly rdata: string } {
  if ("typeCode" in record) return { type: record.typeCode, ttl: record.ttl, rdata: record.rdata };
  return { type: typeCodes[record.type], ttl: servedTtl(record), rdata: recordData(record.type, record) };
}

function servedTtl({ ttl }: StoredRecord): number {
  return ttl === 1 ? automaticTtl : ttl;
}

/** The SOA and NS sets of a zone, and the SOA set of its negative answers (RFC 2308 section 3). */
export function apexSets(apex: ZoneApex): {
  readonly soa: RecordSet;
  readonly negativeSoa: RecordSet;
  readonly nameServers: RecordSet;
} {
  const { nameServers, hostmaster, serial } = apex;
  const { refresh, retry, expire, minimum, soaTtl, nameServerTtl } = timesOf(apex);
  const rdata = [
    nameToOctets(primaryOf(apex)),
    nameToOctets(hostmaster),
    ...[serial, refresh, retry, expire, minimum].map(fourOctets),
  ].join("");
  const soa = { type: typeCodes.SOA, ttl: soaTtl, rdatas: [rdata] };
  return {
    soa,
    negativeSoa: { ...soa, ttl: Math.min(soaTtl, minimum) },
    nameServers: { type: typeCodes.NS, ttl: nameServerTtl, rdatas: nameServers.map(nameToOctets) },
  };
}

/** The sets of an apex, with the name servers of the zone and, where it has some of others, these too. */
export function withNameServers(sets: readonly RecordSet[], own: RecordSet): RecordSet[] {
  if (own.rdatas.length === 0) return [...sets];
  const others = sets.find(({ type }) => type === typeCodes.NS)?.rdatas ?? [];
  const nameServers = { ...own, rdatas: [...new Set([...own.rdatas, ...others])] };
  return [nameServers, ...sets.filter(({ type }) => type !== typeCodes.NS)];
}
