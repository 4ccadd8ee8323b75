import { qualifyName } from "../../core/dns/name.ts";
import { parseRdata, recordTypes, type RecordType } from "../../core/dns/rdata.ts";
import type { Transferred } from "../../core/dns/transfer-reader.ts";
import { typeName } from "../../core/dns/wire/codes.ts";
import type { ResourceRecord } from "../../core/dns/wire/message.ts";
import { recordInput } from "../../core/dns/wire/record-input.ts";
import { WireError } from "../../core/dns/wire/wire-error.ts";
import { AppError } from "../../core/error.ts";
import { createPause } from "../../operation/pause.ts";
import type { ZoneChangeWork } from "../../operation/zone-unit-of-work.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { dnsRecordsChanged } from "../zones/zones.ts";
import { toRecord, type RecordFields } from "./record.ts";
import { identityOf, toRows } from "./record-row.ts";
import { deleteRecords, insertRecords, selectAllKeys, selectKeys, type RecordKeys } from "./store.ts";

type Work = Pick<ZoneChangeWork, "tx" | "zone" | "context" | "now">;

/** Thrown where changes do not fit what the zone has: it has to be transferred as a whole. */
export class UnfitChanges extends Error {}

const recordsAtOnce = 250;

/**
 * Applies the records and the serial of a transfer to a zone. Returns how many records were skipped, because
 * their type is not supported, or the API cannot represent their name or data. Throws UnfitChanges.
 */
export async function applyTransferred(work: Work, transferred: Transferred): Promise<number> {
  switch (transferred.kind) {
    case "current":
      return 0;
    case "whole":
      return applyWhole(work, transferred);
    case "changes":
      return applyChanges(work, transferred);
  }
}

async function applyWhole(
  work: Work,
  { soa, records }: Extract<Transferred, { kind: "whole" }>,
): Promise<number> {
  const { tx, zone } = work;
  const pause = createPause();
  const keys = await selectAllKeys(tx, zone.id);
  const leaving = new Map(keys.map((record) => [record.identity, record]));
  const known = new Set<string>();
  const coming: Coming[] = [];
  let passedOver = 0;
  for (const record of records) {
    const fields = toFields(record, zone.name);
    if (fields === undefined) {
      passedOver += 1;
      continue;
    }
    const identity = identityOf(fields);
    if (known.has(identity)) continue;
    known.add(identity);
    if (leaving.get(identity)?.ttl === fields.ttl) leaving.delete(identity);
    else coming.push({ fields, identity });
    if (known.size % recordsAtOnce === 0) await pause();
  }
  await replace(work, [...leaving.values()], coming, soa.serial);
  return passedOver;
}

interface Coming {
  readonly fields: RecordFields;
  readonly identity: string;
}

async function applyChanges(
  work: Work,
  { soa, steps }: Extract<Transferred, { kind: "changes" }>,
): Promise<number> {
  const { tx, zone } = work;
  /** Whether a record was there before the first of the steps that name it, and what it is after the last. */
  const changed = new Map<string, { readonly wasThere: boolean; after: RecordFields | undefined }>();
  let passedOver = 0;
  const note = (record: ResourceRecord, isAdded: boolean): void => {
    const fields = toFields(record, zone.name);
    if (fields === undefined) {
      passedOver += 1;
      return;
    }
    const identity = identityOf(fields);
    const after = isAdded ? fields : undefined;
    const known = changed.get(identity);
    if (known === undefined) changed.set(identity, { wasThere: !isAdded, after });
    else known.after = after;
  };
  for (const { removed, added } of steps) {
    for (const record of removed) note(record, false);
    for (const record of added) note(record, true);
  }
  const keys = await selectKeys(tx, zone.id, [...changed.keys()]);
  const there = new Set(keys.map(({ identity }) => identity));
  const isFit = Array.from(changed).every(([identity, { wasThere }]) => wasThere === there.has(identity));
  if (!isFit) throw new UnfitChanges("the changes do not fit the zone");
  const coming = Array.from(changed).flatMap(([identity, { after }]) =>
    after === undefined ? [] : [{ fields: after, identity }],
  );
  await replace(work, keys, coming, soa.serial);
  return passedOver;
}

async function replace(
  { tx, zone, context, now }: Work,
  leaving: readonly RecordKeys[],
  coming: readonly Coming[],
  serial: number,
): Promise<void> {
  const pause = createPause();
  for (let at = 0; at < leaving.length; at += recordsAtOnce) {
    const portion = leaving.slice(at, at + recordsAtOnce);
    await deleteRecords(
      tx,
      portion.map(({ id }) => id),
    );
    await pause();
  }
  for (let at = 0; at < coming.length; at += recordsAtOnce) {
    const portion = coming.slice(at, at + recordsAtOnce).map(({ fields, identity }) => {
      const origin = { id: context.newId(), zone, now: toTimestamp(now) };
      return toRows(toRecord(fields, origin), identity);
    });
    await insertRecords(tx, portion);
    await pause();
  }
  const names = new Set([...leaving.map(({ name }) => name), ...coming.map(({ fields }) => fields.name)]);
  await dnsRecordsChanged(tx, zone, { countChange: coming.length - leaving.length, names, now, serial });
}

const knownTypes: ReadonlySet<string> = new Set(recordTypes);

/** A TTL of 1 would stand for an automatic one. */
const ttlMin = 2;

/** A record as it is stored; undefined for one that zones do not have here. */
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
      ttl: ttl === 1 ? ttlMin : ttl,
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
