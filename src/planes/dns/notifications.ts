import type { ZoneView } from "../../core/dns/served/zone-view.ts";
import { fairShare } from "../../core/fair-queue.ts";
import type { OriginRule } from "../../core/net/origin-address.ts";
import { rcodes } from "../../core/dns/wire/codes.ts";
import type { Notifier } from "../../name-server/notifier.ts";
import { findPeerKey } from "../../resources/zone-transfers/outgoing.ts";
import {
  selectAllPeers,
  selectPendingNotices,
  updateCatalogNotified,
  updateNotified,
  noteChecked,
} from "../../resources/zone-transfers/store.ts";
import type { TransferKeyContext } from "../../resources/zone-transfers/zone-transfers.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { CatalogZones } from "./catalog-zones.ts";
import type { ServedZones } from "./served-zones.ts";
import { FairMap } from "../../core/fair-map.ts";
import type { TransferRules } from "../../name-server/transfers.ts";
import {
  findIncomingZones,
  findNotifyRules,
  requestTransfer,
  type IncomingZone,
} from "../../resources/zone-transfers/incoming.ts";
import { areOfTransfers } from "../zone-changes.ts";

/** A zone of which a peer must be notified. */
interface Notice {
  readonly zone: ZoneView;
  readonly serial: number;
  readonly peerId: string;
  readonly accountId: string;
  readonly ip: string;
  readonly port: number;
  readonly keyId: string | null;
  /** The number of notifications of this serial that it may still accept. */
  readonly noticesLeft: number;
  /** To be called in a transaction once the peer has been notified. */
  readonly told: (tx: Db, remindersLeft: number) => Promise<unknown>;
}

/** The stored state of the notifications of a peer. */
interface Notified {
  readonly notified: number | null;
  readonly transferred: number | null;
  readonly remindersLeft: number;
}

/** The attempts to notify a peer of a zone; times are in milliseconds of `performance.now()`. */
interface Attempts {
  readonly serial: number;
  readonly count: number;
  readonly refused: number;
  readonly lastAt: number;
  /** The time from which it may be notified of the same serial again, in milliseconds. */
  readonly nextAt: number;
}

const defaultPort = 53;
const answerMs = 1_000;
/** Changes within this time share one notification. */
const collapseMs = 500;
const waitMsMax = 60_000;
/**
 * A peer that accepted a notification has this time to transfer the zone. Every instance on one store serves a change
 * by then.
 */
const transferMs = 1_500;
/** The last reminder comes after about four minutes. */
const remindersMax = 8;
/** After so many refusals, a peer is not notified of this serial again. */
const refusalsMax = 8;
const noticesAtOnce = 200;

/**
 * Notifies peers (RFC 1996) of zones with a serial that they do not know yet, those of each account in turn. A peer
 * that does not answer is notified again, first after a second, later once a minute. One that answers and then does
 * not transfer the zone may have lost its own query, or asked an instance that did not serve the serial yet: it is
 * reminded a few times. All of it is stored, so that another process can continue.
 */
export class Notifications {
  readonly #context: Pick<TransferKeyContext, "db" | "secretBox" | "now">;
  readonly #zones: ServedZones;
  readonly #catalogs: CatalogZones;
  readonly #notifier: Notifier;
  readonly #mayNotify: OriginRule;
  readonly #attempts = new Map<string, Attempts>();

  constructor(
    context: Pick<TransferKeyContext, "db" | "secretBox" | "now">,
    zones: ServedZones,
    catalogs: CatalogZones,
    notifier: Notifier,
    /** The addresses of peers that are notified; no others are. */
    mayNotify: OriginRule,
  ) {
    this.#context = context;
    this.#zones = zones;
    this.#catalogs = catalogs;
    this.#notifier = notifier;
    this.#mayNotify = mayNotify;
  }

  /**
   * Notifies the peers that are due: of catalogs first, so that a peer knows its zones before it is notified
   * of them. Returns whether any notification is still to be sent.
   */
  async round(): Promise<boolean> {
    let isAnyLeft = false;
    const pending = new Set<string>();
    for (const find of [this.#ofCatalogs, this.#ofZones]) {
      const notices = (await find.call(this)).filter(({ ip }) => this.#mayNotify(ip));
      for (const notice of notices) pending.add(idOf(notice));
      const due = fairShare(
        notices.filter((notice) => this.#isDue(notice)),
        ({ accountId }) => accountId,
        noticesAtOnce,
      );
      const remindersLeft = await Promise.all(due.map((notice) => this.#tell(notice)));
      if (notices.length > 0) isAnyLeft = true;
      if (remindersLeft.every((left) => left === undefined)) continue;
      await this.#context.db.transaction(async (tx) => {
        for (const [index, left] of remindersLeft.entries()) {
          if (left !== undefined) await due[index]?.told(tx, left);
        }
      });
    }
    this.#forgetAttempts(pending);
    return isAnyLeft;
  }

  /** Forgets those of which nothing follows any more. */
  #forgetAttempts(pending: ReadonlySet<string>): void {
    const before = performance.now() - collapseMs;
    for (const [id, { lastAt }] of this.#attempts) {
      if (lastAt < before && !pending.has(id)) this.#attempts.delete(id);
    }
  }

  async #ofCatalogs(): Promise<Notice[]> {
    const peers = await selectAllPeers(this.#context.db.read);
    return peers.flatMap((peer) => {
      const { id, account_id: accountId, ip, port, key_id: keyId, catalog_serial: serial } = peer;
      const zone = this.#catalogs.viewOf(id);
      if (ip === null || zone === undefined || zone.serial !== serial) return [];
      const noticesLeft = noticesLeftFor(serial, {
        notified: peer.catalog_notified_serial,
        transferred: peer.catalog_transferred_serial,
        remindersLeft: peer.catalog_reminders_left,
      });
      if (noticesLeft === 0) return [];
      const told = (tx: Db, left: number) =>
        updateCatalogNotified(tx, { peerId: id, serial, remindersLeft: left });
      const to = { peerId: id, accountId, ip, port: port ?? defaultPort, keyId };
      return [{ zone, serial, ...to, noticesLeft, told }];
    });
  }

  async #ofZones(): Promise<Notice[]> {
    const pending = await selectPendingNotices(this.#context.db.read);
    return pending.flatMap(({ zone_id: zoneId, peer_id: peerId, ip, port, key_id: keyId, ...row }) => {
      const to = { peerId, accountId: row.account_id, ip, port: port ?? defaultPort, keyId };
      const zone = this.#zones.exactView(zoneId);
      // A notified peer asks for the serial at once, so wait until this process serves the stored one.
      if (zone === undefined || (row.dns_serial !== null && zone.serial !== row.dns_serial)) return [];
      const { serial } = zone;
      const noticesLeft = noticesLeftFor(serial, {
        notified: row.notified_serial,
        transferred: row.transferred_serial,
        remindersLeft: row.reminders_left,
      });
      if (noticesLeft === 0) return [];
      const told = async (tx: Db, left: number) => {
        await updateNotified(tx, { zoneId, peerId, serial, remindersLeft: left });
        await noteChecked(tx, zoneId, toTimestamp(this.#context.now()));
      };
      return [{ zone, serial, ...to, noticesLeft, told }];
    });
  }

  #isDue(notice: Notice): boolean {
    const { serial } = notice;
    const known = this.#attempts.get(idOf(notice));
    if (known === undefined) return true;
    return performance.now() >= (known.serial === serial ? known.nextAt : known.lastAt + collapseMs);
  }

  /** Returns how often the peer is still to be reminded; undefined if it has not been notified. */
  async #tell(notice: Notice): Promise<number | undefined> {
    const { zone, serial, ip, port, keyId, noticesLeft } = notice;
    const id = idOf(notice);
    const rcode = await findPeerKey(this.#context, this.#context.db.read, keyId)
      .then((key) => this.#notifier.notify(zone, { host: ip, port }, key, answerMs))
      // A key that cannot be read must not delay other peers.
      .catch(() => undefined);
    const known = this.#attempts.get(id);
    const before = known?.serial === serial ? known : { count: 0, refused: 0 };
    const isAccepted = rcode === rcodes.NOERROR;
    const count = isAccepted ? 0 : before.count + 1;
    // A peer that does not know the zone yet refuses; it may learn of it soon, so one refusal is not final.
    const refused = before.refused + (rcode === undefined || isAccepted ? 0 : 1);
    const lastAt = performance.now();
    const waitMs = isAccepted
      ? transferMs * 2 ** (remindersMax + 1 - noticesLeft)
      : answerMs * 2 ** (count - 1);
    this.#attempts.set(id, { serial, count, refused, lastAt, nextAt: lastAt + Math.min(waitMsMax, waitMs) });
    if (isAccepted) return noticesLeft - 1;
    return refused >= refusalsMax ? 0 : undefined;
  }
}

function idOf({ peerId, zone }: Notice): string {
  return `${peerId} ${zone.name}`;
}

/**
 * The number of notifications of a serial that a peer may still get: 0 once it has the serial, or was reminded of it
 * often enough.
 */
function noticesLeftFor(serial: number, { notified, transferred, remindersLeft }: Notified): number {
  if (notified !== serial) return remindersMax + 1;
  return transferred === serial ? 0 : remindersLeft;
}

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

  /**
   * The peers that may notify of a zone, a folded name; undefined for one that is not transferred to us. Rejects with
   * what the store throws.
   */
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
