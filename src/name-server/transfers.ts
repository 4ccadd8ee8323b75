import { addressesOf } from "../core/dns/served/flattening.ts";
import type { FlattenedCname, RecordSet } from "../core/dns/served/record-sets.ts";
import type { Sources, Wanted } from "../core/dns/served/sources.ts";
import { TransferWriter, type TransferResponse } from "../core/dns/served/transfer-writer.ts";
import type { ZoneStep } from "../core/dns/served/zone-step.ts";
import type { ZoneView } from "../core/dns/served/zone-view.ts";
import { isLaterSerial } from "../core/dns/serial.ts";
import type { TransferAccess } from "../core/dns/transfer-access.ts";
import { rcodes, typeCodes } from "../core/dns/wire/codes.ts";
import { fourOctetsAt } from "../core/dns/wire/octets.ts";
import type { TsigKey } from "../core/dns/wire/tsig-signing.ts";

/** What may be done with a zone besides asking it. */
export interface TransferRules {
  /** The keys that may sign questions about the zone. */
  readonly keys: readonly TsigKey[];
  /** Undefined while nobody may transfer it. */
  readonly access: TransferAccess | undefined;
  /** Changes before this serial are not transferred one by one. */
  readonly backlogSerial: number;
}

/** What transfers need to know of zones. */
export interface TransferSource {
  /** The catalog zone that a folded name lies in: peers alone may ask it. */
  readonly catalogOf: (name: string) => ZoneView | undefined;
  /** Rejects while that cannot be found out. */
  readonly rulesOf: (zone: ZoneView) => Promise<TransferRules>;
  /** Who may notify of a zone that is transferred to us, a folded name; undefined for another. Rejects likewise. */
  readonly notifyRulesOf: (name: string) => Promise<TransferRules | undefined>;
  /** Is told that such a zone has changed. */
  readonly notified: (name: string) => Promise<void>;
  /** Whether the zone is as it was with its serial; not while it is being read. */
  readonly isExact: (zone: ZoneView) => boolean;
  /** Is told of each transfer that has been sent to its end. */
  readonly transferred: (zone: ZoneView) => void;
}

interface Outside {
  readonly zoneOf: Sources["zoneOf"];
  readonly addressesOf: Sources["outside"];
  readonly lookUp: (wanted: Wanted) => Promise<void>;
}

/** Transfers that are sent at a time; others wait. */
const transfersMax = 20;
const waitingMax = 1_000;
const lookUpsMax = 4;
/** Octets behind the names in the data of an SOA record, the first of which are its serial. */
const soaNumbersOctets = 20;

/** The serial in the data of an SOA record; NaN where it has none. */
export function serialOfSoa(rdata: string): number {
  return fourOctetsAt(rdata, rdata.length - soaNumbersOctets);
}

/** Sends zones and their changes. */
export class Transfers {
  readonly #outside: Outside;
  readonly #source: TransferSource;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(source: TransferSource, outside: Outside) {
    this.#source = source;
    this.#outside = outside;
  }

  /** Whether a further one would wait for too many others. */
  get isFull(): boolean {
    return this.#waiting.length >= waitingMax;
  }

  /**
   * The messages of a transfer: of the changes since `since` where the zone knows them all and they are fewer than its
   * records (RFC 1995), else of the whole zone (RFC 5936).
   */
  async *messagesOf(
    zone: ZoneView,
    response: TransferResponse,
    since: number | undefined,
    backlogSerial: number,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    await this.#begin();
    try {
      const writer = new TransferWriter(response);
      const steps = since === undefined ? undefined : stepsSince(zone, since, backlogSerial);
      if (steps === undefined) yield* this.#whole(zone, writer);
      else yield* changes(zone, writer, steps);
      if (!writer.isEmpty) yield writer.finish();
      this.#source.transferred(zone);
    } finally {
      this.#end();
    }
  }

  async *#whole(zone: ZoneView, writer: TransferWriter): AsyncGenerator<Uint8Array, void, undefined> {
    const snapshot = zone.snapshot();
    try {
      yield* writer.add(zone.name, snapshot.soa);
      for (const its of snapshot.names()) {
        const addresses = its.flattened === undefined ? [] : await this.#addressesOf(its.flattened);
        for (const { name, set } of snapshot.sets(its, addresses)) {
          // `yield*` would wait for each record.
          for (const message of writer.add(name, set)) yield message;
        }
      }
      yield* writer.add(zone.name, snapshot.soa);
    } finally {
      snapshot.close();
    }
  }

  /** Where there is no answer, the name has no addresses in the transfer. */
  async #addressesOf(flattened: FlattenedCname): Promise<RecordSet[]> {
    const { zoneOf, addressesOf: outside, lookUp } = this.#outside;
    const sets: RecordSet[] = [];
    for (const type of [typeCodes.A, typeCodes.AAAA]) {
      for (let lookUps = 0; lookUps <= lookUpsMax; lookUps += 1) {
        const found = addressesOf(flattened, type, { zoneOf, outside });
        if ("name" in found) {
          await lookUp(found);
          continue;
        }
        if (found.rcode === rcodes.NOERROR && found.set.rdatas.length > 0) sets.push(found.set);
        break;
      }
    }
    return sets;
  }

  async #begin(): Promise<void> {
    if (this.#running >= transfersMax) await new Promise<void>((turn) => this.#waiting.push(turn));
    else this.#running += 1;
  }

  #end(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}

/** The steps from a serial; none from the latest or a later one. Undefined where the whole zone has to be sent. */
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
