import { isAtOrBelow, parentOf } from "../wire/names.ts";

/** The names of a zone with DNAME records, which redirect all names below them (RFC 6672). */
export class ZoneRedirections {
  readonly #zone: string;
  readonly #names = new Set<string>();

  constructor(zone: string) {
    this.#zone = zone;
  }

  /** Notes whether a name redirects. */
  set(name: string, isRedirecting: boolean): void {
    if (isRedirecting) this.#names.add(name);
    else this.#names.delete(name);
  }

  /** The highest such name above a folded name of the zone; undefined if it is delegated by `cut`, at or above that. */
  above(name: string, cut: string | undefined): string | undefined {
    if (this.#names.size === 0 || name === this.#zone) return undefined;
    let highest: string | undefined;
    for (let at = parentOf(name); at !== undefined; at = at === this.#zone ? undefined : parentOf(at)) {
      if (this.#names.has(at)) highest = at;
    }
    const isDelegated = highest !== undefined && cut !== undefined && isAtOrBelow(highest, cut);
    return isDelegated ? undefined : highest;
  }
}
