import { type DenialMechanism, type Link, typeBitmap } from "./denial-mechanisms.ts";
import { SortedEntries } from "./sorted-entries.ts";

/** The NSEC or NSEC3 chain of a zone: a ring of names in which each record points to the next name. */
export class DenialChain {
  readonly #mechanism: DenialMechanism;
  readonly #links = new SortedEntries<Link>();
  /** Keys of links whose records have changed. */
  readonly #changedKeys = new Set<string>();
  /** Owner names of records that are gone. */
  readonly #removed = new Set<string>();
  /** Shared by all names with the same types, as a zone has few different bitmaps. */
  readonly #bitmaps = new Map<string, string>();

  constructor(mechanism: DenialMechanism) {
    this.#mechanism = mechanism;
  }

  /** Sets the types of a name; undefined takes it out of the chain. */
  set(name: string, types: readonly number[] | undefined): void {
    const key = this.#mechanism.keyOf(name);
    const known = this.#links.at(key);
    if (types === undefined) {
      if (known === undefined) return;
      this.#links.delete(key);
      this.#changedKeys.delete(key);
      this.#removed.add(this.#mechanism.ownerOf(known));
      this.#changeBefore(key);
      return;
    }
    const link = { key, name, bitmap: this.#bitmapOf(this.#mechanism.listed(types)) };
    if (known?.bitmap === link.bitmap) return;
    this.#links.set(link);
    this.#changedKeys.add(key);
    if (known === undefined) this.#changeBefore(key);
  }

  /**
   * The changes since the last call: owner names with the data of their record, undefined for a removed one.
   */
  *changes(): Generator<readonly [owner: string, rdata: string | undefined], void, undefined> {
    const changed = new Map<string, string>();
    for (const key of this.#changedKeys) {
      const link = this.#links.at(key);
      const next = link && this.#links.next(key);
      if (next !== undefined)
        changed.set(this.#mechanism.ownerOf(link as Link), this.#mechanism.data(link as Link, next));
    }
    for (const owner of this.#removed) if (!changed.has(owner)) yield [owner, undefined];
    yield* changed;
    this.#changedKeys.clear();
    this.#removed.clear();
  }

  /**
   * The owner name of the record that matches a name (RFC 5155 section 1.3); undefined if it is not in the
   * chain.
   */
  ownerMatching(name: string): string | undefined {
    const link = this.#links.at(this.#mechanism.keyOf(name));
    return link && this.#mechanism.ownerOf(link);
  }

  /**
   * The owner name of the record that covers a name that is not in the chain: it proves that the name does
   * not exist.
   */
  ownerCovering(name: string): string | undefined {
    const link = this.#links.previous(this.#mechanism.keyOf(name));
    return link && this.#mechanism.ownerOf(link);
  }

  #changeBefore(key: string): void {
    const before = this.#links.previous(key);
    if (before !== undefined) this.#changedKeys.add(before.key);
  }

  #bitmapOf(types: readonly number[]): string {
    const key = types.join(" ");
    const known = this.#bitmaps.get(key);
    if (known !== undefined) return known;
    const bitmap = typeBitmap(types);
    this.#bitmaps.set(key, bitmap);
    return bitmap;
  }
}
