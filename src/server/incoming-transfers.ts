import type { Logger } from "pino";

import type { Transferred } from "../core/dns/transfer-reader.ts";
import { isLaterSerial } from "../core/dns/serial.ts";
import { originRule, type OriginRule } from "../core/net/origin-address.ts";
import { WireError } from "../core/dns/wire/wire-error.ts";
import type { PrimaryServer, TransferClient } from "../name-server/transfer-client.ts";
import { UnfitChanges } from "../resources/dns/dns.ts";
import { apexOf, noteFailedTransfer, storeTransferred } from "../resources/zone-transfers/incoming.ts";
import {
  selectDueTransfers,
  selectIncomingPeers,
  selectNextDue,
  type DueTransfer,
} from "../resources/zone-transfers/incoming-store.ts";
import { findPeerKey } from "../resources/zone-transfers/serving.ts";
import type { TransferKeyContext } from "../resources/zone-transfers/zone-transfers.ts";
import { toTimestamp } from "../storage/columns.ts";
import type { TransferPeerRow } from "../storage/tables/zone-transfers.ts";

const defaultPort = 53;
const zonesAtOnce = 8;

interface Options {
  /** Addresses of primaries besides public ones, as ranges in CIDR notation. */
  readonly networks: readonly string[];
  /** Loaded when the first zone is due. */
  readonly client: () => Promise<TransferClient>;
  readonly logger: Logger;
}

/** Keeps zones of the type `secondary` as their primary servers have them. */
export class IncomingTransfers {
  readonly #context: TransferKeyContext;
  readonly #options: Options;
  readonly #mayAsk: OriginRule;
  #mayBeAny = true;

  constructor(context: TransferKeyContext, options: Options) {
    this.#context = context;
    this.#options = options;
    this.#mayAsk = originRule(options.networks);
    context.db.onZoneChange(() => {
      this.#mayBeAny = true;
    });
  }

  /** When the next zone is due; undefined where none is transferred. */
  async nextDue(): Promise<Date | undefined> {
    const due = await selectNextDue(this.#context.db.read);
    return due === undefined ? undefined : new Date(due);
  }

  /** Transfers the zones that are due. */
  async round(): Promise<void> {
    // Without such zones there is nothing to look for, until one is configured.
    if (!this.#mayBeAny) return;
    const { db, now } = this.#context;
    const due = await selectDueTransfers(db.read, toTimestamp(now()), zonesAtOnce);
    if (due.length > 0) {
      await Promise.all(due.map((transfer) => this.#follow(transfer)));
      return;
    }
    this.#mayBeAny = false;
    if ((await this.nextDue()) !== undefined) this.#mayBeAny = true;
  }

  /** Asks one peer after another, until one has the zone. */
  async #follow(due: DueTransfer): Promise<void> {
    const { logger } = this.#options;
    const peers = await selectIncomingPeers(this.#context.db.read, { zoneId: due.zone_id });
    for (const peer of peers) {
      try {
        await this.#transferFrom(due, peer);
        return;
      } catch (error) {
        logger.warn(
          { zone: due.zone_name, peer: peer.id, err: error },
          "a zone could not be transferred from its primary",
        );
      }
    }
    await noteFailedTransfer(this.#context, due);
  }

  async #transferFrom(due: DueTransfer, peer: TransferPeerRow): Promise<void> {
    const primary = await this.#primaryOf(peer);
    const client = await this.#options.client();
    const { zone_name: name } = due;
    const known = due.wants_whole === 1 ? undefined : apexOf(due)?.serial;
    const soa = await client.askSoa(name, primary);
    const isCurrent = known !== undefined && !isLaterSerial(soa.serial, known);
    const since = peer.ixfr_enable === 0 ? undefined : known;
    const transfer = async (from: number | undefined): Promise<void> => {
      const transferred: Transferred = isCurrent
        ? { kind: "current", soa: { ...soa, serial: known } }
        : await client.transfer(name, from, primary);
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
