import { errorCodes } from "../../core/error-codes.ts";
import type { AppError, ErrorDetail } from "../../core/error.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { AuditAction } from "../../operation/audit-actions.ts";
import { createPause } from "../../operation/pause.ts";
import type { ZoneChangeWork } from "../../operation/scope.ts";
import { dnsRecordsChanged } from "../zones/zones.ts";
import { contentLength, findConflict, identicalRecord } from "../../core/dns/content/name-conflicts.ts";
import { identityOf, toRows, refuseTransferred, toRecord, type RecordFields } from "./record.ts";
import type { ImportResult } from "./schema.ts";
import { insertRecords, selectIdentities, selectTypesOfNames, type StoredRecord } from "./store.ts";

const recordsAtOnce = 250;
/** More records that were not added are counted in a single message. */
const refusalsMax = 10_000;

interface Added {
  readonly recs_added: number;
  readonly recs_added_by_type: Record<string, number>;
}

/** The messages of an answer: the records that were not added, in their order, and why. */
class Refusals {
  readonly #found: { readonly place: number; readonly message: ErrorDetail }[] = [];
  #more = 0;

  add(place: number, name: string, { code, message }: AppError): void {
    if (this.#found.length >= refusalsMax) this.#more += 1;
    else this.#found.push({ place, message: { code, message: `${name}: ${message}` } });
  }

  get messages(): readonly ErrorDetail[] {
    const inOrder = this.#found.toSorted((one, other) => one.place - other.place);
    const messages = inOrder.map(({ message }) => message);
    return this.#more === 0 ? messages : [...messages, moreRefused(this.#more)];
  }
}

function moreRefused(count: number): ErrorDetail {
  return {
    code: errorCodes.dnsRecords.invalidZoneFile,
    message: `${count} more records were not added.`,
  };
}

/** The added records, and a message for each record that was not. */
export interface BulkResult {
  readonly result: ImportResult;
  readonly messages: readonly ErrorDetail[];
}

/** Adds one record of many, or refuses it; `place` orders the messages. */
export interface PlacedAdder {
  add(place: number, fields: RecordFields): Promise<void>;
  refuse(place: number, name: string, reason: AppError): void;
}

/**
 * Lets `addAll` add many records to a zone and return how many it found. A single audit log entry covers
 * those that were added: the zone as its object, with their number.
 */
export async function addRecords(
  work: ZoneChangeWork,
  action: AuditAction,
  addAll: (adder: PlacedAdder) => Promise<number>,
): Promise<BulkResult> {
  refuseTransferred(work.zone);
  const adder = createBulkAdder(work);
  const refusals = new Refusals();
  const found = await addAll({
    add: (place, fields) => adder.add(fields, (reason) => refusals.add(place, fields.name, reason)),
    refuse: (place, name, reason) => refusals.add(place, name, reason),
  });
  const result = { ...(await adder.finish()), total_records_parsed: found };
  if (result.recs_added > 0) work.audit({ action, id: work.zone.id, metadata: result });
  return { result, messages: refusals.messages };
}

export interface BulkAdder {
  /**
   * Adds a record, at the latest with `finish`; or tells `onRefused` why not: the zone has it already, or
   * what the zone has stands in its way.
   */
  add(fields: RecordFields, onRefused: (reason: AppError) => void): Promise<void>;
  finish(): Promise<Added>;
}

interface Waiting {
  readonly fields: RecordFields;
  readonly identity: string;
  readonly onRefused: (reason: AppError) => void;
}

/** Adds many records to a zone, with few statements and without blocking others' reads. */
export function createBulkAdder({
  tx,
  zone,
  context,
  now,
}: Pick<ZoneChangeWork, "tx" | "zone" | "context" | "now">): BulkAdder {
  const addedByType = new Map<string, number>();
  /** Cached per name: all records of a file may be at one name. */
  const typesAtName = new Map<string, Map<string, number>>();
  const addedNames = new Set<string>();
  const addedIds: string[] = [];
  let waiting: Waiting[] = [];
  const pause = createPause();

  const learnTypes = async (names: readonly string[]): Promise<void> => {
    const unknown = [...new Set(names)].filter((name) => !typesAtName.has(name));
    for (const name of unknown) typesAtName.set(name, new Map());
    for (const { name, type, length } of await selectTypesOfNames(tx, zone.id, unknown))
      typesAtName.get(name)?.set(type, Number(length));
  };

  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    await learnTypes(waiting.map(({ fields }) => fields.name));
    const known = new Set(
      await selectIdentities(
        tx,
        zone.id,
        waiting.map(({ identity }) => identity),
      ),
    );

    const records: StoredRecord[] = [];
    for (const { fields, identity, onRefused } of waiting) {
      const { name, type, rdata } = fields;
      const types = typesAtName.get(name) ?? new Map<string, number>();
      const refusal = known.has(identity)
        ? identicalRecord()
        : findConflict({ type, isAtApex: name === zone.name, content: rdata.content }, types);
      if (refusal !== undefined) {
        onRefused(refusal);
        continue;
      }
      known.add(identity);
      types.set(type, (types.get(type) ?? 0) + contentLength(rdata.content));
      const origin = { id: context.newId(), zone, now: toTimestamp(now) };
      records.push(toRows(toRecord(fields, origin), identity));
      addedIds.push(origin.id);
      addedNames.add(name);
      addedByType.set(type, (addedByType.get(type) ?? 0) + 1);
    }
    await insertRecords(tx, records);
    waiting = [];
    await pause();
  };

  return {
    add: async (fields, onRefused) => {
      waiting.push({ fields, identity: identityOf(fields), onRefused });
      if (waiting.length >= recordsAtOnce) await flush();
    },
    finish: async () => {
      await flush();
      const byType = [...addedByType].toSorted(([one], [other]) => (one < other ? -1 : 1));
      const recs_added = byType.reduce((sum, [, count]) => sum + count, 0);
      const before = new Map(addedIds.map((id) => [id, null]));
      if (recs_added > 0) {
        await dnsRecordsChanged(tx, zone, { countChange: recs_added, names: addedNames, before, now });
      }
      return { recs_added, recs_added_by_type: Object.fromEntries(byType) };
    },
  };
}
