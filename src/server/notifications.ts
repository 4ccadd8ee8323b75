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

/** A zone of which a peer must be notified. */
interface Notice {
  readonly zone: ZoneView;
  readonly serial: number;
  readonly peerId: string;
  readonly ip: string;
  readonly port: number;
  readonly keyId: string | null;
  /** To be called in a transaction once the peer has been notified. */
  readonly told: (tx: Db) => Promise<unknown>;
}

/** The attempts to notify a peer of a zone; times are in milliseconds of `performance.now()`. */
interface Attempts {
  readonly serial: number;
  readonly count: number;
  readonly accepted: number;
  readonly refused: number;
  readonly lastAt: number;
  /** When it may be notified of the same serial again. */
  readonly nextAt: number;
}

const defaultPort = 53;
const answerMs = 1_000;
/** Changes within this time share one notification. */
const collapseMs = 500;
const waitMsMax = 60_000;
/** Within this time every instance on one store serves a change. */
const othersServeMs = 1_500;
/** After so many refusals, a peer is not notified of this serial again. */
const refusalsMax = 8;
const noticesAtOnce = 200;

/**
 * Notifies peers (RFC 1996) of zones with a serial that they do not know yet. A peer that does not answer is
 * notified again, first after a second, later once a minute. A peer may ask another instance, which does not serve the
 * serial yet: where instances share a store, it is notified once more when they all do. Notified serials are stored, so that
 * another process can continue.
 */
export class Notifications {
  readonly #context: Pick<TransferKeyContext, "db" | "secretBox" | "now">;
  readonly #zones: ServedZones;
  readonly #catalogs: CatalogZones;
  readonly #notifier: Notifier;
  /** How often a peer has to accept a notification of a serial. */
  readonly #acceptedMin: number;
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
    this.#acceptedMin = context.db.location.engine === "postgres" ? 2 : 1;
  }

  /**
   * Notifies the peers that are due: of catalogs first, so that a peer knows its zones before it is notified
   * of them. Returns whether any notification is still to be sent.
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
        // A notified peer asks for the serial at once, so wait until this process serves the stored one.
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

  /** Returns whether the peer has been notified. */
  async #tell({ zone, serial, peerId, ip, port, keyId }: Notice): Promise<boolean> {
    const id = `${peerId} ${zone.name}`;
    const rcode = await findPeerKey(this.#context, this.#context.db.read, keyId)
      .then((key) => this.#notifier.notify(zone, { host: ip, port }, key, answerMs))
      // A key that cannot be read must not delay other peers.
      .catch(() => undefined);
    const known = this.#attempts.get(id);
    const before = known?.serial === serial ? known : { count: 0, accepted: 0, refused: 0 };
    const count = before.count + 1;
    // A peer that does not know the zone yet refuses; it may learn of it soon, so one refusal is not final.
    const refused = before.refused + (rcode === undefined || rcode === rcodes.NOERROR ? 0 : 1);
    const accepted = before.accepted + (rcode === rcodes.NOERROR ? 1 : 0);
    const isTold = accepted >= this.#acceptedMin || refused >= refusalsMax;
    const lastAt = performance.now();
    const nextAt = lastAt + (isTold ? collapseMs : waitMsAfter(rcode, count));
    this.#attempts.set(id, { serial, count, accepted, refused, lastAt, nextAt });
    return isTold;
  }
}

/** Until a peer is notified of the same serial again. */
function waitMsAfter(rcode: number | undefined, count: number): number {
  return rcode === rcodes.NOERROR ? othersServeMs : Math.min(waitMsMax, answerMs * 2 ** (count - 1));
}
