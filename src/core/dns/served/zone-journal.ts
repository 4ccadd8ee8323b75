import type { ZoneStep } from "./zone-step.ts";

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

  /** `zoneRecords` is the number of records in the zone. */
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
