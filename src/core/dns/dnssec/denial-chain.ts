import type { DenialForm, Link } from "./denial-forms.ts";
import { SortedEntries } from "./sorted-entries.ts";
import { typeBitmap } from "./type-bitmap.ts";

/** The names of a zone in a ring: a record of each says which is the next, so that none is between them. */
export class DenialChain {
  readonly #form: DenialForm;
  readonly #links = new SortedEntries<Link>();
  /** Of links whose records have changed. */
  readonly #changedKeys = new Set<string>();
  /** By the owner's name of their records. */
  readonly #removed = new Set<string>();
  /** There are few of them in many names. */
  readonly #bitmaps = new Map<string, string>();

  constructor(form: DenialForm) {
    this.#form = form;
  }

  /** Says which types a name has, undefined for a name that is not proved to exist. */
  set(name: string, types: readonly number[] | undefined): void {
    const key = this.#form.keyOf(name);
    const known = this.#links.at(key);
    if (types === undefined) {
      if (known === undefined) return;
      this.#links.delete(key);
      this.#changedKeys.delete(key);
      this.#removed.add(this.#form.ownerOf(known));
      this.#changeBefore(key);
      return;
    }
    const link = { key, name, bitmap: this.#bitmapOf(this.#form.listed(types)) };
    if (known?.bitmap === link.bitmap) return;
    this.#links.set(link);
    this.#changedKeys.add(key);
    if (known === undefined) this.#changeBefore(key);
  }

  /** What has changed since this was last read: owners' names, and the data of their record, undefined for none any more. */
  *changes(): Generator<readonly [owner: string, rdata: string | undefined], void, undefined> {
    const changed = new Map<string, string>();
    for (const key of this.#changedKeys) {
      const link = this.#links.at(key);
      const next = link && this.#links.next(key);
      if (next !== undefined)
        changed.set(this.#form.ownerOf(link as Link), this.#form.data(link as Link, next));
    }
    for (const owner of this.#removed) if (!changed.has(owner)) yield [owner, undefined];
    yield* changed;
    this.#changedKeys.clear();
    this.#removed.clear();
  }

  /** The owner's name of the record that proves what a name has. */
  ownerMatching(name: string): string | undefined {
    const link = this.#links.at(this.#form.keyOf(name));
    return link && this.#form.ownerOf(link);
  }

  /** The owner's name of the record that proves that a name, which is not in the chain, does not exist. */
  ownerCovering(name: string): string | undefined {
    const link = this.#links.previous(this.#form.keyOf(name));
    return link && this.#form.ownerOf(link);
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
