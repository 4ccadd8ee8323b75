import type { OwnedSet, RecordSet } from "./record-sets.ts";

/** What a zone lost and got from one serial to another. */
export interface ZoneStep {
  readonly soaBefore: RecordSet;
  readonly serialBefore: number;
  readonly soaAfter: RecordSet;
  readonly serialAfter: number;
  readonly removed: readonly OwnedSet[];
  readonly added: readonly OwnedSet[];
}

const stepsMax = 1_000;
const recordsMax = 10_000;
/** However small a zone is, so many are kept. */
const recordsMin = 100;

/**
 * The latest changes of a zone, each from the serial of the one before. Of more records than the zone has, none is kept:
 * a transfer of the whole zone is smaller.
 */
export class ZoneJournal {
  #steps: ZoneStep[] = [];
  #records = 0;

  /** `zoneRecords` is how many the zone has. */
  add(step: ZoneStep, zoneRecords: number): void {
    if (this.#steps.at(-1)?.serialAfter !== step.serialBefore) this.clear();
    this.#steps.push(step);
    this.#records += sizeOf(step);
    const kept = Math.min(recordsMax, Math.max(recordsMin, zoneRecords));
    while (this.#steps.length > stepsMax || this.#records > kept) {
      const first = this.#steps.shift();
      if (first === undefined) return;
      this.#records -= sizeOf(first);
    }
  }

  /** What changed meanwhile is not known. */
  clear(): void {
    this.#steps = [];
    this.#records = 0;
  }

  /** The steps from a serial to the latest; undefined where they are not known. */
  since(serial: number): readonly ZoneStep[] | undefined {
    const first = this.#steps.findIndex(({ serialBefore }) => serialBefore === serial);
    return first === -1 ? undefined : this.#steps.slice(first);
  }
}

function sizeOf({ removed, added }: ZoneStep): number {
  return countRecords(removed) + countRecords(added) + 2;
}

export function countRecords(sets: readonly OwnedSet[]): number {
  return sets.reduce((sum, { set }) => sum + set.rdatas.length, 0);
}

/** The records that a name has only before, and those that it has only after. */
export function differences(
  name: string,
  before: readonly RecordSet[],
  after: readonly RecordSet[],
): { readonly removed: readonly OwnedSet[]; readonly added: readonly OwnedSet[] } {
  return { removed: without(name, before, after), added: without(name, after, before) };
}

function without(name: string, sets: readonly RecordSet[], others: readonly RecordSet[]): OwnedSet[] {
  return sets.flatMap((set) => {
    const other = others.find(({ type }) => type === set.type);
    // A set with another TTL has other records.
    if (other === undefined || other.ttl !== set.ttl) return [{ name, set }];
    const known = new Set(other.rdatas);
    const rdatas = set.rdatas.filter((rdata) => !known.has(rdata));
    return rdatas.length === 0 ? [] : [{ name, set: { ...set, rdatas } }];
  });
}
