import type { ZoneView } from "../core/dns/served/zone-view.ts";
import { rcodes } from "../core/dns/wire/codes.ts";
import type { Notifier } from "../name-server/notifier.ts";
import { findPeerKey } from "../resources/zone-transfers/serving.ts";
import {
  selectAllPeers,
  selectPendingNotices,
  updateCatalogNotified,
  updateNotified,
} from "../resources/zone-transfers/serving-store.ts";
import { noteChecked } from "../resources/zone-transfers/store.ts";
import type { TransferKeyContext } from "../resources/zone-transfers/zone-transfers.ts";
import { toTimestamp } from "../storage/columns.ts";
import type { Db } from "../storage/tables.ts";
import type { CatalogZones } from "./catalog-zones.ts";
import type { ServedZones } from "./served-zones.ts";

/** A zone that a peer has to be told of. */
interface Notice {
  readonly zone: ZoneView;
  readonly serial: number;
  readonly peerId: string;
  readonly ip: string;
  readonly port: number;
  readonly keyId: string | null;
  /** To be called in a transaction once the peer has been told. */
  readonly told: (tx: Db) => Promise<unknown>;
}

/** How a peer was told of a zone; times are by the clock of the process. */
interface Attempts {
  readonly serial: number;
  readonly count: number;
  readonly refused: number;
  readonly lastAt: number;
  /** When it may be told of the same serial again. */
  readonly nextAt: number;
}

const defaultPort = 53;
const answerMs = 1_000;
/** Changes within this time are told of at once. */
const collapseMs = 500;
const waitMsMax = 60_000;
/** A peer that refuses so often does not want the zone. */
const refusalsMax = 8;
const noticesAtOnce = 200;

/**
 * Tells peers of zones whose serial they have not been told of. One that does not answer is told again, at first after a
 * second, later after a minute. What a peer was told is stored, so that another process goes on where one ended.
 */
export class Notifications {
  readonly #context: Pick<TransferKeyContext, "db" | "secretBox" | "now">;
  readonly #zones: ServedZones;
  readonly #catalogs: CatalogZones;
  readonly #notifier: Notifier;
  readonly #attempts = new Map<string, Attempts>();

  constructor(
    context: Pick<TransferKeyContext, "db" | "secretBox" | "now">,
    zones: ServedZones,
    catalogs: CatalogZones,
    notifier: Notifier,
  ) {
    this.#context = context;
    this.#zones = zones;
    this.#catalogs = catalogs;
    this.#notifier = notifier;
  }

  /**
   * Tells whoever is due: of catalogs first, so that a peer knows the zones that it is told of then. Answers whether anybody
   * has to be told later.
   */
  async round(): Promise<boolean> {
    let isAnyLeft = false;
    for (const find of [this.#ofCatalogs, this.#ofZones]) {
      const notices = await find.call(this);
      const due = notices.filter((notice) => this.#isDue(notice)).slice(0, noticesAtOnce);
      const told = await Promise.all(due.map((notice) => this.#tell(notice)));
      const answered = due.filter((_, index) => told[index]);
      if (answered.length < notices.length) isAnyLeft = true;
      if (answered.length === 0) continue;
      await this.#context.db.transaction(async (tx) => {
        for (const notice of answered) await notice.told(tx);
      });
    }
    return isAnyLeft;
  }

  async #ofCatalogs(): Promise<Notice[]> {
    const peers = await selectAllPeers(this.#context.db.read);
    return peers.flatMap(({ id, ip, port, key_id, catalog_serial: serial, catalog_notified_serial }) => {
      const zone = this.#catalogs.viewOf(id);
      if (ip === null || zone === undefined || zone.serial !== serial) return [];
      if (serial === catalog_notified_serial) return [];
      const told = (tx: Db) => updateCatalogNotified(tx, { peerId: id, serial });
      return [{ zone, serial, peerId: id, ip, port: port ?? defaultPort, keyId: key_id, told }];
    });
  }

  async #ofZones(): Promise<Notice[]> {
    const pending = await selectPendingNotices(this.#context.db.read);
    return pending.flatMap(
      ({ zone_id: zoneId, peer_id: peerId, ip, port, key_id, notified_serial, dns_serial }) => {
        const zone = this.#zones.exactView(zoneId);
        // Whoever is told asks at once: it has to be answered with that serial. The zone is about to have it.
        if (zone === undefined || (dns_serial !== null && zone.serial !== dns_serial)) return [];
        const { serial } = zone;
        if (serial === notified_serial) return [];
        const told = async (tx: Db) => {
          await updateNotified(tx, { zoneId, peerId, serial });
          await noteChecked(tx, zoneId, toTimestamp(this.#context.now()));
        };
        return [{ zone, serial, peerId, ip, port: port ?? defaultPort, keyId: key_id, told }];
      },
    );
  }

  #isDue({ zone, peerId, serial }: Notice): boolean {
    const known = this.#attempts.get(`${peerId} ${zone.name}`);
    if (known === undefined) return true;
    return performance.now() >= (known.serial === serial ? known.nextAt : known.lastAt + collapseMs);
  }

  /** Whether the peer has been told. */
  async #tell({ zone, serial, peerId, ip, port, keyId }: Notice): Promise<boolean> {
    const id = `${peerId} ${zone.name}`;
    const rcode = await findPeerKey(this.#context, this.#context.db.read, keyId)
      .then((key) => this.#notifier.notify(zone, { host: ip, port }, key, answerMs))
      // A key that cannot be read keeps nobody else waiting.
      .catch(() => undefined);
    const known = this.#attempts.get(id);
    const before = known?.serial === serial ? known : { count: 0, refused: 0 };
    const count = before.count + 1;
    // One that does not know the zone yet refuses, and may be about to learn of it.
    const refused = before.refused + (rcode === undefined || rcode === rcodes.NOERROR ? 0 : 1);
    const isTold = rcode === rcodes.NOERROR || refused >= refusalsMax;
    const waitMs = isTold ? collapseMs : Math.min(waitMsMax, answerMs * 2 ** (count - 1));
    const lastAt = performance.now();
    this.#attempts.set(id, { serial, count, refused, lastAt, nextAt: lastAt + waitMs });
    return isTold;
  }
}
