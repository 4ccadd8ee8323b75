import { FairList, type FairLink, type FairListOptions } from "./fair-list.ts";

interface Entry<Key, Value> {
  readonly key: Key;
  readonly value: Value;
}

/** A map of bounded weight that several owners share like a `FairList`. */
export class FairMap<Key, Value> {
  /** All entries in the order in which they were set. */
  readonly #links = new Map<Key, FairLink<Entry<Key, Value>>>();
  readonly #list: FairList<Entry<Key, Value>>;

  /** `onDrop` is called with the value of an entry that had to make room. */
  constructor({ weightMax, onDrop }: FairListOptions<Value>) {
    this.#list = new FairList({
      weightMax,
      onDrop: ({ key, value }) => {
        this.#links.delete(key);
        onDrop?.(value);
      },
    });
  }

  get size(): number {
    return this.#links.size;
  }

  get weight(): number {
    return this.#list.weight;
  }

  get(key: Key): Value | undefined {
    const link = this.#links.get(key);
    if (link !== undefined) this.#list.use(link);
    return link?.value.value.value;
  }

  peek(key: Key): Value | undefined {
    return this.#links.get(key)?.value.value.value;
  }

  /** Sets a key, and drops entries until all are within the bound; that may be this one. */
  set(key: Key, value: Value, owners: readonly string[], weight = 1): void {
    this.delete(key);
    // The entry is in the map before it is weighed, which may drop it.
    const link = this.#list.add({ key, value }, owners, 0);
    this.#links.set(key, link);
    this.#list.weigh(link, weight);
  }

  weigh(key: Key, weight: number): void {
    const link = this.#links.get(key);
    if (link !== undefined) this.#list.weigh(link, weight);
  }

  delete(key: Key): Value | undefined {
    const link = this.#links.get(key);
    if (link === undefined) return undefined;
    this.#links.delete(key);
    this.#list.remove(link);
    return link.value.value.value;
  }

  /** Iterates in the order in which the keys were set. */
  *[Symbol.iterator](): Generator<readonly [Key, Value], void, undefined> {
    for (const [key, { value }] of this.#links) yield [key, value.value.value];
  }

  oldest(): readonly [Key, Value] | undefined {
    const [first] = this.#links;
    return first === undefined ? undefined : [first[0], first[1].value.value.value];
  }

  clear(): void {
    this.#links.clear();
    this.#list.clear();
  }
}
