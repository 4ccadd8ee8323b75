import { isEqualSet, type OwnedSet, type RecordSet } from "../wire/record-data.ts";
import type { TransferContent } from "./transfer-content.ts";
import type { NodeContent } from "./zone-nodes.ts";

/** The content of a name before and after; undefined where it did not exist. */
export interface ChangedName {
  readonly name: string;
  readonly before: NodeContent | undefined;
  readonly after: NodeContent | undefined;
}

interface ZoneState {
  readonly serial: number;
  readonly soa: RecordSet;
  readonly transfer: TransferContent;
}

interface Difference {
  readonly removed: readonly OwnedSet[];
  readonly added: readonly OwnedSet[];
}

/** The difference between two serials of a zone. Signatures are made when they are read. */
export class ZoneStep {
  readonly before: ZoneState;
  readonly after: ZoneState;
  /** About how many records it contains. */
  readonly size: number;
  readonly #names: readonly ChangedName[];
  readonly #differences = new Map<string, Difference>();

  constructor(before: ZoneState, after: ZoneState, names: readonly ChangedName[]) {
    this.before = before;
    this.after = after;
    this.#names = names;
    this.size = names.reduce((sum, changed) => sum + this.#sizeOf(changed), 0);
  }

  *removed(): Generator<OwnedSet, void, undefined> {
    for (const changed of this.#names) yield* this.#differenceOf(changed).removed;
  }

  *added(): Generator<OwnedSet, void, undefined> {
    for (const changed of this.#names) yield* this.#differenceOf(changed).added;
  }

  #differenceOf(changed: ChangedName): Difference {
    const { name, before, after } = changed;
    const key = `${before?.sets[0]?.type} ${after?.sets[0]?.type} ${name}`;
    const known = this.#differences.get(key);
    if (known !== undefined) return known;
    const isNeeded = this.#isSignedAnew(changed);
    const removedFrom = before === undefined ? [] : [...this.before.transfer.signed(name, before, isNeeded)];
    const addedTo = after === undefined ? [] : [...this.after.transfer.signed(name, after, isNeeded)];
    const difference = { removed: without(removedFrom, addedTo), added: without(addedTo, removedFrom) };
    this.#differences.set(key, difference);
    return difference;
  }

  #sizeOf(changed: ChangedName): number {
    const isNeeded = this.#isSignedAnew(changed);
    const signatures = this.after.transfer.isSigned ? 1 : 0;
    const neededOf = (content: NodeContent | undefined): readonly OwnedSet[] =>
      (content?.sets ?? []).filter(isNeeded).map((set) => ({ name: changed.name, set }));
    const [before, after] = [neededOf(changed.before), neededOf(changed.after)];
    const different = [...without(before, after), ...without(after, before)];
    return (
      signatures * (before.length + after.length) +
      different.reduce((sum, { set }) => sum + set.rdatas.length, 0)
    );
  }

  /** Whether a set changed, or its signature did. */
  #isSignedAnew({ name, before, after }: ChangedName): (set: RecordSet) => boolean {
    const { transfer } = this.after;
    if (before === undefined || after === undefined) return () => true;
    if (this.before.transfer.inceptionOf(name) !== transfer.inceptionOf(name)) return () => true;
    const signedBefore = transfer.signedSets(name, before);
    const signedAfter = transfer.signedSets(name, after);
    return (set) => {
      const isSame = has(before.sets, set) && has(after.sets, set);
      return !isSame || has(signedBefore, set) !== has(signedAfter, set);
    };
  }
}

function has(sets: readonly RecordSet[], set: RecordSet): boolean {
  return sets.some((one) => isEqualSet(one, set));
}

/** The records of `sets` that `others` do not have. A record with another TTL is a different record. */
function without(sets: readonly OwnedSet[], others: readonly OwnedSet[]): OwnedSet[] {
  return sets.flatMap(({ name, set }) => {
    const alike = others.filter((other) => other.set.type === set.type && other.set.ttl === set.ttl);
    const known = new Set(alike.flatMap((other) => other.set.rdatas));
    const rdatas = set.rdatas.filter((rdata) => !known.has(rdata));
    return rdatas.length === 0 ? [] : [{ name, set: { ...set, rdatas } }];
  });
}

const stepsMax = 1_000;
const recordsMax = 10_000;
/** At least this many records are kept, however small the zone is. */
const recordsMin = 100;

/**
 * The latest changes of a zone as steps from serial to serial, for incremental transfers. It keeps no more
 * records than the zone has (but always 100, and at most 10,000): then a transfer of the whole zone is smaller.
 */
export class ZoneJournal {
  #steps: ZoneStep[] = [];
  #records = 0;

  add(step: ZoneStep, zoneRecords: number): void {
    if (this.#steps.at(-1)?.after.serial !== step.before.serial) this.clear();
    this.#steps.push(step);
    this.#records += step.size;
    const kept = Math.min(recordsMax, Math.max(recordsMin, zoneRecords));
    while (this.#steps.length > stepsMax || this.#records > kept) {
      const first = this.#steps.shift();
      if (first === undefined) return;
      this.#records -= first.size;
    }
  }

  /** For changes that cannot be told as a step. */
  clear(): void {
    this.#steps = [];
    this.#records = 0;
  }

  /** The steps from a serial to the latest; undefined if the journal does not reach back to it. */
  since(serial: number): readonly ZoneStep[] | undefined {
    const first = this.#steps.findIndex(({ before }) => before.serial === serial);
    return first === -1 ? undefined : this.#steps.slice(first);
  }
}
