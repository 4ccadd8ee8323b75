import { setImmediate as nextTurn } from "node:timers/promises";

import type { ZoneRecord } from "../../core/dns/served/record-sets.ts";
import { ZoneNames } from "../../edge/zones/zone-names.ts";
import {
  findChangedNames,
  findRecordsAt,
  streamRecordsByName,
} from "../../resources/dns-serving/dns-serving.ts";
import type { ListedZone } from "../../resources/zone-documents/zone-documents.ts";
import type { Db } from "../../storage/tables.ts";
import type { EdgeSnapshot } from "./edge-snapshot.ts";

/** Names with their records, as a snapshot keeps them. */
type KeptNames = readonly (readonly [name: string, records: readonly ZoneRecord[]])[];

/** After so many changes, all names are kept anew, so that a start has few changes to read. */
const keptChangesMax = 1_000;
/** The version of portions that others follow. */
const unfinished = -1;

type FollowedZone = Pick<ListedZone, "id" | "name" | "isSecondary">;

/**
 * The names of a zone, which follow its records change by change. With a `snapshot` the changes are kept on disk
 * too.
 */
export class EdgeNames {
  readonly names: ZoneNames;
  readonly #zone: FollowedZone;
  /** Undefined too once something could not be written: what is written later would not follow it. */
  #snapshot: EdgeSnapshot | undefined;
  /** `dns_records_version` of the zone when they were read; undefined while they are to be read whole. */
  #version: number | undefined;
  #count = 0;
  /** The number of what is kept next, and the changes that were kept since all names were. */
  #kept = { next: 0, changes: 0 };

  constructor({ id, name, isSecondary }: FollowedZone, snapshot: EdgeSnapshot | undefined) {
    this.#zone = { id, name, isSecondary };
    this.#snapshot = snapshot;
    this.names = new ZoneNames(name);
  }

  /** About as many names as were set. */
  get count(): number {
    return this.#count;
  }

  /** Whether all changes are kept. */
  get areKept(): boolean {
    return this.#snapshot !== undefined;
  }

  /** Whether they are of a zone as it is now. */
  isOf({ name, isSecondary }: FollowedZone): boolean {
    return name === this.#zone.name && isSecondary === this.#zone.isSecondary;
  }

  /**
   * Reads the names that have changed up to the version of the records; all of them, in portions, where these are
   * not known any more. Throws the errors of reading, and has changed nothing then.
   */
  async follow(
    db: Db,
    { recordsVersion: version, lastChangedNames }: Pick<ListedZone, "recordsVersion" | "lastChangedNames">,
  ): Promise<void> {
    const { id } = this.#zone;
    const before = this.#version;
    if (version === before) return;
    if (before === undefined || this.#kept.changes >= keptChangesMax) return this.#readWhole(db, version);
    const changed =
      version === before + 1 && lastChangedNames !== undefined
        ? new Set(lastChangedNames)
        : await findChangedNames(db, id, before, version);
    if (changed === undefined) return this.#readWhole(db, version);
    const records = await findRecordsAt(db, this.#zone, changed);
    this.#set(records);
    this.#version = version;
    await this.keep((snapshot) =>
      snapshot.putNames(id, this.#kept.next, version, [...records] satisfies KeptNames),
    );
    this.#kept = { next: this.#kept.next + 1, changes: this.#kept.changes + 1 };
  }

  /** Takes the names as they were kept. Throws what decrypting throws, and where none are. */
  restore(snapshot: EdgeSnapshot): void {
    let portions: KeptNames[] = [];
    for (const { number, version, value } of snapshot.names(this.#zone.id)) {
      portions.push(value as KeptNames);
      this.#kept = { next: number + 1, changes: this.#kept.changes + 1 };
      if (version === unfinished) continue;
      for (const portion of portions) this.#set(portion);
      portions = [];
      this.#version = version;
    }
    if (this.#version === undefined) throw new Error("its names were not kept");
  }

  /** Goes on with what is kept of them, without reading it: they find nothing, and keep the changes that follow. */
  resume(snapshot: EdgeSnapshot): void {
    const last = snapshot.lastNames(this.#zone.id);
    if (last === undefined) return;
    this.#kept = { next: last.number + 1, changes: 0 };
    if (last.version !== unfinished) this.#version = last.version;
  }

  /** Writes to the snapshot while all that came before is in it. What cannot be written is logged. */
  async keep(write: (snapshot: EdgeSnapshot) => Promise<void>): Promise<void> {
    if (this.#snapshot === undefined) return;
    try {
      await write(this.#snapshot);
    } catch (error) {
      this.#snapshot.failed(error);
      this.#snapshot = undefined;
    }
  }

  async #readWhole(db: Db, version: number): Promise<void> {
    const { id } = this.#zone;
    const names = new ZoneNames(this.#zone.name);
    const first = this.#kept.next;
    let next = first;
    let count = 0;
    for await (const records of streamRecordsByName(db, this.#zone)) {
      for (const [name, its] of records) names.set(name, its);
      count += records.size;
      const portion = next;
      await this.keep((snapshot) =>
        snapshot.putNames(id, portion, unfinished, [...records] satisfies KeptNames),
      );
      next += 1;
      await nextTurn();
    }
    await this.keep((snapshot) => snapshot.putNames(id, next, version, [], first));
    this.names.replaceBy(names);
    this.#version = version;
    this.#count = count;
    this.#kept = { next: next + 1, changes: 0 };
  }

  #set(changed: Iterable<KeptNames[number]>): void {
    for (const [name, its] of changed) {
      this.names.set(name, its);
      this.#count += 1;
    }
  }
}
