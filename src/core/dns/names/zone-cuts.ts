import { parentOf } from "../wire/names.ts";

/** The names that a zone delegates, also those below another delegation. */
export class ZoneCuts {
  readonly #zone: string;
  readonly #names = new Set<string>();
  #changed = new Set<string>();

  constructor(zone: string) {
    this.#zone = zone;
  }

  /** Marks a name as delegated or not. */
  set(name: string, isCut: boolean): void {
    if (this.#names.has(name) === isCut) return;
    if (isCut) this.#names.add(name);
    else this.#names.delete(name);
    this.#changed.add(name);
  }

  /** The highest delegated name at or above a folded name of the zone. */
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

  /** The names that became delegated, or no longer are, since the last call. */
  takeChanged(): ReadonlySet<string> {
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }
}
