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
import type { EdgeSnapshot, KeptSnapshot } from "./edge-snapshot.ts";

/** The entry of a zone's records in a snapshot, or of a change of them. */
interface KeptNames {
  readonly recordsVersion: number;
  readonly names: readonly (readonly [name: string, records: readonly ZoneRecord[]])[];
}

/** After changes at more names, all names are kept anew, so that a start has few changes to read. */
const changedNamesMax = 4_000;

const namesKey = (id: string): string => `names/${id}`;
/** `before`: the version of the records before the change. */
const changeKey = (id: string, before: number): string => `names/${id}/${before}`;

type FollowedZone = Pick<ListedZone, "id" | "name" | "isSecondary">;

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

  constructor({ id, name, isSecondary }: FollowedZone, snapshot: EdgeSnapshot | undefined) {
    this.#zone = { id, name, isSecondary };
    this.#snapshot = snapshot;
    this.names = new ZoneNames(name);
  }

  /** Whether they are of a zone as it is now. */
  isOf({ name, isSecondary }: FollowedZone): boolean {
    return name === this.#zone.name && isSecondary === this.#zone.isSecondary;
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
    this.#snapshot.put(key, { recordsVersion: version, names: [...records] } satisfies KeptNames);
    this.#keptChanges.add(key);
    this.#changedNames += changed.size;
  }

  /** Takes the names as an earlier process kept them. Throws what decrypting throws. */
  restore(kept: KeptSnapshot, isOfThisVersion: boolean): void {
    const { id } = this.#zone;
    const take = (key: string): KeptNames => {
      const change = kept.open(key) as KeptNames;
      for (const [name, its] of change.names) this.names.set(name, its);
      return change;
    };
    let { recordsVersion: version } = take(namesKey(id));
    for (let key = changeKey(id, version); kept.keys.has(key); key = changeKey(id, version)) {
      const { recordsVersion, names } = take(key);
      version = recordsVersion;
      this.#keptChanges.add(key);
      this.#changedNames += names.length;
    }
    this.#version = isOfThisVersion ? version : undefined;
  }

  /** They are not kept any longer. */
  remove(): void {
    this.#removeChanges();
    this.#snapshot?.remove(namesKey(this.#zone.id));
  }

  async #readWhole(db: Db, version: number): Promise<void> {
    const names = new ZoneNames(this.#zone.name);
    const kept: KeptNames["names"][number][] = [];
    for await (const records of streamRecordsByName(db, this.#zone)) {
      for (const [name, its] of records) names.set(name, its);
      if (this.#snapshot !== undefined) for (const one of records) kept.push(one);
      await nextTurn();
    }
    this.names.replaceBy(names);
    this.#version = version;
    this.#removeChanges();
    const { id } = this.#zone;
    this.#snapshot?.put(namesKey(id), { recordsVersion: version, names: kept } satisfies KeptNames);
  }

  #removeChanges(): void {
    for (const key of this.#keptChanges) this.#snapshot?.remove(key);
    this.#keptChanges.clear();
    this.#changedNames = 0;
  }
}
