/**
 * Room for values that stay until their owner is done with them, and so cannot make way for others. An owner
 * may take as much as leaves an equal part free: half of all where it is alone, a third where another one has
 * as much. So there is room for the next owner. An owner is a path, such as an account and a client of it:
 * the clients share the account's part in the same way.
 */
export class FairRoom {
  readonly #max: number;
  /** The amount that is held, by the path of the owner; the empty path holds the total. */
  readonly #held = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Returns a function to be called once, which gives back the amount; undefined where the owner has had its
   * part.
   */
  take(owners: readonly string[], amount = 1): (() => void) | undefined {
    const paths = ["", ...owners.map((_, at) => owners.slice(0, at + 1).join("\n"))];
    let most = this.#max;
    let whole = this.#heldBy("");
    for (const path of paths.slice(1)) {
      const own = this.#heldBy(path);
      most = (most - (whole - own)) / 2;
      if (own + amount > most) return undefined;
      whole = own;
    }
    for (const path of paths) this.#add(path, amount);
    return () => {
      for (const path of paths) this.#add(path, -amount);
    };
  }

  #heldBy(path: string): number {
    return this.#held.get(path) ?? 0;
  }

  #add(path: string, amount: number): void {
    const held = this.#heldBy(path) + amount;
    if (held === 0) this.#held.delete(path);
    else this.#held.set(path, held);
  }
}
