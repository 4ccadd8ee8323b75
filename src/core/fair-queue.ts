interface Waiting<Item> {
  readonly items: Item[];
}

/** A queue that takes the items of several owners in turns. */
export class FairQueue<Item> {
  /** In the order of the owners' turns. */
  readonly #owners = new Map<string, Waiting<Item>>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Number of the owner's items. */
  lengthOf(owner: string): number {
    return this.#owners.get(owner)?.items.length ?? 0;
  }

  add(owner: string, item: Item): void {
    const waiting = this.#owners.get(owner);
    if (waiting === undefined) this.#owners.set(owner, { items: [item] });
    else waiting.items.push(item);
    this.#length += 1;
  }

  /** Removes the first item that may be taken, of the owner whose turn it is or of the next one. */
  take(mayTake: (item: Item) => boolean = () => true): Item | undefined {
    for (const [owner, { items }] of this.#owners) {
      const at = items.findIndex(mayTake);
      const [taken] = at === -1 ? [] : items.splice(at, 1);
      if (taken === undefined) continue;
      this.#length -= 1;
      this.#owners.delete(owner);
      if (items.length > 0) this.#owners.set(owner, { items });
      return taken;
    }
    return undefined;
  }

  /** Removes an item. Returns false if it is not in the queue. */
  remove(owner: string, item: Item): boolean {
    const items = this.#owners.get(owner)?.items ?? [];
    const at = items.indexOf(item);
    if (at === -1) return false;
    items.splice(at, 1);
    this.#length -= 1;
    if (items.length === 0) this.#owners.delete(owner);
    return true;
  }

  /** The owner with the most items. */
  ownerOfMost(): string | undefined {
    let most: string | undefined;
    for (const owner of this.#owners.keys())
      if (most === undefined || this.lengthOf(owner) > this.lengthOf(most)) most = owner;
    return most;
  }

  /** Removes the owner's newest item. */
  takeNewest(owner: string): Item | undefined {
    const items = this.#owners.get(owner)?.items;
    const newest = items?.pop();
    if (newest !== undefined) this.#length -= 1;
    if (items?.length === 0) this.#owners.delete(owner);
    return newest;
  }

  /** Removes all items. */
  clear(): Item[] {
    const items = [...this.#owners.values()].flatMap((waiting) => waiting.items);
    this.#owners.clear();
    this.#length = 0;
    return items;
  }
}
