import type { ZoneView } from "../../core/dns/served/zone-view.ts";
import { FairMap } from "../../core/fair-map.ts";
import type { TransferRules } from "../../name-server/transfers.ts";
import { findCatalogRules, findTransferRules } from "../../resources/zone-transfers/serving.ts";
import type { TransferKeyContext } from "../../resources/zone-transfers/zone-transfers.ts";
import { areOfTransfers } from "../zone-changes.ts";
import type { CatalogZones } from "./catalog-zones.ts";
import type { ServedZones } from "./served-zones.ts";

type Context = Pick<TransferKeyContext, "db" | "secretBox">;

const zonesMax = 10_000;

/** Who may transfer which zone; read on first use, and again after any change. */
export class StoredRules {
  readonly #context: Context;
  readonly #zones: ServedZones;
  readonly #catalogs: CatalogZones;
  readonly #known = new FairMap<string, Promise<TransferRules>>({ weightMax: zonesMax });

  constructor(context: Context, zones: ServedZones, catalogs: CatalogZones) {
    this.#context = context;
    this.#zones = zones;
    this.#catalogs = catalogs;
    context.db.onChange((changes) => {
      if (areOfTransfers(changes)) this.#forget();
    });
  }

  /** Rejects with what the store throws. */
  of(zone: ZoneView): Promise<TransferRules> {
    // By the id, as a name may become another account's. A catalog has a name of its own.
    const key = this.#zones.idOfView(zone) ?? zone.name;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const rules = this.#read(zone);
    this.#known.set(key, rules, [zone.accountId]);
    rules.catch(() => this.#forget());
    return rules;
  }

  #forget(): void {
    this.#known.clear();
  }

  #read(zone: ZoneView): Promise<TransferRules> {
    const { read } = this.#context.db;
    const peerId = this.#catalogs.peerOf(zone);
    return peerId === undefined
      ? findTransferRules(this.#context, read, this.#zones.idOfView(zone) ?? "")
      : findCatalogRules(this.#context, read, peerId);
  }
}
