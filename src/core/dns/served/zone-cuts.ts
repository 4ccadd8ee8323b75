import { parentOf } from "../wire/names.ts";

/** The names that a zone delegates. Names below one belong to another zone, delegated ones among them too. */
export class ZoneCuts {
  readonly #zone: string;
  readonly #names = new Set<string>();
  #changed = new Set<string>();

  constructor(zone: string) {
    this.#zone = zone;
  }

  /** Says whether a name is delegated from now on. */
  set(name: string, isCut: boolean): void {
    if (this.#names.has(name) === isCut) return;
    if (isCut) this.#names.add(name);
    else this.#names.delete(name);
    this.#changed.add(name);
  }

  /** The highest delegated name that a folded name of the zone is, or lies below. */
  enclosing(name: string): string | undefined {
    if (this.#names.size === 0) return undefined;
    let highest: string | undefined;
    for (let at: string | undefined = name; at !== undefined && at !== this.#zone; at = parentOf(at)) {
      if (this.#names.has(at)) highest = at;
    }
    return highest;
  }

  isBelow(name: string): boolean {
    const cut = this.enclosing(name);
    return cut !== undefined && cut !== name;
  }

  /** Names that have become delegated, or are no longer, since this was last called. */
  takeChanged(): ReadonlySet<string> {
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }
}
