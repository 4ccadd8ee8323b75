import { hash } from "node:crypto";

import { checkSignersData, isSignersType } from "../../core/dns/dnssec/transferred-data.ts";
import { qualifyName } from "../../core/dns/content/name.ts";
import { parseRdata } from "../../core/dns/content/rdata.ts";
import { recordTypes, type RecordType } from "../../core/dns/content/record-types.ts";
import { typeName } from "../../core/dns/wire/codes.ts";
import type { ResourceRecord } from "../../core/dns/wire/message.ts";
import { foldName } from "../../core/dns/wire/names.ts";
import { octetsToBase64, WireError } from "../../core/dns/wire/octets.ts";
import { foldNamesIn } from "../../core/dns/wire/rdata-layouts.ts";
import { recordData } from "../../core/dns/wire/record-data.ts";
import { recordInput } from "../../core/dns/wire/record-input.ts";
import { AppError } from "../../core/error.ts";
import type { WireRecordRow } from "../../storage/schema/dns.ts";
import { identityOf, type RecordFields, toRecord, toRows } from "../dns-records/dns-records.ts";
import type { Transferred } from "../../core/dns/wire/transfer-reader.ts";
import type { Context } from "../../operation/context.ts";
import { createPause } from "../../operation/pause.ts";
import type { ZoneChangeWork } from "../../operation/scope.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { selectRow } from "../../storage/rows.ts";
import type { RecordTable } from "../../storage/shown-records.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { dnsRecordsChanged } from "../zones/zones.ts";
import {
  clearPortion,
  deleteRecords,
  hideFrom,
  insertStaged,
  noteHiding,
  selectGeneration,
  selectHidingZones,
  selectKeys,
  selectKeysAfter,
  showGeneration,
  type RecordKeys,
} from "./staging-store.ts";

/** A record of a transfer as it is stored: as one of the API, or as it came. */
interface TransferredRecord {
  readonly identity: string;
  readonly name: string;
  readonly ttl: number;
  readonly fields: RecordFields | undefined;
  /** The record as it came, where the API cannot express it. */
  readonly wire: Omit<WireRecordRow, "zone_id"> | undefined;
}

const knownTypes: ReadonlySet<string> = new Set(recordTypes);

/** A TTL of 1 would stand for an automatic one. */
const ttlMin = 2;
/** Larger ones stand for 0 (RFC 2181 section 8). */
const ttlMax = 0x7fff_ffff;

/**
 * A record as it is stored; undefined for one of a signer in a zone that is served without its primary's
 * signatures. In a presigned zone, what the API would change by a letter stays as it is: its signature would
 * be wrong. Throws a WireError for malformed data of a signer's record.
 */
function storedFrom(
  record: ResourceRecord,
  zoneName: string,
  isPresigned: boolean,
): TransferredRecord | undefined {
  const { type, rdata } = record;
  if (isSignersType(type)) {
    if (!isPresigned) return undefined;
    checkSignersData(type, rdata);
    return asItCame(record);
  }
  const fields = toFields(record, zoneName);
  if (fields === undefined) return asItCame(record);
  const isExact = foldNamesIn(type, recordData(fields.type, fields.rdata)) === foldNamesIn(type, rdata);
  if (isPresigned && !isExact) return asItCame(record);
  return { identity: identityOf(fields), name: fields.name, ttl: fields.ttl, fields, wire: undefined };
}

function asItCame({ name: owner, type, ttl: given, rdata }: ResourceRecord): TransferredRecord {
  const name = foldName(owner);
  const ttl = given > ttlMax ? 0 : given;
  const data = octetsToBase64(rdata);
  const identity = hash("sha256", `${name} ${type} ${data}`).slice(0, 32);
  return { identity, name, ttl, fields: undefined, wire: { identity, name, type, ttl, rdata: data } };
}

/** A record as the API has it; undefined for one that it cannot express. */
function toFields(
  { name, type: code, ttl, rdata }: ResourceRecord,
  zoneName: string,
): RecordFields | undefined {
  const type = typeName(code);
  if (!isRecordType(type)) return undefined;
  try {
    return {
      name: qualifyName(`${name}.`, zoneName),
      type,
      rdata: parseRdata(type, recordInput(type, rdata), zoneName),
      ttl: ttl === 1 ? ttlMin : ttl > ttlMax ? 0 : ttl,
      proxiable: false,
      proxied: false,
      comment: null,
      tags: [],
      settings: type === "CNAME" ? { flatten_cname: false } : {},
    };
  } catch (error) {
    if (error instanceof AppError || error instanceof WireError) return undefined;
    throw error;
  }
}

function isRecordType(type: string): type is RecordType {
  return knownTypes.has(type);
}

type Work = Pick<ZoneChangeWork, "tx" | "zone" | "context" | "now">;
type StagingContext = Pick<Context, "db" | "now" | "newId">;

/** Thrown where changes do not fit what the zone has: it has to be transferred as a whole. */
export class UnfitChanges extends Error {}

const recordsAtOnce = 250;
/** Changes of so many records are made in the transaction that shows them: they need no staging. */
const unstagedMax = 500;
const keysAtOnce = 1_000;
/** More than a change of a zone lists. */
const namesMax = 5_000;

/** The keys of records that a zone has. */
interface ZoneKeys {
  readonly records: readonly RecordKeys[];
  readonly wire: readonly RecordKeys[];
}

/** The zone that a transfer makes, ready to be shown in a short transaction, however much it is. */
interface StagedTransfer {
  readonly serial: number;
  /** The number of records that were left out: those of the signer of a zone that is not presigned. */
  readonly leftOut: number;
  readonly isPresigned: boolean;
  readonly recordsVersion: number;
  /**
   * The changes that the transaction which shows the transfer has to make itself; undefined where all of it
   * is stored.
   */
  readonly unstaged: ZoneDifference | undefined;
  /** The generation that the stored records belong to. */
  readonly generation: number;
  readonly countChange: number;
  readonly names: ReadonlySet<string>;
}

interface ZoneDifference {
  readonly leaving: ZoneKeys;
  readonly coming: readonly TransferredRecord[];
  /** The identities that records of both have, with other TTLs. */
  readonly replaced: ReadonlySet<string>;
}

/**
 * Stores the records of a transfer in portions, each in a transaction of its own, so that nobody sees them
 * yet: readers have the zone as it was until `showTransferred`. Give it up by `clearStaging`. Undefined for a
 * transfer that brought nothing. Throws UnfitChanges, and a WireError for malformed records of a signer.
 */
export async function stageTransferred(
  context: StagingContext,
  zone: ZoneRow,
  transferred: Transferred,
): Promise<StagedTransfer | undefined> {
  if (transferred.kind === "current") return undefined;
  await clearStaging(context, zone.id);
  const { read } = context.db;
  const isPresigned = await isPresignedZone(read, zone.id);
  const { difference, leftOut } =
    transferred.kind === "whole"
      ? await differenceOfWhole(read, zone, isPresigned, transferred.records)
      : await differenceOfChanges(read, zone, isPresigned, transferred.steps);
  const { leaving, coming } = difference;
  const size = leaving.records.length + leaving.wire.length + coming.length;
  const generation = (await selectGeneration(read, zone.id)) + 1;
  const isUnstaged = size <= unstagedMax;
  if (!isUnstaged) await stage(context, zone, difference, generation);
  const added = coming.reduce((count, { fields }) => count + Number(fields !== undefined), 0);
  return {
    serial: transferred.soa.serial,
    leftOut,
    isPresigned,
    recordsVersion: zone.dns_records_version,
    unstaged: isUnstaged ? difference : undefined,
    generation,
    countChange: added - leaving.records.length,
    names: namesOf(leaving.records, leaving.wire, coming),
  };
}

/**
 * Shows what was staged, with its serial. Throws UnfitChanges where the zone has become another one
 * meanwhile.
 */
export async function showTransferred(work: Work, staged: StagedTransfer): Promise<void> {
  const { tx, zone, now } = work;
  const { generation, unstaged, countChange, names, serial } = staged;
  const isSame =
    zone.type === "secondary" &&
    zone.dns_records_version === staged.recordsVersion &&
    (zone.records_generation ?? 0) === generation - 1 &&
    (await isPresignedZone(tx, zone.id)) === staged.isPresigned;
  if (!isSame) throw new UnfitChanges("the zone has changed meanwhile");
  if (unstaged === undefined) await showGeneration(tx, zone.id, generation);
  else await replace(work, unstaged);
  await dnsRecordsChanged(tx, zone, { countChange, names, now, serial });
}

/**
 * Deletes in portions what a zone does not show: replaced records, and those of transfers that came to
 * nothing.
 */
export async function clearStaging({ db }: Pick<Context, "db">, zoneId: string): Promise<void> {
  const zone = await selectRow(db.read, "zones", { id: zoneId });
  if (zone?.hides_records !== 1) return;
  const pause = createPause();
  while (await db.transaction((tx) => clearPortion(tx, zoneId, recordsAtOnce))) await pause();
  await db.transaction((tx) => noteHiding(tx, zoneId, 0));
}

/** The zones that hide records. */
export function listStagedZones(db: Db): Promise<readonly string[]> {
  return selectHidingZones(db);
}

async function isPresignedZone(db: Db, zoneId: string): Promise<boolean> {
  return (await selectRow(db, "zone_dnssec", { zone_id: zoneId }))?.presigned === 1;
}

/** The names of what changes, as far as they are looked at: of more of them, a zone is read whole. */
function namesOf(...lists: readonly (readonly { readonly name: string }[])[]): Set<string> {
  const names = new Set<string>();
  for (const list of lists) {
    for (const { name } of list) {
      if (names.size > namesMax) return names;
      names.add(name);
    }
  }
  return names;
}

interface Found {
  readonly difference: ZoneDifference;
  readonly leftOut: number;
}

async function differenceOfWhole(
  db: Db,
  zone: ZoneRow,
  isPresigned: boolean,
  records: readonly ResourceRecord[],
): Promise<Found> {
  const pause = createPause();
  const ttlOf = new Map<string, number>();
  const allOf = async (table: RecordTable): Promise<RecordKeys[]> => {
    const found: RecordKeys[] = [];
    for (let after: string | undefined = ""; after !== undefined;) {
      const rows: readonly RecordKeys[] = await selectKeysAfter(db, table, zone.id, after, keysAtOnce);
      for (const row of rows) {
        ttlOf.set(row.identity, row.ttl);
        found.push(row);
      }
      after = rows.at(-1)?.identity;
      await pause();
    }
    return found;
  };
  const keys = {
    records: await allOf("dns_records"),
    wire: await allOf("wire_records"),
  };
  const known = new Set<string>();
  const staying = new Set<string>();
  const replaced = new Set<string>();
  const coming: TransferredRecord[] = [];
  let leftOut = 0;
  for (const [looked, record] of records.entries()) {
    if (looked % recordsAtOnce === 0) await pause();
    const stored = storedFrom(record, zone.name, isPresigned);
    if (stored === undefined) {
      leftOut += 1;
      continue;
    }
    const { identity } = stored;
    if (known.has(identity)) continue;
    known.add(identity);
    if (ttlOf.get(identity) === stored.ttl) {
      staying.add(identity);
      continue;
    }
    if (ttlOf.has(identity)) replaced.add(identity);
    coming.push(stored);
  }
  const leaves = ({ identity }: { readonly identity: string }): boolean => !staying.has(identity);
  const leaving = { records: keys.records.filter(leaves), wire: keys.wire.filter(leaves) };
  return { difference: { leaving, coming, replaced }, leftOut };
}

async function differenceOfChanges(
  db: Db,
  zone: ZoneRow,
  isPresigned: boolean,
  steps: Extract<Transferred, { kind: "changes" }>["steps"],
): Promise<Found> {
  /** Whether a record was there before the first of the steps that name it, and what it is after the last. */
  const changed = new Map<
    string,
    { readonly wasThere: boolean; readonly isWire: boolean; after: TransferredRecord | undefined }
  >();
  const pause = createPause();
  let looked = 0;
  let leftOut = 0;
  const note = async (record: ResourceRecord, isAdded: boolean): Promise<void> => {
    looked += 1;
    if (looked % recordsAtOnce === 0) await pause();
    const stored = storedFrom(record, zone.name, isPresigned);
    if (stored === undefined) {
      leftOut += 1;
      return;
    }
    const after = isAdded ? stored : undefined;
    const known = changed.get(stored.identity);
    if (known !== undefined) known.after = after;
    else changed.set(stored.identity, { wasThere: !isAdded, isWire: stored.wire !== undefined, after });
  };
  for (const { removed, added } of steps) {
    for (const record of removed) await note(record, false);
    for (const record of added) await note(record, true);
  }
  const changedOf = (isWire: boolean): string[] =>
    Array.from(changed).flatMap(([identity, one]) => (one.isWire === isWire ? [identity] : []));
  const leaving = {
    records: await selectKeys(db, "dns_records", zone.id, changedOf(false)),
    wire: await selectKeys(db, "wire_records", zone.id, changedOf(true)),
  };
  const there = new Set([...leaving.records, ...leaving.wire].map(({ identity }) => identity));
  const isFit = Array.from(changed).every(([identity, { wasThere }]) => wasThere === there.has(identity));
  if (!isFit) throw new UnfitChanges("the changes do not fit the zone");
  const coming = Array.from(changed.values()).flatMap(({ after }) => after ?? []);
  const replaced = new Set(coming.flatMap(({ identity }) => (there.has(identity) ? [identity] : [])));
  return { difference: { leaving, coming, replaced }, leftOut };
}

async function stage(
  context: StagingContext,
  zone: ZoneRow,
  { leaving, coming, replaced: marked }: ZoneDifference,
  generation: number,
): Promise<void> {
  const { db } = context;
  const pause = createPause();
  await db.transaction((tx) => noteHiding(tx, zone.id, 1));
  for (let at = 0; at < coming.length; at += recordsAtOnce) {
    const rows = rowsOf(context, zone, context.now(), coming.slice(at, at + recordsAtOnce));
    await db.transaction((tx) => insertStaged(tx, rows, { shown_from: generation, marked }));
    await pause();
  }
  for (const { records, wire } of portions(leaving)) {
    const hidden = (keys: readonly RecordKeys[]) => ({
      identities: identitiesOf(keys),
      shown_until: generation,
    });
    await db.transaction(async (tx) => {
      await hideFrom(tx, "dns_records", zone.id, hidden(records));
      await hideFrom(tx, "wire_records", zone.id, hidden(wire));
    });
    await pause();
  }
}

async function replace({ tx, zone, context, now }: Work, { leaving, coming }: ZoneDifference): Promise<void> {
  for (const { records, wire } of portions(leaving)) {
    await deleteRecords(tx, "dns_records", zone.id, identitiesOf(records));
    await deleteRecords(tx, "wire_records", zone.id, identitiesOf(wire));
  }
  for (let at = 0; at < coming.length; at += recordsAtOnce) {
    const rows = rowsOf(context, zone, now, coming.slice(at, at + recordsAtOnce));
    await insertStaged(tx, rows, { shown_from: 0, marked: new Set() });
  }
}

function identitiesOf(keys: readonly RecordKeys[]): string[] {
  return keys.map(({ identity }) => identity);
}

function rowsOf(
  { newId }: Pick<Context, "newId">,
  zone: ZoneRow,
  now: Date,
  records: readonly TransferredRecord[],
): Parameters<typeof insertStaged>[1] {
  return {
    records: records.flatMap(({ fields, identity }) => {
      if (fields === undefined) return [];
      return [toRows(toRecord(fields, { id: newId(), zone, now: toTimestamp(now) }), identity)];
    }),
    wire: records.flatMap(({ wire }) => (wire === undefined ? [] : [{ ...wire, zone_id: zone.id }])),
  };
}

function* portions({ records, wire }: ZoneKeys): Generator<ZoneKeys, void, undefined> {
  const end = Math.max(records.length, wire.length);
  for (let at = 0; at < end; at += recordsAtOnce) {
    yield { records: records.slice(at, at + recordsAtOnce), wire: wire.slice(at, at + recordsAtOnce) };
  }
}
