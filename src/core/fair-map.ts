import { Link, LinkedList } from "./linked-list.ts";

interface Entry<Key, Value> {
  readonly key: Key;
  readonly value: Value;
  readonly share: Share<Key, Value>;
  weight: number;
}

/** What an owner holds of the bound. Either it has parts, or entries, the least recently used first. */
class Share<Key, Value> {
  readonly name: string;
  readonly whole: Share<Key, Value> | undefined;
  readonly parts = new Map<string, Share<Key, Value>>();
  readonly entries = new LinkedList<Entry<Key, Value>>();
  weight = 0;
  /** The part that was above its equal part when it was last looked for. */
  #heavy: Share<Key, Value> | undefined;

  constructor(name: string, whole?: Share<Key, Value>) {
    this.name = name;
    this.whole = whole;
  }

  partOf(owners: readonly string[]): Share<Key, Value> {
    const [name, ...within] = owners;
    if (name === undefined) return this;
    let part = this.parts.get(name);
    if (part === undefined) this.parts.set(name, (part = new Share(name, this)));
    return part.partOf(within);
  }

  weigh(more: number): void {
    this.weight += more;
    this.whole?.weigh(more);
  }

  /** Forgets an owner that has nothing left. */
  leave(): void {
    if (this.whole === undefined || this.entries.size > 0 || this.parts.size > 0) return;
    this.whole.parts.delete(this.name);
    this.whole.leave();
  }

  /** Where an entry has to go: there is an owner with at least an equal part, as not all can be below the average. */
  heaviest(): Share<Key, Value> {
    if (this.parts.size === 0) return this;
    const isHeavy = (part: Share<Key, Value>): boolean => part.weight * this.parts.size >= this.weight;
    const known = this.#heavy;
    if (known === undefined || this.parts.get(known.name) !== known || !isHeavy(known))
      this.#heavy = this.parts.values().find(isHeavy);
    return this.#heavy?.heaviest() ?? this;
  }
}

export interface FairMapOptions<Value> {
  /** The most that the entries of all owners weigh together. */
  readonly weightMax: number;
  /** Called with the value of an entry that had to make room. */
  readonly onDrop?: (value: Value) => void;
}

/**
 * A map of bounded weight that several owners share. Above the bound, the least recently used entry goes of an owner that
 * holds at least an equal part of it: whoever holds less than the bound divided by the number of owners loses nothing to
 * others. An owner is a path, such as an account and a client of it, which share what the account holds in the same way.
 */
export class FairMap<Key, Value> {
  readonly #options: FairMapOptions<Value>;
  /** In the order in which they were set. */
  readonly #links = new Map<Key, Link<Entry<Key, Value>>>();
  #all = new Share<Key, Value>("");

  constructor(options: FairMapOptions<Value>) {
    this.#options = options;
  }

  get size(): number {
    return this.#links.size;
  }

  get weight(): number {
    return this.#all.weight;
  }

  /** The value of a key, which then is the most recently used one of its owner. */
  get(key: Key): Value | undefined {
    const link = this.#links.get(key);
    if (link === undefined) return undefined;
    const { entries } = link.value.share;
    if (link.after !== undefined) {
      entries.remove(link);
      entries.add(link);
    }
    return link.value.value;
  }

  /** The value of a key, without using it. */
  peek(key: Key): Value | undefined {
    return this.#links.get(key)?.value.value;
  }

  /** Sets a key, and drops entries until all are within the bound; that may be this one. */
  set(key: Key, value: Value, owners: readonly string[], weight = 1): void {
    this.delete(key);
    const share = this.#all.partOf(owners);
    const link = new Link<Entry<Key, Value>>({ key, value, share, weight });
    this.#links.set(key, link);
    share.entries.add(link);
    share.weigh(weight);
    this.#makeRoom();
  }

  /** Changes the weight of a key, if it is there, and drops entries as `set` does. */
  weigh(key: Key, weight: number): void {
    const entry = this.#links.get(key)?.value;
    if (entry === undefined) return;
    entry.share.weigh(weight - entry.weight);
    entry.weight = weight;
    this.#makeRoom();
  }

  delete(key: Key): Value | undefined {
    const link = this.#links.get(key);
    if (link === undefined) return undefined;
    const { share, weight, value } = link.value;
    this.#links.delete(key);
    share.entries.remove(link);
    share.weigh(-weight);
    share.leave();
    return value;
  }

  /** The entry that was set first; undefined in an empty map. */
  oldest(): readonly [Key, Value] | undefined {
    for (const [key, { value }] of this.#links) return [key, value.value];
    return undefined;
  }

  clear(): void {
    this.#links.clear();
    this.#all = new Share("");
  }

  #makeRoom(): void {
    while (this.#all.weight > this.#options.weightMax) {
      const { first } = this.#all.heaviest().entries;
      if (first === undefined) return;
      this.delete(first.value.key);
      this.#options.onDrop?.(first.value.value);
    }
  }
}
