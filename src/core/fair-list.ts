import { Link, LinkedList } from "./linked-list.ts";

interface Entry<Value> {
  readonly value: Value;
  readonly share: Share<Value>;
  weight: number;
}

export type FairLink<Value> = Link<Entry<Value>>;

/**
 * The part of the bound that an owner holds. It has either parts, or entries, the least recently used first.
 */
class Share<Value> {
  readonly name: string;
  readonly whole: Share<Value> | undefined;
  readonly parts = new Map<string, Share<Value>>();
  readonly entries = new LinkedList<Entry<Value>>();
  weight = 0;
  #heavy: Share<Value> | undefined;

  constructor(name: string, whole?: Share<Value>) {
    this.name = name;
    this.whole = whole;
  }

  partOf(owners: readonly string[], at = 0): Share<Value> {
    const name = owners[at];
    if (name === undefined) return this;
    let part = this.parts.get(name);
    if (part === undefined) this.parts.set(name, (part = new Share(name, this)));
    return part.partOf(owners, at + 1);
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

  /**
   * The share of which an entry has to go. Its owner holds at least an equal part, as not all owners can be
   * below the average.
   */
  heaviest(): Share<Value> {
    if (this.parts.size === 0) return this;
    const isHeavy = (part: Share<Value>): boolean => part.weight * this.parts.size >= this.weight;
    const known = this.#heavy;
    if (known === undefined || this.parts.get(known.name) !== known || !isHeavy(known))
      this.#heavy = this.parts.values().find(isHeavy);
    return this.#heavy?.heaviest() ?? this;
  }
}

export interface FairListOptions<Value> {
  /** The maximum weight of the values of all owners together. */
  readonly weightMax: number;
  readonly onDrop?: (value: Value) => void;
}

/**
 * A list of bounded weight that several owners share. Above the bound, it drops the least recently used value
 * of an owner that holds at least an equal part of it: an owner that holds less than the bound divided by the
 * number of owners loses nothing to others. An owner is a path, such as an account and a client of it: the
 * clients share the part of the account in the same way.
 */
export class FairList<Value> {
  readonly #options: FairListOptions<Value>;
  #all = new Share<Value>("");

  constructor(options: FairListOptions<Value>) {
    this.#options = options;
  }

  get weight(): number {
    return this.#all.weight;
  }

  /** Adds a value, and drops values until all are within the bound; that may be this one. */
  add(value: Value, owners: readonly string[], weight = 1): FairLink<Value> {
    const share = this.#all.partOf(owners);
    const link: FairLink<Value> = new Link({ value, share, weight });
    share.entries.add(link);
    share.weigh(weight);
    this.#makeRoom();
    return link;
  }

  use(link: FairLink<Value>): void {
    if (link.after === undefined) return;
    const { entries } = link.value.share;
    entries.remove(link);
    entries.add(link);
  }

  weigh(link: FairLink<Value>, weight: number): void {
    if (!link.isLinked) return;
    const entry = link.value;
    entry.share.weigh(weight - entry.weight);
    entry.weight = weight;
    this.#makeRoom();
  }

  remove(link: FairLink<Value>): void {
    if (!link.isLinked) return;
    const { share, weight } = link.value;
    share.entries.remove(link);
    share.weigh(-weight);
    share.leave();
  }

  clear(): void {
    this.#all = new Share("");
  }

  get next(): FairLink<Value> | undefined {
    return this.#all.heaviest().entries.first;
  }

  #makeRoom(): void {
    while (this.#all.weight > this.#options.weightMax) {
      const first = this.next;
      if (first === undefined) return;
      this.remove(first);
      this.#options.onDrop?.(first.value.value);
    }
  }
}
