/** A map of bounded size that drops the least recently used key. */
export class LruMap<Key, Value> {
  readonly #sizeMax: number;
  /** All entries in the order of use: a used key is deleted and set again. */
  readonly #entries = new Map<Key, Value>();
  /** The most recently used key, which need not move. */
  #newest: Key | undefined;

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined && key !== this.#newest) {
      this.#entries.delete(key);
      this.#entries.set(key, value);
      this.#newest = key;
    }
    return value;
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size < this.#sizeMax) break;
      this.#entries.delete(oldest);
    }
    this.#entries.set(key, value);
    this.#newest = key;
  }

  delete(key: Key): void {
    this.#entries.delete(key);
    if (key === this.#newest) this.#newest = undefined;
  }

  clear(): void {
    this.#entries.clear();
  }
}
