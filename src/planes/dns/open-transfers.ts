import type { Logger } from "pino";

import { originRule } from "../../core/net/origin-address.ts";
import type { SocketAddress } from "../../name-server/listeners.ts";
import { Notifier } from "../../name-server/notifier.ts";
import type { TransferSource, TransferRules } from "../../name-server/transfers.ts";
import {
  noteTransfers,
  type SentTransfer,
  findCatalogRules,
  findTransferRules,
} from "../../resources/zone-transfers/outgoing.ts";
import type { TransferKeyContext } from "../../resources/zone-transfers/zone-transfers.ts";
import type { ZoneContext } from "../../resources/zones/zones.ts";
import { CatalogZones } from "./catalog-zones.ts";
import { type NotifiedZones, Notifications } from "./notifications.ts";
import type { ServedZones } from "./served-zones.ts";
import { repeat } from "../../process/timer.ts";
import type { ZoneView } from "../../core/dns/served/zone-view.ts";
import { FairMap } from "../../core/fair-map.ts";
import { areOfTransfers } from "../zone-changes.ts";

type Context = Pick<ZoneContext & TransferKeyContext, "db" | "now" | "secretBox" | "settings">;

/** Changes within this time are handled in one round, as each round examines all catalogs. */
const noticeRoundMs = 250;
/** After so many rounds without a notification, only every so-many-th round reads the store. */
const quietRoundsMax = 20;
/** Shorter than a peer that transfers a zone waits for a reminder of it. */
const savingRoundMs = 1_000;

/** The name server's source of zones to transfer. */
export function createTransferSource(
  context: Context,
  zones: ServedZones,
  incoming: NotifiedZones,
): {
  readonly source: TransferSource;
  readonly catalogs: CatalogZones;
  readonly sent: Map<string, SentTransfer>;
} {
  const catalogs = new CatalogZones(context);
  const rules = new StoredRules(context, zones, catalogs);
  /** Transfers that are still to be stored. */
  const sent = new Map<string, SentTransfer>();
  return {
    catalogs,
    sent,
    source: {
      catalogOf: catalogs.at,
      rulesOf: (zone) => rules.of(zone),
      notifyRulesOf: (name) => incoming.rulesOf(name),
      notified: (name) => incoming.notified(name),
      isExact: (zone) => zones.isExact(zone) || catalogs.peerOf(zone) !== undefined,
      transferred: (zone, serial, address) => {
        const transfer = { zoneId: zones.idOfView(zone), catalogOf: catalogs.peerOf(zone), serial, address };
        sent.set(`${address} ${zone.name}`, transfer);
      },
    },
  };
}

/** Keeps catalogs up to date and notifies peers, on one instance at a time. All of it stops with `opened`. */
export function startNotifications(
  opened: AsyncDisposableStack,
  context: Context,
  zones: ServedZones,
  { catalogs, sent }: ReturnType<typeof createTransferSource>,
  {
    addresses,
    networks,
    logger,
  }: {
    readonly addresses: readonly SocketAddress[];
    /** Addresses that are notified besides public ones, as ranges in CIDR notation. */
    readonly networks: readonly string[];
    readonly logger: Logger;
  },
): void {
  const { db, now } = context;
  const notifier = new Notifier(addresses, () => now().getTime());
  opened.defer(() => notifier.close());
  const notifications = new Notifications(context, zones, catalogs, notifier, originRule(networks));
  let isChanged = true;
  let quietRounds = 0;
  const round = async (): Promise<void> => {
    if (isChanged) {
      isChanged = false;
      quietRounds = 0;
      await catalogs.refresh().catch((error: unknown) => {
        isChanged = true;
        throw error;
      });
    }
    // Without a change there may still be work: a view catches up with its zone, or another instance has
    // ended.
    quietRounds += 1;
    if (quietRounds > quietRoundsMax && quietRounds % quietRoundsMax !== 0) return;
    await db.runAlone("notifications", async () => {
      if (await notifications.round()) quietRounds = 0;
    });
  };
  const timer = repeat("notifications", noticeRoundMs, round, logger);
  opened.defer(timer.stop);
  // Records too: peers are notified of their changes.
  db.onChange(() => {
    isChanged = true;
  });
  const save = async (): Promise<void> => {
    const transfers = [...sent.values()];
    sent.clear();
    if (transfers.length > 0) await db.transaction((tx) => noteTransfers(tx, transfers, now()));
  };
  const saving = repeat("transfers", savingRoundMs, save, logger);
  opened.defer(saving.stop);
}

type KeyContext = Pick<TransferKeyContext, "db" | "secretBox">;

const zonesMax = 10_000;

/** The peers that may transfer each zone; read on first use, and again after any change. */
export class StoredRules {
  readonly #context: KeyContext;
  readonly #zones: ServedZones;
  readonly #catalogs: CatalogZones;
  readonly #known = new FairMap<string, Promise<TransferRules>>({ weightMax: zonesMax });

  constructor(context: KeyContext, zones: ServedZones, catalogs: CatalogZones) {
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
