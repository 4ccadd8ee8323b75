import type { AppError } from "../../core/error.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { AuditAction } from "../../operation/audit-actions.ts";
import { createPause } from "../../operation/pause.ts";
import type { ZoneChangeWork } from "../../operation/zone-unit-of-work.ts";
import { dnsRecordsChanged } from "../zones/zones.ts";
import { findConflict } from "../../core/dns/name-conflicts.ts";
import { refuseTransferred, toRecord, type RecordFields } from "./record.ts";
import { identityOf, toRows } from "./record-row.ts";
import type { ImportResult } from "./schema.ts";
import { insertRecords, selectIdentities, selectTypesOfNames, type StoredRecord } from "./store.ts";

const recordsAtOnce = 250;

/** What was added, by type. */
interface Added {
  readonly recs_added: number;
  readonly recs_added_by_type: Record<string, number>;
}

/**
 * Lets `addAll` add many records to a zone and return how many it found. A single audit log entry covers
 * them: the zone as its object, with their number.
 */
export async function addRecords(
  work: ZoneChangeWork,
  action: AuditAction,
  addAll: (adder: BulkAdder) => Promise<number>,
): Promise<ImportResult> {
  refuseTransferred(work.zone);
  const adder = createBulkAdder(work);
  const found = await addAll(adder);
  const result = { ...(await adder.finish()), total_records_parsed: found };
  work.audit({ action, id: work.zone.id, metadata: result });
  return result;
}

export interface BulkAdder {
  /**
   * Adds a record, at the latest with `flush`. A record that the zone already has is skipped; one in conflict
   * goes to `onConflict`.
   */
  add(fields: RecordFields, onConflict: (conflict: AppError) => void): Promise<void>;
  /** Stores the records that were added but not stored yet. */
  flush(): Promise<void>;
  finish(): Promise<Added>;
}

interface Waiting {
  readonly fields: RecordFields;
  readonly identity: string;
  readonly onConflict: (conflict: AppError) => void;
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
  const typesAtName = new Map<string, Set<string>>();
  const addedIds: string[] = [];
  let waiting: Waiting[] = [];
  const pause = createPause();

  const learnTypes = async (names: readonly string[]): Promise<void> => {
    const unknown = [...new Set(names)].filter((name) => !typesAtName.has(name));
    for (const name of unknown) typesAtName.set(name, new Set());
    for (const { name, type } of await selectTypesOfNames(tx, zone.id, unknown))
      typesAtName.get(name)?.add(type);
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
    for (const { fields, identity, onConflict } of waiting) {
      if (known.has(identity)) continue;
      const { name, type } = fields;
      const types = typesAtName.get(name) ?? new Set();
      const conflict = findConflict({ type, isAtApex: name === zone.name }, types);
      if (conflict !== undefined) {
        onConflict(conflict);
        continue;
      }
      known.add(identity);
      types.add(type);
      const origin = { id: context.newId(), zone, now: toTimestamp(now) };
      records.push(toRows(toRecord(fields, origin), identity));
      addedIds.push(origin.id);
      addedByType.set(type, (addedByType.get(type) ?? 0) + 1);
    }
    await insertRecords(tx, records);
    waiting = [];
    await pause();
  };

  return {
    add: async (fields, onConflict) => {
      waiting.push({ fields, identity: identityOf(fields), onConflict });
      if (waiting.length >= recordsAtOnce) await flush();
    },
    flush,
    finish: async () => {
      await flush();
      const byType = [...addedByType].toSorted(([one], [other]) => (one < other ? -1 : 1));
      const recs_added = byType.reduce((sum, [, count]) => sum + count, 0);
      const names = new Set(typesAtName.keys());
      const before = new Map(addedIds.map((id) => [id, null]));
      await dnsRecordsChanged(tx, zone, { countChange: recs_added, names, before, now });
      return { recs_added, recs_added_by_type: Object.fromEntries(byType) };
    },
  };
}
