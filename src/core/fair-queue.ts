interface Entry<Item> {
  readonly item: Item;
  readonly weight: number;
}

interface Waiting<Item> {
  readonly entries: Entry<Item>[];
  weight: number;
}

/** A queue that takes the items of several owners in turns. */
export class FairQueue<Item> {
  readonly #owners = new Map<string, Waiting<Item>>();
  #length = 0;
  #weight = 0;

  get length(): number {
    return this.#length;
  }

  /** Counts the items of the owner, or those of them for which `counts` holds. */
  lengthOf(owner: string, counts: (item: Item) => boolean = () => true): number {
    return this.#owners.get(owner)?.entries.filter(({ item }) => counts(item)).length ?? 0;
  }

  add(owner: string, item: Item, weight = 1): void {
    const waiting = this.#owners.get(owner) ?? { entries: [], weight: 0 };
    this.#owners.set(owner, waiting);
    waiting.entries.push({ item, weight });
    this.#count(waiting, 1, weight);
  }

  /**
   * Adds an item to a queue whose items together weigh at most `weightMax`. Returns the items that have no
   * place in it: the newest ones of the owner with the most, which may include this one.
   */
  addWithin(weightMax: number, owner: string, item: Item, weight = 1): Item[] {
    this.add(owner, item, weight);
    const out: Item[] = [];
    while (this.#weight > weightMax) {
      const newest = this.#takeNewest(this.#ownerOfMost(owner));
      if (newest === undefined) return out;
      out.push(newest);
    }
    return out;
  }

  /** Removes the first item for which `mayTake` holds, of the owner whose turn it is or of the next one. */
  take(mayTake: (item: Item) => boolean = () => true): Item | undefined {
    for (const [owner, waiting] of this.#owners) {
      const { entries } = waiting;
      const at = entries.findIndex(({ item }) => mayTake(item));
      const [taken] = at === -1 ? [] : entries.splice(at, 1);
      if (taken === undefined) continue;
      this.#count(waiting, -1, -taken.weight);
      this.#owners.delete(owner);
      if (entries.length > 0) this.#owners.set(owner, waiting);
      return taken.item;
    }
    return undefined;
  }

  /** Removes an item. Returns false if it is not in the queue. */
  remove(owner: string, item: Item): boolean {
    const waiting = this.#owners.get(owner);
    const at = waiting?.entries.findIndex((entry) => entry.item === item) ?? -1;
    if (waiting === undefined || at === -1) return false;
    const [{ weight } = { weight: 0 }] = waiting.entries.splice(at, 1);
    this.#count(waiting, -1, -weight);
    if (waiting.entries.length === 0) this.#owners.delete(owner);
    return true;
  }

  clear(): Item[] {
    const items = [...this.#owners.values()].flatMap(({ entries }) => entries.map(({ item }) => item));
    this.#owners.clear();
    this.#length = 0;
    this.#weight = 0;
    return items;
  }

  /** The owner whose items weigh most; `given`, where those of others weigh as much. */
  #ownerOfMost(given: string): string {
    let most = given;
    for (const [owner, { weight }] of this.#owners)
      if (weight > (this.#owners.get(most)?.weight ?? 0)) most = owner;
    return most;
  }

  #takeNewest(owner: string): Item | undefined {
    const waiting = this.#owners.get(owner);
    const newest = waiting?.entries.pop();
    if (waiting === undefined || newest === undefined) return undefined;
    this.#count(waiting, -1, -newest.weight);
    if (waiting.entries.length === 0) this.#owners.delete(owner);
    return newest.item;
  }

  #count(waiting: Waiting<Item>, more: number, weight: number): void {
    waiting.weight += weight;
    this.#length += more;
    this.#weight += weight;
  }
}

/**
 * The first `limit` items, of each owner in turn: an owner with many takes no place of another's. The items
 * of each owner keep their order.
 */
export function fairShare<Item>(
  items: readonly Item[],
  ownerOf: (item: Item) => string,
  limit: number,
): Item[] {
  let owners = [...Map.groupBy(items, ownerOf).values()];
  const taken: Item[] = [];
  for (let turn = 0; owners.length > 0; turn += 1) {
    for (const [item] of owners.map((own) => own.slice(turn, turn + 1))) {
      if (item === undefined) continue;
      if (taken.length === limit) return taken;
      taken.push(item);
    }
    owners = owners.filter((own) => own.length > turn + 1);
  }
  return taken;
}
