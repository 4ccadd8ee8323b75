import type { ZoneStep } from "./zone-step.ts";

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

  /** What changed meanwhile is not known. */
  clear(): void {
    this.#steps = [];
    this.#records = 0;
  }

  /** The steps from a serial to the latest; undefined where they are not known. */
  since(serial: number): readonly ZoneStep[] | undefined {
    const first = this.#steps.findIndex(({ before }) => before.serial === serial);
    return first === -1 ? undefined : this.#steps.slice(first);
  }
}
