import { countLabels, parentOf } from "../wire/names.ts";
import type { ZoneView } from "./zone-view.ts";

/** The zones that are served, by name. */
export class ZoneIndex {
  readonly #zones = new Map<string, ZoneView>();
  /** The most labels of any zone's name: longer suffixes need no lookup. */
  #labelsMax = 0;
  #revision = 0;

  get size(): number {
    return this.#zones.size;
  }

  /** Changes with each change of the zones. */
  get revision(): number {
    return this.#revision;
  }

  set(zone: ZoneView): void {
    zone.onChange = () => {
      this.#revision += 1;
    };
    this.#revision += 1;
    this.#zones.set(zone.name, zone);
    this.#labelsMax = Math.max(this.#labelsMax, countLabels(zone.name));
  }

  delete(name: string): void {
    this.#revision += 1;
    this.#zones.delete(name);
  }

  /** The zone of that name. */
  at(name: string): ZoneView | undefined {
    return this.#zones.get(name);
  }

  /**
   * The zone that most closely encloses a folded name; with `isAbove`, a zone with that very name is skipped.
   */
  enclosing(name: string, isAbove: boolean): ZoneView | undefined {
    let at: string | undefined = isAbove ? parentOf(name) : name;
    for (let excess = at === undefined ? 0 : countLabels(at) - this.#labelsMax; excess > 0; excess -= 1) {
      at = at === undefined ? undefined : parentOf(at);
    }
    for (; at !== undefined; at = parentOf(at)) {
      const zone = this.#zones.get(at);
      if (zone !== undefined) return zone;
    }
    return undefined;
  }
}
