/** What is kept of a body: its parts, and how many octets they are. */
export interface KeptBody {
  readonly parts: readonly (string | Uint8Array)[];
  readonly kept: number;
}

/** Parts of the block: they hold an entry until further ones are added. */
export interface StoredEntry {
  readonly head: Buffer;
  readonly body: Buffer;
  readonly answer: Buffer;
}

/** Offsets of an entry: its start, and the ends of its head, its body and its answer. */
const offsetsPerEntry = 4;

/**
 * The newest entries, one after the other in a block outside of the heap that V8 collects: objects that live as long as
 * thousands of requests would cost each of them a share of their collection.
 */
export class EntryRing {
  readonly #entriesMax: number;
  readonly #block: Buffer;
  readonly #offsets: Uint32Array;
  /** Where the next entry begins, in the block. */
  #next = 0;
  /** Position of the oldest entry, among the offsets. */
  #first = 0;
  #size = 0;
  #dropped = 0;

  /** At most `entriesMax` entries, of `octetsMax` together; no entry may be larger than that. */
  constructor({ entriesMax, octetsMax }: { readonly entriesMax: number; readonly octetsMax: number }) {
    this.#entriesMax = entriesMax;
    this.#block = Buffer.allocUnsafeSlow(octetsMax);
    this.#offsets = new Uint32Array(entriesMax * offsetsPerEntry);
  }

  get size(): number {
    return this.#size;
  }

  /** Entries that are no longer kept. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Keeps an entry in place of the oldest ones. */
  add(head: string, body: KeptBody, answer: KeptBody): void {
    this.#makeRoom(Buffer.byteLength(head) + body.kept + answer.kept);
    const at = ((this.#first + this.#size) % this.#entriesMax) * offsetsPerEntry;
    this.#offsets[at] = this.#next;
    this.#offsets[at + 1] = this.#write([head]);
    this.#offsets[at + 2] = this.#write(body.parts);
    this.#offsets[at + 3] = this.#write(answer.parts);
    this.#size += 1;
  }

  /** The entry at a position, 0 for the oldest. */
  at(position: number): StoredEntry {
    const [start, headEnd, bodyEnd, end] = this.#offsetsOf(position);
    return {
      head: this.#block.subarray(start, headEnd),
      body: this.#block.subarray(headEnd, bodyEnd),
      answer: this.#block.subarray(bodyEnd, end),
    };
  }

  clear(): void {
    this.#next = 0;
    this.#first = 0;
    this.#size = 0;
    this.#dropped = 0;
  }

  #offsetsOf(position: number): Uint32Array {
    const at = ((this.#first + position) % this.#entriesMax) * offsetsPerEntry;
    return this.#offsets.subarray(at, at + offsetsPerEntry);
  }

  /** Drops the oldest entries until so many octets are free at `#next`: an entry lies in one piece. */
  #makeRoom(octets: number): void {
    if (this.#size === this.#entriesMax) this.#dropOldest();
    if (this.#next + octets > this.#block.length) {
      this.#dropBetween(this.#next, this.#block.length);
      this.#next = 0;
    }
    this.#dropBetween(this.#next, this.#next + octets);
  }

  /** Drops the oldest entries as long as they begin between two offsets. */
  #dropBetween(from: number, to: number): void {
    while (this.#size > 0) {
      const [start = 0] = this.#offsetsOf(0);
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
      if (typeof part === "string") this.#next += this.#block.write(part, this.#next);
      else {
        this.#block.set(part, this.#next);
        this.#next += part.length;
      }
    }
    return this.#next;
  }
}
