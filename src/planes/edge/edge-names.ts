import { setImmediate as nextTurn } from "node:timers/promises";

import type { ZoneRecord } from "../../core/dns/served/record-sets.ts";
import { ZoneNames } from "../../edge/zones/zone-names.ts";
import {
  findChangedNames,
  findRecordsAt,
  streamRecordsByName,
} from "../../resources/dns-serving/dns-serving.ts";
import { recordReads, replayReads, type RecordedReads } from "../../storage/recorded-reads.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import type { EdgeSnapshot, KeptSnapshot } from "./edge-snapshot.ts";

/** The entry of a zone's records in a snapshot. */
interface KeptNames {
  readonly recordsVersion: number;
  readonly reads: RecordedReads;
}

/** The entry of a change of its records. */
interface KeptChange {
  readonly recordsVersion: number;
  readonly names: readonly (readonly [name: string, records: readonly ZoneRecord[]])[];
}

/** After changes at more names, all names are kept anew, so that a start has few changes to read. */
const changedNamesMax = 4_000;

const namesKey = (id: string): string => `names/${id}`;
/** `before`: the version of the records before the change. */
const changeKey = (id: string, before: number): string => `names/${id}/${before}`;

interface FollowedZone {
  readonly id: string;
  readonly name: string;
  readonly isSecondary: boolean;
}

/**
 * The names of a zone, which follow its records change by change. With a `snapshot` the changes are kept on disk
 * too.
 */
export class EdgeNames {
  readonly names: ZoneNames;
  readonly #zone: FollowedZone;
  readonly #snapshot: EdgeSnapshot | undefined;
  /** `dns_records_version` of the zone when they were read; undefined while they are to be read whole. */
  #version: number | undefined;
  /** The keys of changes since all were kept, and the number of names that these changed. */
  readonly #keptChanges = new Set<string>();
  #changedNames = 0;

  constructor({ id, name, type }: ZoneRow, snapshot: EdgeSnapshot | undefined) {
    this.#zone = { id, name, isSecondary: type === "secondary" };
    this.#snapshot = snapshot;
    this.names = new ZoneNames(name);
  }

  /** Whether they are of a zone as it is now. */
  isOf({ name, type }: ZoneRow): boolean {
    return name === this.#zone.name && (type === "secondary") === this.#zone.isSecondary;
  }

  /** Whether an entry of a snapshot is of what is served. */
  isKept(key: string): boolean {
    return key === namesKey(this.#zone.id) || this.#keptChanges.has(key);
  }

  /**
   * Reads the names that have changed up to a version of the records; all of them, in portions, where these are
   * not known any more. Throws the errors of reading, and has changed nothing then.
   */
  async follow(db: Db, version: number): Promise<void> {
    const { id } = this.#zone;
    const before = this.#version;
    if (version === before) return;
    const changed = before === undefined ? undefined : await findChangedNames(db, id, before, version);
    if (before === undefined || changed === undefined || this.#changedNames + changed.size > changedNamesMax)
      return this.#readWhole(db, version);
    const records = await findRecordsAt(db, this.#zone, changed);
    for (const [name, its] of records) this.names.set(name, its);
    this.#version = version;
    if (this.#snapshot === undefined) return;
    const key = changeKey(id, before);
    this.#snapshot.put(key, { recordsVersion: version, names: [...records] } satisfies KeptChange);
    this.#keptChanges.add(key);
    this.#changedNames += changed.size;
  }

  /** Reads the names as an earlier process kept them. Throws what reading throws. */
  async restore(kept: KeptSnapshot, isOfThisVersion: boolean): Promise<void> {
    const { id } = this.#zone;
    const { recordsVersion, reads } = kept.open(namesKey(id)) as KeptNames;
    await this.#readAll(replayReads(reads));
    let version = recordsVersion;
    for (let key = changeKey(id, version); kept.keys.has(key); key = changeKey(id, version)) {
      const change = kept.open(key) as KeptChange;
      for (const [name, its] of change.names) this.names.set(name, its);
      version = change.recordsVersion;
      this.#keptChanges.add(key);
      this.#changedNames += change.names.length;
    }
    this.#version = isOfThisVersion ? version : undefined;
  }

  /** They are not kept any longer. */
  remove(): void {
    this.#removeChanges();
    this.#snapshot?.remove(namesKey(this.#zone.id));
  }

  async #readWhole(db: Db, version: number): Promise<void> {
    const { db: reading, reads } =
      this.#snapshot === undefined ? { db, reads: {} } : recordReads((query) => db.executeQuery(query));
    await this.#readAll(reading);
    this.#version = version;
    this.#removeChanges();
    this.#snapshot?.put(namesKey(this.#zone.id), { recordsVersion: version, reads } satisfies KeptNames);
  }

  async #readAll(db: Db): Promise<void> {
    const names = new ZoneNames(this.#zone.name);
    for await (const records of streamRecordsByName(db, this.#zone)) {
      for (const [name, its] of records) names.set(name, its);
      await nextTurn();
    }
    this.names.replaceBy(names);
  }

  #removeChanges(): void {
    for (const key of this.#keptChanges) this.#snapshot?.remove(key);
    this.#keptChanges.clear();
    this.#changedNames = 0;
  }
}
