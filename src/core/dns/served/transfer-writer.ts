import { classCodes, flagBits } from "../wire/codes.ts";
import { ednsRecord, optRecordOctets, type Edns } from "../wire/edns.ts";
import type { Question } from "../wire/message.ts";
import { WireError } from "../wire/octets.ts";
import { WireWriter } from "../wire/writer.ts";
import type { RecordSet } from "../wire/record-data.ts";

/** Shared by all messages of a transfer. */
export interface TransferResponse {
  readonly id: number;
  /** The flags of the header without AA. */
  readonly flags: number;
  readonly question: Question;
  /** The OPT record of each message; undefined for none. */
  readonly edns: Omit<Edns, "extendedRcode"> | undefined;
  /** Octets to keep free in each message, for its TSIG record. */
  readonly reserved: number;
}

/** A message is full at this size: the offsets of compression pointers end there. */
const messageOctets = 16_384;
const messageOctetsMax = 65_535;

/** Writes the records of a transfer into as many messages as they need (RFC 5936 section 2.2). */
export class TransferWriter {
  readonly #writer = new WireWriter();
  readonly #response: TransferResponse;
  readonly #opt: ReturnType<typeof ednsRecord> | undefined;
  #isEmpty = true;

  constructor(response: TransferResponse) {
    const { edns, question } = response;
    this.#response = response;
    this.#opt = edns && ednsRecord({ ...edns, extendedRcode: 0 });
    this.#begin();
    this.#writer.question(question.name, question.type, question.class);
  }

  /** Adds the records of a set, and returns the messages that are now full. */
  add(name: string, { type, ttl, rdatas }: RecordSet): readonly Uint8Array[] {
    const complete: Uint8Array[] = [];
    for (const rdata of rdatas) {
      const record = { name, type, class: classCodes.IN, ttl, rdata };
      if (!this.#writer.record("answer", record)) {
        if (this.#isEmpty) throw new WireError("a record is too large for a message");
        complete.push(this.finish());
        this.#begin();
        if (!this.#writer.record("answer", record))
          throw new WireError("a record is too large for a message");
      }
      this.#isEmpty = false;
      if (this.#writer.mark().at < messageOctets) continue;
      complete.push(this.finish());
      this.#begin();
    }
    return complete;
  }

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  finish(): Uint8Array {
    if (this.#opt !== undefined) {
      this.#writer.reserve(-this.#optOctets());
      this.#writer.record("additional", this.#opt);
    }
    return this.#writer.finish();
  }

  #begin(): void {
    const { id, flags, reserved } = this.#response;
    const sizeMax = messageOctetsMax - reserved - this.#optOctets();
    this.#writer.begin(id, flags | flagBits.authoritative, sizeMax);
    this.#isEmpty = true;
  }

  #optOctets(): number {
    return this.#opt === undefined ? 0 : optRecordOctets + this.#opt.rdata.length;
  }
}
