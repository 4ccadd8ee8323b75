/** A map of bounded size. A key that is added to a full one replaces the least recently used key. */
export class LruMap<Key, Value> {
  readonly #sizeMax: number;
  /** In the order of use: a map keeps the order of insertion, and a key that is used is inserted again. */
  readonly #entries = new Map<Key, Value>();

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, value);
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
  }

  clear(): void {
    this.#entries.clear();
  }
}
