import { fromJson } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { DnsChangeRow, RecordBefore } from "../../storage/schema/dns.ts";
import { toStoredRecord, type DnsRecord } from "../dns-records/dns-records.ts";
import { readRecordsAt, type RecordsByName, type ServedZone } from "./dns-serving.ts";
import { selectJournal } from "./store.ts";

/** The latest changes of a zone, for incremental transfers (IXFR). */
export interface StoredJournal {
  /** The serial before the first of them. */
  readonly serial: number;
  /** The records at that serial, of all names that changed since. */
  readonly records: RecordsByName;
  /** The changes in their order: the serial of each, and the records of its names at that serial. */
  readonly changes: readonly { readonly serial: number; readonly records: RecordsByName }[];
}

/** Changes with more records in total are not read: secondaries then transfer the whole zone. */
const recordsMax = 10_000;

/**
 * The changes that lead to the serial of a zone without a gap; undefined where none is stored. It fits the
 * zone if that has the same serial afterwards.
 */
export async function findJournal(
  db: Db,
  { id, recordsVersion, apex }: Pick<ServedZone, "id" | "recordsVersion" | "apex">,
): Promise<StoredJournal | undefined> {
  const stored = latestOf(await selectJournal(db, { zoneId: id, upTo: recordsVersion }), apex.serial);
  if (stored.length === 0) return undefined;
  const names = new Set(stored.flatMap((change) => change.names));
  const zone = new RecordsById(await readRecordsAt(db, id, [...names]));
  const changes: StoredJournal["changes"][number][] = [];
  let { serial } = apex;
  let records = 0;
  for (const change of stored) {
    const after = zone.at(change.names);
    for (const its of after.values()) records += its.length;
    if (records > recordsMax) break;
    changes.unshift({ serial: change.serial, records: after });
    for (const [recordId, record] of Object.entries(change.before)) zone.put(recordId, record);
    serial = change.serialBefore;
  }
  return { serial, records: zone.at(names), changes };
}

interface StoredChange {
  readonly serial: number;
  readonly serialBefore: number;
  readonly names: readonly string[];
  readonly before: Readonly<Record<string, RecordBefore | null>>;
}

/** The changes that lead to a serial, the last of them first, up to one that is not known. */
function latestOf(rows: readonly DnsChangeRow[], serial: number): StoredChange[] {
  const changes: StoredChange[] = [];
  let expected = serial;
  for (const { serial: made, serial_before: serialBefore, names, records_before: before } of rows) {
    if (made !== expected || serialBefore === null || names === null || before === null) break;
    changes.push({ serial: made, serialBefore, names: fromJson(names), before: fromJson(before) });
    expected = serialBefore;
  }
  return changes;
}

/** Records, reverted change by change to earlier states. */
class RecordsById {
  readonly #names = new Map<string, Map<string, RecordBefore>>();
  readonly #nameOf = new Map<string, string>();

  constructor(records: readonly DnsRecord[]) {
    for (const record of records) this.put(record.id, toStoredRecord(record));
  }

  /** Sets the record of this id; null removes it. */
  put(id: string, record: RecordBefore | null): void {
    this.#names.get(this.#nameOf.get(id) ?? "")?.delete(id);
    if (record === null) return;
    this.#nameOf.set(id, record.name);
    const its = this.#names.get(record.name) ?? new Map<string, RecordBefore>();
    this.#names.set(record.name, its.set(id, record));
  }

  at(names: Iterable<string>): RecordsByName {
    return new Map(Array.from(names, (name) => [name, [...(this.#names.get(name)?.values() ?? [])]]));
  }
}
