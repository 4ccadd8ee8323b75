import { FairMap } from "../../core/fair-map.ts";
import type { TransferRules } from "../../name-server/transfers.ts";
import {
  findIncomingZones,
  findNotifyRules,
  requestTransfer,
  type IncomingZone,
} from "../../resources/zone-transfers/incoming.ts";
import type { TransferKeyContext } from "../../resources/zone-transfers/zone-transfers.ts";
import { areOfTransfers } from "../zone-changes.ts";

const zonesMax = 10_000;

/** The zones that are transferred to us, and who may notify of their changes; read again after any change. */
export class NotifiedZones {
  readonly #context: TransferKeyContext;
  readonly #requested: () => void;
  #zones: Promise<ReadonlyMap<string, IncomingZone>> | undefined;
  readonly #rules = new FairMap<string, Promise<TransferRules>>({ weightMax: zonesMax });

  /** `requested` is called when a transfer has been asked for. */
  constructor(context: TransferKeyContext, requested: () => void) {
    this.#context = context;
    this.#requested = requested;
    context.db.onChange((changes) => {
      if (areOfTransfers(changes)) this.#forget();
    });
  }

  /** Who may notify of a zone, a folded name; undefined for one that is not transferred to us. Rejects with what the store throws. */
  async rulesOf(name: string): Promise<TransferRules | undefined> {
    const zone = await this.#find(name);
    if (zone === undefined) return undefined;
    const known = this.#rules.get(name);
    if (known !== undefined) return known;
    const rules = findNotifyRules(this.#context, this.#context.db.read, zone);
    this.#rules.set(name, rules, [zone.accountId]);
    rules.catch(() => this.#forget());
    return rules;
  }

  /** Makes the primary of a zone be asked at once. */
  async notified(name: string): Promise<void> {
    const zone = await this.#find(name);
    if (zone === undefined) return;
    await requestTransfer(this.#context, zone.id);
    this.#requested();
  }

  async #find(name: string): Promise<IncomingZone | undefined> {
    this.#zones ??= findIncomingZones(this.#context.db.read);
    this.#zones.catch(() => this.#forget());
    return (await this.#zones).get(name);
  }

  #forget(): void {
    this.#zones = undefined;
    this.#rules.clear();
  }
}
