import { NameAuthority, type ActiveZone, type ZoneOwner } from "../names/name-authority.ts";
import { typeCodes } from "../wire/codes.ts";
import { countLabels, foldName, nameAt, parentOf } from "../wire/names.ts";
import type { ZoneView } from "./zone-view.ts";

interface IndexedZone extends ActiveZone {
  /** Undefined while it is not read, and for a zone that other name servers answer for. */
  readonly view: ZoneView | undefined;
  /** The revision of the index with its last change: no two states of any zones have the same. */
  revision: number;
}

/** An active zone of which nothing was read. */
type ColdZone = Pick<ZoneOwner, "id" | "name" | "accountId">;

interface ZoneIndexOptions {
  /** Finds the active zone with exactly a name that is not in the index. */
  readonly coldAt?: (name: string) => ColdZone | undefined;
  /** Is called with the id of each zone that is looked at. */
  readonly used?: (id: string) => void;
}

/**
 * The zones that are served, by name, and those that are not, but have a say in who answers for names below them.
 * Zones that nobody asked for are not in it: a look-up tells which one has to be read first (`cold`).
 */
export class ZoneIndex {
  readonly #options: ZoneIndexOptions;
  readonly #zones = new Map<string, IndexedZone>();
  readonly #authority = new NameAuthority<IndexedZone>((name) => this.#zoneAt(name));
  /** The zone that has to be read before the last look-up has a result; undefined where it had one. */
  cold: ColdZone | undefined;
  /** The most labels of any zone's name: longer suffixes need no lookup. */
  #labelsMax = 0;
  #revision = 0;

  constructor(options: ZoneIndexOptions = {}) {
    this.#options = options;
  }

  get revision(): number {
    return this.#revision;
  }

  /**
   * Notes whose zone has a name, in the place of any other zone's of that name. `delegationOf` is for a zone without
   * a view.
   */
  claim(owner: ZoneOwner, delegationOf: ActiveZone["delegationOf"] = () => []): void {
    const known = this.#zones.get(owner.name);
    const view = known?.id === owner.id ? known.view : undefined;
    this.#put({ ...owner, view, delegationOf: view === undefined ? delegationOf : delegationsOf(view) });
  }

  /** Shows a zone, unless another zone has claimed its name. A zone without a claim has no account. */
  set(view: ZoneView, id = view.name): void {
    const claimed = this.#zones.get(view.name) ?? { ...unclaimed, id, name: view.name };
    if (claimed.id !== id) return;
    view.onChange = () => {
      const shown = this.#zones.get(view.name);
      if (shown?.view === view) shown.revision = this.#revision += 1;
    };
    this.#put({ ...claimed, view, delegationOf: delegationsOf(view) });
  }

  /** Forgets a zone, unless another one has its name. */
  delete(name: string, id = name): void {
    if (this.#zones.get(name)?.id !== id) return;
    this.#revision += 1;
    this.#zones.delete(name);
  }

  at(name: string): ZoneView | undefined {
    return this.#zones.get(name)?.view;
  }

  /**
   * The zone that answers for a folded name; with `isAbove`, a zone with that very name is skipped. Undefined also
   * where that zone has no view.
   */
  enclosing(name: string, isAbove: boolean): ZoneView | undefined {
    return this.inChargeOf(name, isAbove)?.view;
  }

  /** The zone that answers for a name, as `enclosing` finds it, also where it has no view. */
  inChargeOf(name: string, isAbove: boolean): Pick<IndexedZone, "view" | "revision"> | undefined {
    this.cold = undefined;
    let at: string | undefined = isAbove ? parentOf(name) : name;
    for (let excess = at === undefined ? 0 : countLabels(at) - this.#labelsMax; excess > 0; excess -= 1) {
      at = at === undefined ? undefined : parentOf(at);
    }
    const zone = at === undefined ? undefined : this.#authority.inChargeOf(at);
    return this.cold === undefined ? zone : undefined;
  }

  /** Notes that there are zones with names of so many labels. */
  expect(labels: number): void {
    this.#labelsMax = Math.max(this.#labelsMax, labels);
  }

  #zoneAt(name: string): IndexedZone | undefined {
    const { coldAt, used } = this.#options;
    const zone = this.#zones.get(name);
    if (zone === undefined) this.cold ??= coldAt?.(name);
    else used?.(zone.id);
    return zone;
  }

  #put(zone: Omit<IndexedZone, "revision">): void {
    this.#revision += 1;
    this.#zones.set(zone.name, { ...zone, revision: this.#revision });
    this.#labelsMax = Math.max(this.#labelsMax, countLabels(zone.name));
  }
}

const unclaimed: Omit<ZoneOwner, "id" | "name"> = {
  accountId: "",
  activationOrder: 0,
  nameServers: [],
  vanityNameServers: [],
  consents: [],
};

function delegationsOf(view: ZoneView): ActiveZone["delegationOf"] {
  return (name) =>
    view.storedSet(name, typeCodes.NS)?.rdatas.map((rdata) => foldName(nameAt(rdata, 0).name)) ?? [];
}
