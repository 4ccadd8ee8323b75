/** The newest entries, bounded in number and in bytes. */
export class Journal<Entry extends { readonly bytes: number }> {
  readonly #entriesMax: number;
  readonly #bytesMax: number;
  /** A ring: the oldest entry is at `#first`. */
  #ring: (Entry | undefined)[] = [];
  #first = 0;
  #count = 0;
  #bytes = 0;
  #dropped = 0;

  constructor({ entriesMax, bytesMax }: { readonly entriesMax: number; readonly bytesMax: number }) {
    this.#entriesMax = entriesMax;
    this.#bytesMax = bytesMax;
  }

  /** Entries that are no longer kept. */
  get dropped(): number {
    return this.#dropped;
  }

  get size(): number {
    return this.#count;
  }

  add(entry: Entry): void {
    if (this.#count === this.#entriesMax) this.#dropOldest();
    this.#ring[(this.#first + this.#count) % this.#entriesMax] = entry;
    this.#count += 1;
    this.#bytes += entry.bytes;
    // The newest one stays, however large it is.
    while (this.#bytes > this.#bytesMax && this.#count > 1) this.#dropOldest();
  }

  /** The oldest first. */
  *entries(): Generator<Entry> {
    for (let index = 0; index < this.#count; index += 1) yield this.#at(index);
  }

  /** The newest first. */
  *newestFirst(): Generator<Entry> {
    for (let index = this.#count - 1; index >= 0; index -= 1) yield this.#at(index);
  }

  clear(): void {
    this.#ring = [];
    this.#first = 0;
    this.#count = 0;
    this.#bytes = 0;
    this.#dropped = 0;
  }

  #at(index: number): Entry {
    return this.#ring[(this.#first + index) % this.#entriesMax] as Entry;
  }

  #dropOldest(): void {
    this.#bytes -= this.#at(0).bytes;
    this.#ring[this.#first] = undefined;
    this.#first = (this.#first + 1) % this.#entriesMax;
    this.#count -= 1;
    this.#dropped += 1;
  }
}
