import type { Transferred } from "../../core/dns/transfer-reader.ts";
import type { ResourceRecord } from "../../core/dns/wire/message.ts";
import { createPause } from "../../operation/pause.ts";
import type { ZoneChangeWork } from "../../operation/zone-unit-of-work.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { selectRow } from "../../storage/rows.ts";
import { dnsRecordsChanged } from "../zones/zones.ts";
import { toRecord } from "./record.ts";
import { toRows } from "./record-row.ts";
import { deleteRecords, insertRecords, selectAllKeys, selectKeys, type RecordKeys } from "./store.ts";
import { storedFrom, type TransferredRecord } from "./transferred-record.ts";
import {
  deleteWireRecords,
  insertWireRecords,
  selectAllWireKeys,
  selectWireKeys,
  type WireKeys,
} from "./wire-record-store.ts";

type Work = Pick<ZoneChangeWork, "tx" | "zone" | "context" | "now">;

/** Thrown where changes do not fit what the zone has: it has to be transferred as a whole. */
export class UnfitChanges extends Error {}

const recordsAtOnce = 250;

/** The keys of records that a zone has. */
interface ZoneKeys {
  readonly records: readonly RecordKeys[];
  readonly wire: readonly WireKeys[];
}

/**
 * Applies the records and the serial of a transfer to a zone. Returns how many records were left out: those of the signer of a
 * zone that is not presigned. Throws UnfitChanges, and a WireError for malformed records of a signer.
 */
export async function applyTransferred(work: Work, transferred: Transferred): Promise<number> {
  if (transferred.kind === "current") return 0;
  const { tx, zone } = work;
  const isPresigned = (await selectRow(tx, "zone_dnssec", { zone_id: zone.id }))?.presigned === 1;
  return transferred.kind === "whole"
    ? applyWhole(work, isPresigned, transferred)
    : applyChanges(work, isPresigned, transferred);
}

async function applyWhole(
  work: Work,
  isPresigned: boolean,
  { soa, records }: Extract<Transferred, { kind: "whole" }>,
): Promise<number> {
  const { tx, zone } = work;
  const pause = createPause();
  const keys = {
    records: await selectAllKeys(tx, zone.id),
    wire: await selectAllWireKeys(tx, zone.id),
  };
  const ttlOf = new Map([...keys.records, ...keys.wire].map(({ identity, ttl }) => [identity, ttl]));
  const known = new Set<string>();
  const staying = new Set<string>();
  const coming: TransferredRecord[] = [];
  let leftOut = 0;
  for (const record of records) {
    const stored = storedFrom(record, zone.name, isPresigned);
    if (stored === undefined) {
      leftOut += 1;
      continue;
    }
    const { identity } = stored;
    if (known.has(identity)) continue;
    known.add(identity);
    if (ttlOf.get(identity) === stored.ttl) staying.add(identity);
    else coming.push(stored);
    if (known.size % recordsAtOnce === 0) await pause();
  }
  const leaves = ({ identity }: { readonly identity: string }): boolean => !staying.has(identity);
  const leaving = { records: keys.records.filter(leaves), wire: keys.wire.filter(leaves) };
  await replace(work, leaving, coming, soa.serial);
  return leftOut;
}

async function applyChanges(
  work: Work,
  isPresigned: boolean,
  { soa, steps }: Extract<Transferred, { kind: "changes" }>,
): Promise<number> {
  const { tx, zone } = work;
  /** Whether a record was there before the first of the steps that name it, and what it is after the last. */
  const changed = new Map<
    string,
    { readonly wasThere: boolean; readonly isWire: boolean; after: TransferredRecord | undefined }
  >();
  let leftOut = 0;
  const note = (record: ResourceRecord, isAdded: boolean): void => {
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
    for (const record of removed) note(record, false);
    for (const record of added) note(record, true);
  }
  const identitiesOf = (isWire: boolean): string[] =>
    Array.from(changed).flatMap(([identity, one]) => (one.isWire === isWire ? [identity] : []));
  const keys = {
    records: await selectKeys(tx, zone.id, identitiesOf(false)),
    wire: await selectWireKeys(tx, zone.id, identitiesOf(true)),
  };
  const there = new Set([...keys.records, ...keys.wire].map(({ identity }) => identity));
  const isFit = Array.from(changed).every(([identity, { wasThere }]) => wasThere === there.has(identity));
  if (!isFit) throw new UnfitChanges("the changes do not fit the zone");
  const coming = Array.from(changed.values()).flatMap(({ after }) => after ?? []);
  await replace(work, keys, coming, soa.serial);
  return leftOut;
}

async function replace(
  { tx, zone, context, now }: Work,
  leaving: ZoneKeys,
  coming: readonly TransferredRecord[],
  serial: number,
): Promise<void> {
  const pause = createPause();
  for (const { records, wire } of portions(leaving)) {
    await deleteRecords(
      tx,
      records.map(({ id }) => id),
    );
    await deleteWireRecords(
      tx,
      zone.id,
      wire.map(({ identity }) => identity),
    );
    await pause();
  }
  for (let at = 0; at < coming.length; at += recordsAtOnce) {
    const portion = coming.slice(at, at + recordsAtOnce);
    const rows = portion.flatMap(({ fields, identity }) => {
      const origin = { id: context.newId(), zone, now: toTimestamp(now) };
      return fields === undefined ? [] : [toRows(toRecord(fields, origin), identity)];
    });
    await insertRecords(tx, rows);
    await insertWireRecords(
      tx,
      portion.flatMap(({ wire }) => (wire === undefined ? [] : [{ ...wire, zone_id: zone.id }])),
    );
    await pause();
  }
  const names = new Set([...leaving.records, ...leaving.wire, ...coming].map(({ name }) => name));
  const added = coming.reduce((count, { fields }) => count + Number(fields !== undefined), 0);
  const countChange = added - leaving.records.length;
  await dnsRecordsChanged(tx, zone, { countChange, names, now, serial });
}

function* portions({ records, wire }: ZoneKeys): Generator<ZoneKeys, void, undefined> {
  const end = Math.max(records.length, wire.length);
  for (let at = 0; at < end; at += recordsAtOnce) {
    yield { records: records.slice(at, at + recordsAtOnce), wire: wire.slice(at, at + recordsAtOnce) };
  }
}
