import { isLaterSerial, readStartOfAuthority, type StartOfAuthority } from "./start-of-authority.ts";
import { classCodes, typeCodes } from "./codes.ts";
import type { ResourceRecord } from "./message.ts";
import { foldName, isAtOrBelow } from "./names.ts";
import { WireError } from "./octets.ts";

/** The records that were removed and added from one serial to the next. */
export interface TransferredStep {
  readonly removed: readonly ResourceRecord[];
  readonly added: readonly ResourceRecord[];
}

/** The result of a transfer. Records do not include SOA. */
export type Transferred =
  | { readonly kind: "current"; readonly soa: StartOfAuthority }
  | { readonly kind: "whole"; readonly soa: StartOfAuthority; readonly records: readonly ResourceRecord[] }
  | {
      readonly kind: "changes";
      readonly soa: StartOfAuthority;
      readonly steps: readonly TransferredStep[];
    };

/** An incremental step that is being read. */
interface OpenStep {
  readonly removed: ResourceRecord[];
  readonly added: ResourceRecord[];
  /** The serial that the step leads to; undefined while its removed records are read. */
  serialAfter: number | undefined;
}

/**
 * Reads the records of a full (RFC 5936 section 2.2) or incremental transfer (RFC 1995 section 4); the
 * primary decides which it sends. Throws a WireError for anything else, and for a transfer with more records
 * than allowed.
 */
export class TransferReader {
  readonly #zone: string;
  readonly #since: number | undefined;
  readonly #recordsMax: number;
  #count = 0;
  #soa: StartOfAuthority | undefined;
  #records: ResourceRecord[] = [];
  #steps: OpenStep[] | undefined;
  #isComplete = false;

  /** `zone` is a folded name; `since` the serial of an incremental request, undefined for a full one. */
  constructor(zone: string, since: number | undefined, recordsMax: number) {
    this.#zone = zone;
    this.#since = since;
    this.#recordsMax = recordsMax;
  }

  /** Reads the answer section of the next message. Returns the result once the transfer is complete. */
  read(answers: readonly ResourceRecord[]): Transferred | undefined {
    for (const record of answers) this.#add(record);
    const soa = this.#soa;
    if (soa === undefined) throw new WireError("a transfer begins with no SOA record");
    if (this.#isComplete) {
      return this.#steps === undefined
        ? { kind: "whole", soa, records: this.#records }
        : { kind: "changes", soa, steps: this.#steps };
    }
    const isAlone = this.#count === 1 && this.#since !== undefined;
    return isAlone && !isLaterSerial(soa.serial, this.#since ?? 0) ? { kind: "current", soa } : undefined;
  }

  #add(record: ResourceRecord): void {
    this.#count += 1;
    if (this.#isComplete) throw new WireError("there are records behind a transfer");
    if (this.#count > this.#recordsMax) throw new WireError("a transfer has too many records");
    if (record.class !== classCodes.IN) throw new WireError("a record is of another class");
    const name = foldName(record.name);
    if (!isAtOrBelow(name, this.#zone)) throw new WireError("a record is of another zone");
    if (record.type === typeCodes.SOA) {
      if (name !== this.#zone) throw new WireError("an SOA record is of another zone");
      this.#addSoa(readStartOfAuthority(record));
      return;
    }
    if (this.#soa === undefined) throw new WireError("a transfer begins with no SOA record");
    const step = this.#steps?.at(-1);
    if (step === undefined) this.#records.push(record);
    else if (step.serialAfter === undefined) step.removed.push(record);
    else step.added.push(record);
  }

  #addSoa(soa: StartOfAuthority): void {
    const { serial } = soa;
    if (this.#soa === undefined) {
      this.#soa = soa;
      return;
    }
    if (this.#count === 2 && serial === this.#since && serial !== this.#soa.serial) {
      this.#steps = [newStep()];
      return;
    }
    if (this.#steps === undefined) {
      if (serial !== this.#soa.serial) throw new WireError("a transfer ends with another serial");
      this.#isComplete = true;
      return;
    }
    const step = this.#steps.at(-1);
    if (step === undefined) return;
    if (step.serialAfter === undefined) {
      step.serialAfter = serial;
      return;
    }
    if (serial !== step.serialAfter) throw new WireError("a change begins with another serial than the last");
    if (serial === this.#soa.serial) this.#isComplete = true;
    else this.#steps.push(newStep());
  }
}

function newStep(): OpenStep {
  return { removed: [], added: [], serialAfter: undefined };
}
