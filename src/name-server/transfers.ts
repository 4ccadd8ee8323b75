import { FairTurns } from "../core/fair-room.ts";
import { addressesOf } from "../core/dns/served/aliases.ts";
import type { FlattenedCname } from "../core/dns/served/record-sets.ts";
import type { RecordSet } from "../core/dns/wire/record-data.ts";
import type { Sources, Wanted } from "../core/dns/served/sources.ts";
import { TransferWriter, type TransferResponse } from "../core/dns/served/transfer-writer.ts";
import type { ZoneStep } from "../core/dns/served/zone-journal.ts";
import type { ZoneView } from "../core/dns/served/zone-view.ts";
import { isLaterSerial } from "../core/dns/wire/start-of-authority.ts";
import type { TransferAccess } from "../core/dns/served/transfer-access.ts";
import { rcodes, typeCodes } from "../core/dns/wire/codes.ts";
import { fourOctetsAt } from "../core/dns/wire/octets.ts";
import type { TsigKey } from "../core/dns/wire/tsig.ts";

/** The peers that may transfer a zone, or notify of it. */
export interface TransferRules {
  /** The keys that may sign questions about the zone. */
  readonly keys: readonly TsigKey[];
  /** Undefined if nobody may. */
  readonly access: TransferAccess | undefined;
  /** A client with an older serial gets the whole zone. */
  readonly backlogSerial: number;
}

/** Finds out about zones for transfers. */
export interface TransferSource {
  /** The catalog zone that contains a folded name. Only peers may ask a catalog zone. */
  readonly catalogOf: (name: string) => ZoneView | undefined;
  /** Rejects while the store does not answer. */
  readonly rulesOf: (zone: ZoneView) => Promise<TransferRules>;
  /**
   * The peers that may notify of a zone that comes from a primary server; undefined for other names. `name` is folded.
   * Rejects likewise.
   */
  readonly notifyRulesOf: (name: string) => Promise<TransferRules | undefined>;
  /** Is called when a notification says that such a zone has changed. */
  readonly notified: (name: string) => Promise<void>;
  /** Whether the records are exactly those of the zone's serial. False while the zone is being read. */
  readonly isExact: (zone: ZoneView) => boolean;
  /** Is called when a client has been sent all of a zone's `serial`, or has it already. */
  readonly transferred: (zone: ZoneView, serial: number, address: string) => void;
}

/** The question of a client that may transfer a zone. */
interface TransferRequest {
  /** The serial that it has; undefined if it asks for the whole zone. */
  readonly since: number | undefined;
  /** Changes before this serial are not sent one by one. */
  readonly backlogSerial: number;
  readonly address: string;
}

interface Outside {
  readonly zoneOf: Sources["zoneOf"];
  readonly addressesOf: Sources["outside"];
  readonly lookUp: (wanted: Wanted, accountId: string) => Promise<void>;
}

/** The largest number of concurrent transfers, of which each account has a share; others wait. */
const transfersMax = 40;
const waitingMax = 2_000;
const lookUpsMax = 4;
/** The length of the five numbers that end the data of an SOA record; the serial is the first. */
const soaNumbersOctets = 20;

/** The serial in the data of an SOA record; NaN if the data are too short. */
export function serialOfSoa(rdata: string): number {
  return fourOctetsAt(rdata, rdata.length - soaNumbersOctets);
}

/** Sends zones and their changes. */
export class Transfers {
  readonly #outside: Outside;
  readonly #source: TransferSource;
  readonly #turns = new FairTurns({ runningMax: transfersMax, waitingMax });

  constructor(source: TransferSource, outside: Outside) {
    this.#source = source;
    this.#outside = outside;
  }

  /** Whether another transfer of a zone may wait: not where too many do already, of its account or of all. */
  hasRoomFor({ accountId }: Pick<ZoneView, "accountId">): boolean {
    return this.#turns.hasRoomFor(accountId);
  }

  /**
   * The messages of a transfer. It sends the changes since `since` if the zone's journal has them all and they
   * are fewer than its records (RFC 1995), else the whole zone (RFC 5936).
   */
  async *messagesOf(
    zone: ZoneView,
    response: TransferResponse,
    { since, backlogSerial, address }: TransferRequest,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const end = await this.#begin(zone.accountId);
    try {
      const { serial } = zone;
      const writer = new TransferWriter(response);
      const steps = since === undefined ? undefined : stepsSince(zone, since, backlogSerial);
      if (steps === undefined) yield* this.#whole(zone, writer);
      else yield* changes(zone, writer, steps);
      if (!writer.isEmpty) yield writer.finish();
      this.#source.transferred(zone, serial, address);
    } finally {
      end();
    }
  }

  async *#whole(zone: ZoneView, writer: TransferWriter): AsyncGenerator<Uint8Array, void, undefined> {
    const snapshot = zone.snapshot();
    try {
      yield* writer.add(zone.name, snapshot.soa);
      for (const its of snapshot.names()) {
        const addresses =
          its.flattened === undefined ? [] : await this.#addressesOf(its.flattened, zone.accountId);
        for (const { name, set } of snapshot.sets(its, addresses)) {
          // `yield*` would take several turns for each record.
          for (const message of writer.add(name, set)) yield message;
        }
      }
      yield* writer.add(zone.name, snapshot.soa);
    } finally {
      snapshot.close();
    }
  }

  /** The addresses that a flattened CNAME leads to; none if they cannot be found. */
  async #addressesOf(flattened: FlattenedCname, accountId: string): Promise<RecordSet[]> {
    const { zoneOf, addressesOf: outside, lookUp } = this.#outside;
    const sets: RecordSet[] = [];
    for (const type of [typeCodes.A, typeCodes.AAAA]) {
      for (let lookUps = 0; lookUps <= lookUpsMax; lookUps += 1) {
        const found = addressesOf(flattened, type, { zoneOf, outside });
        if ("name" in found) {
          await lookUp(found, accountId);
          continue;
        }
        if (found.rcode === rcodes.NOERROR && found.set.rdatas.length > 0) sets.push(found.set);
        break;
      }
    }
    return sets;
  }

  /** Waits for the turn of the account. Returns a function that ends it. */
  #begin(accountId: string): Promise<() => void> {
    return new Promise((begun, refused) => {
      if (!this.#turns.take(accountId, begun)) refused(new Error("too many transfers wait"));
    });
  }
}

/**
 * The steps from a serial to the latest one; none if the client has the latest. Undefined if the whole zone has
 * to be sent.
 */
function stepsSince(zone: ZoneView, since: number, backlogSerial: number): readonly ZoneStep[] | undefined {
  if (!isLaterSerial(zone.serial, since)) return [];
  if (isLaterSerial(backlogSerial, since)) return undefined;
  const steps = zone.journal.since(since);
  const records = steps?.reduce((sum, { size }) => sum + size, 0);
  return records === undefined || records > zone.recordCount ? undefined : steps;
}

function* changes(
  zone: ZoneView,
  writer: TransferWriter,
  steps: readonly ZoneStep[],
): Generator<Uint8Array, void, undefined> {
  const last = steps.at(-1)?.after.soa;
  yield* writer.add(zone.name, last ?? zone.soa);
  if (last === undefined) return;
  for (const step of steps) {
    yield* writer.add(zone.name, step.before.soa);
    for (const { name, set } of step.removed()) yield* writer.add(name, set);
    yield* writer.add(zone.name, step.after.soa);
    for (const { name, set } of step.added()) yield* writer.add(name, set);
  }
  yield* writer.add(zone.name, last);
}
