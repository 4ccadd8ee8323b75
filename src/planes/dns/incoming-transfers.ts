import type { Logger } from "pino";
import type { Transferred } from "../../core/dns/wire/transfer-reader.ts";
import { isLaterSerial } from "../../core/dns/wire/start-of-authority.ts";
import { fairShare } from "../../core/fair-queue.ts";
import { originRule, type OriginRule } from "../../core/net/origin-address.ts";
import { WireError } from "../../core/dns/wire/octets.ts";
import type { PrimaryServer, RequestBounds, TransferClient } from "../../name-server/transfer-client.ts";
import { clearStaging, listStagedZones, UnfitChanges } from "../../resources/zone-transfers/transferred.ts";
import { apexOf, noteFailedTransfer, storeTransferred } from "../../resources/zone-transfers/incoming.ts";
import {
  selectDueTransfers,
  selectIncomingPeers,
  selectNextDue,
  type DueTransfer,
} from "../../resources/zone-transfers/store.ts";
import { findPeerKey } from "../../resources/zone-transfers/outgoing.ts";
import type { TransferKeyContext } from "../../resources/zone-transfers/zone-transfers.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { TransferPeerRow } from "../../storage/schema/zone-transfers.ts";
import { areOfTransfers } from "../zone-changes.ts";
import { transferNetworksOf } from "../../config/dns-settings.ts";
import type { Config } from "../../config/settings.ts";
import { NotifiedZones } from "./notifications.ts";
import type { Timers } from "../../process/timer.ts";

const defaultPort = 53;
/** Zones that are transferred at a time, of all accounts and of one. */
const zonesAtOnce = 64;
const ofAccountAtOnce = 4;
/** A bound on the transfer of a zone, with all of its peers. */
const zoneMsMax = 300_000;
/** Bounds on zones that have arrived and are not stored yet, of all accounts and of one. */
const octetsMax = 384 * 1024 * 1024;
const ofAccountOctetsMax = 128 * 1024 * 1024;
/** While zones are transferred, others become due. */
const lookMs = 1_000;

interface Options {
  /** Addresses of primaries besides public ones, as ranges in CIDR notation. */
  readonly networks: readonly string[];
  /** Loaded when the first zone is due. */
  readonly client: () => Promise<TransferClient>;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly zoneMsMax?: number;
}

/** Keeps zones of the type `secondary` as their primary servers have them. */
class IncomingTransfers {
  readonly #context: TransferKeyContext;
  readonly #options: Options;
  readonly #mayAsk: OriginRule;
  readonly #budget = new TransferBudget(octetsMax, ofAccountOctetsMax);
  /** The transfers that run, by the ids of their zones. */
  readonly #running = new Map<string, { readonly accountId: string; readonly ended: Promise<void> }>();
  #mayBeAny = true;
  #mayBeStaged = true;
  #woken = Promise.withResolvers<void>();

  constructor(context: TransferKeyContext, options: Options) {
    this.#context = context;
    this.#options = options;
    this.#mayAsk = originRule(options.networks);
    context.db.onChange((changes) => {
      if (areOfTransfers(changes)) this.#mayBeAny = true;
    });
  }

  /** The time at which the next zone is due; undefined where none is transferred. */
  async nextDue(): Promise<Date | undefined> {
    const due = await selectNextDue(this.#context.db.read);
    return due === undefined ? undefined : new Date(due);
  }

  /** Looks for zones that are due, also while others are transferred. */
  wake(): void {
    this.#woken.resolve();
    this.#woken = Promise.withResolvers();
  }

  /**
   * Transfers the zones that are due, and those that become due meanwhile. A slow one delays none of another account.
   */
  async round(): Promise<void> {
    // Without such zones there is nothing to look for, until one is configured.
    if (!this.#mayBeAny) return;
    await this.#clear();
    do {
      await this.#startDue();
      const ends = Array.from(this.#running.values(), ({ ended }) => ended);
      if (ends.length > 0) await soonest([...ends, this.#woken.promise], lookMs);
    } while (this.#running.size > 0 && !this.#options.signal.aborted);
    await Promise.all(Array.from(this.#running.values(), ({ ended }) => ended));
    this.#mayBeAny = false;
    if ((await this.nextDue()) !== undefined) this.#mayBeAny = true;
  }

  /** Deletes what transfers stored that came to nothing, those of an earlier process too. */
  async #clear(): Promise<void> {
    if (!this.#mayBeStaged) return;
    this.#mayBeStaged = false;
    for (const id of await listStagedZones(this.#context.db.read)) await clearStaging(this.#context, id);
  }

  async #startDue(): Promise<void> {
    const { db, now } = this.#context;
    const due = await selectDueTransfers(db.read, {
      now: toTimestamp(now()),
      ofAccountMax: ofAccountAtOnce,
      except: [...this.#running.keys()],
    });
    const taken = new Map<string, number>();
    for (const { accountId } of this.#running.values()) taken.set(accountId, (taken.get(accountId) ?? 0) + 1);
    const free = due.filter(({ account_id }) => {
      const count = (taken.get(account_id) ?? 0) + 1;
      taken.set(account_id, count);
      return count <= ofAccountAtOnce;
    });
    for (const transfer of fairShare(free, (one) => one.account_id, zonesAtOnce - this.#running.size)) {
      const { zone_id: id, zone_name: zone, account_id: accountId } = transfer;
      const ended = this.#follow(transfer)
        .catch((error: unknown) => {
          this.#options.logger.error({ zone, err: error }, "a transfer failed");
        })
        .finally(() => this.#running.delete(id));
      this.#running.set(id, { accountId, ended });
    }
  }

  /** Asks one peer after another, until one has the zone. */
  async #follow(due: DueTransfer): Promise<void> {
    const { logger } = this.#options;
    const deadline = AbortSignal.timeout(this.#options.zoneMsMax ?? zoneMsMax);
    const signal = AbortSignal.any([this.#options.signal, deadline]);
    const peers = await selectIncomingPeers(this.#context.db.read, { zoneId: due.zone_id });
    for (const peer of peers) {
      if (signal.aborted) break;
      const { spend, end } = this.#budget.open(due.account_id);
      try {
        await this.#transferFrom(due, peer, { signal, spend });
        return;
      } catch (error) {
        logger.warn(
          { zone: due.zone_name, peer: peer.id, err: error },
          "a zone could not be transferred from its primary",
        );
      } finally {
        end();
      }
    }
    this.#mayBeStaged = true;
    await noteFailedTransfer(this.#context, due);
  }

  async #transferFrom(due: DueTransfer, peer: TransferPeerRow, bounds: RequestBounds): Promise<void> {
    const primary = await this.#primaryOf(peer);
    const client = await this.#options.client();
    const { zone_name: name } = due;
    const known = due.wants_whole === 1 ? undefined : apexOf(due)?.serial;
    const soa = await client.askSoa(name, primary, bounds);
    const isCurrent = known !== undefined && !isLaterSerial(soa.serial, known);
    const since = peer.ixfr_enable === 0 ? undefined : known;
    const transfer = async (from: number | undefined): Promise<void> => {
      const transferred: Transferred = isCurrent
        ? { kind: "current", soa: { ...soa, serial: known } }
        : await client.transfer(name, from, primary, bounds);
      const leftOut = await storeTransferred(this.#context, due, transferred);
      if (leftOut === 0) return;
      this.#options.logger.warn(
        { zone: name, serial: transferred.soa.serial, records: leftOut },
        "signatures and proofs were left out: the zone is not presigned",
      );
    };
    await transfer(since).catch((error: unknown) => {
      // The primary may not know incremental transfers, or have sent changes that do not fit.
      const isOfChanges = error instanceof UnfitChanges || error instanceof WireError;
      if (since === undefined || !isOfChanges) throw error;
      return transfer(undefined);
    });
  }

  /** Throws for a peer that may not be asked. */
  async #primaryOf({ ip, port, key_id }: TransferPeerRow): Promise<PrimaryServer> {
    if (ip === null) throw new Error("the peer has no address");
    if (!this.#mayAsk(ip))
      throw new Error("the address of the peer is not public, nor in `transfer_networks`");
    const key = await findPeerKey(this.#context, this.#context.db.read, key_id);
    return { address: { host: ip, port: port ?? defaultPort }, key };
  }
}

/** Resolves when one of the promises does, or after that time. */
async function soonest(promises: readonly Promise<void>[], ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([...promises, promise]);
  clearTimeout(timer);
}

const roundMs = 1_000;

/** Transfers zones from their primary servers, on one instance at a time; all of it stops with `opened`. */
export function openIncomingTransfers(
  opened: AsyncDisposableStack,
  config: Config,
  context: TransferKeyContext,
  { timers, logger }: { readonly timers: Timers; readonly logger: Logger },
): NotifiedZones {
  const ending = new AbortController();
  const transfers = new IncomingTransfers(context, {
    networks: transferNetworksOf(config),
    client: async () => {
      const { TransferClient } = await import("../../name-server/transfer-client.ts");
      return new TransferClient({ nowMs: () => context.now().getTime() });
    },
    signal: ending.signal,
    logger,
  });
  const task = "incoming transfers";
  const timer = timers.repeat(
    task,
    roundMs,
    () => context.db.runAlone(task, () => transfers.round()),
    () => transfers.nextDue(),
  );
  opened.defer(() => {
    ending.abort();
    return timer.stop();
  });
  const wake = (): void => {
    transfers.wake();
    timer.wake();
  };
  context.db.onChange((changes) => {
    if (areOfTransfers(changes)) wake();
  });
  return new NotifiedZones(context, wake);
}

/** The memory that one transfer has taken. */
interface TransferSpending {
  /**
   * Counts octets that arrived. Throws a WireError above the share of the account, and where all transfers have too
   * many.
   */
  readonly spend: (octets: number) => void;
  /** Gives back what was counted: what arrived has been stored, or thrown away. */
  readonly end: () => void;
}

/**
 * Bounds what transfers hold in memory: all together, and those of each account, so that one leaves room for others.
 */
export class TransferBudget {
  readonly #ofAllMax: number;
  readonly #ofAccountMax: number;
  readonly #spent = new Map<string, number>();
  #all = 0;

  constructor(ofAllMax: number, ofAccountMax: number) {
    this.#ofAllMax = ofAllMax;
    this.#ofAccountMax = ofAccountMax;
  }

  open(accountId: string): TransferSpending {
    let own = 0;
    return {
      spend: (octets) => {
        const ofAccount = (this.#spent.get(accountId) ?? 0) + octets;
        if (ofAccount > this.#ofAccountMax)
          throw new WireError("the transfers of the account have too many octets");
        if (this.#all + octets > this.#ofAllMax)
          throw new WireError("all transfers together have too many octets");
        own += octets;
        this.#all += octets;
        this.#spent.set(accountId, ofAccount);
      },
      end: () => {
        this.#all -= own;
        const left = (this.#spent.get(accountId) ?? 0) - own;
        if (left > 0) this.#spent.set(accountId, left);
        else this.#spent.delete(accountId);
        own = 0;
      },
    };
  }
}
