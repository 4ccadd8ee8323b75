import type { Captured } from "./capture.ts";

/** Parts of the block: they hold an entry until further ones are added. */
export interface StoredEntry {
  readonly head: Buffer;
  readonly body: Buffer;
  readonly answer: Buffer;
}

/** Offsets of an entry: its start, and the ends of its head, its body and its answer. */
const offsetsPerEntry = 4;
/** In UTF-8, of a unit of a string. */
const octetsPerUnitMax = 3;

/**
 * The newest entries, one after the other in a block outside of the heap that V8 collects: objects that live as long as
 * thousands of requests would cost each of them a share of their collection.
 */
export class EntryRing {
  readonly #entriesMax: number;
  readonly #block: Buffer;
  readonly #offsets: Uint32Array;
  /** Where the next entry begins, in the block. */
  #end = 0;
  /** Position of the oldest entry, among the offsets. */
  #first = 0;
  #size = 0;
  #dropped = 0;
  /** Entries that were ever added. */
  #added = 0;

  /** At most `entriesMax` entries, of `octetsMax` together; no entry may be longer than a third of that. */
  constructor({ entriesMax, octetsMax }: { readonly entriesMax: number; readonly octetsMax: number }) {
    this.#entriesMax = entriesMax;
    this.#block = Buffer.allocUnsafeSlow(octetsMax);
    this.#offsets = new Uint32Array(entriesMax * offsetsPerEntry);
  }

  /** Number of the oldest entry that is kept; numbers count from 0 and are never given twice. */
  get oldest(): number {
    return this.#added - this.#size;
  }

  /** Number of the entry that comes next. */
  get next(): number {
    return this.#added;
  }

  /** Entries that are no longer kept. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Keeps an entry in place of the oldest ones. */
  add(head: string, body: Captured, answer: Captured): void {
    this.#makeRoom(octetsPerUnitMax * (head.length + body.length + answer.length));
    const at = this.#offsetsAt(this.#size);
    this.#offsets[at] = this.#end;
    this.#end += this.#block.write(head, this.#end);
    this.#offsets[at + 1] = this.#end;
    this.#offsets[at + 2] = this.#write(body.parts);
    this.#offsets[at + 3] = this.#write(answer.parts);
    this.#size += 1;
    this.#added += 1;
  }

  /** The entry with a number; undefined where it is no longer kept. */
  get(number: number): StoredEntry | undefined {
    if (number < this.oldest || number >= this.next) return undefined;
    const at = this.#offsetsAt(number - this.oldest);
    const [start, headEnd, bodyEnd, end] = this.#offsets.subarray(at, at + offsetsPerEntry);
    return {
      head: this.#block.subarray(start, headEnd),
      body: this.#block.subarray(headEnd, bodyEnd),
      answer: this.#block.subarray(bodyEnd, end),
    };
  }

  clear(): void {
    this.#end = 0;
    this.#first = 0;
    this.#size = 0;
    this.#dropped = 0;
  }

  /** Where the offsets of an entry are; the oldest one is at position 0. */
  #offsetsAt(position: number): number {
    return ((this.#first + position) % this.#entriesMax) * offsetsPerEntry;
  }

  /** Drops the oldest entries until so many octets are free at `#end`: an entry lies in one piece. */
  #makeRoom(octets: number): void {
    if (this.#size === this.#entriesMax) this.#dropOldest();
    if (this.#end + octets > this.#block.length) {
      this.#dropBetween(this.#end, this.#block.length);
      this.#end = 0;
    }
    this.#dropBetween(this.#end, this.#end + octets);
  }

  /** Drops the oldest entries as long as they begin between two offsets. */
  #dropBetween(from: number, to: number): void {
    while (this.#size > 0) {
      const start = this.#offsets[this.#offsetsAt(0)] ?? 0;
      if (start < from || start >= to) return;
      this.#dropOldest();
    }
  }

  #dropOldest(): void {
    this.#first = (this.#first + 1) % this.#entriesMax;
    this.#size -= 1;
    this.#dropped += 1;
  }

  /** Returns the offset behind what it wrote. */
  #write(parts: readonly (string | Uint8Array)[]): number {
    for (const part of parts) {
      if (typeof part === "string") this.#end += this.#block.write(part, this.#end);
      else {
        this.#block.set(part, this.#end);
        this.#end += part.length;
      }
    }
    return this.#end;
  }
}
