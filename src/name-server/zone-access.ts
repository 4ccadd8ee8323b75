import type { Sources } from "../core/dns/served/sources.ts";
import type { ZoneView } from "../core/dns/served/zone-view.ts";
import { mayTransfer } from "../core/dns/served/transfer-access.ts";
import { rcodes, typeCodes } from "../core/dns/wire/codes.ts";
import type { Message, Question, ResourceRecord } from "../core/dns/wire/message.ts";
import { foldName } from "../core/dns/wire/names.ts";
import type { TsigKey } from "../core/dns/wire/tsig.ts";
import { serialOfSoa, type TransferRules, type TransferSource } from "./transfers.ts";

interface Client {
  readonly address: string;
  /** The key that signed the client's message. */
  readonly key?: TsigKey;
}

/** A transfer that a client is allowed. */
interface Granted {
  readonly zone: ZoneView;
  /** The client asks for the changes since this serial; undefined for the whole zone. */
  readonly since: number | undefined;
  readonly backlogSerial: number;
}

interface Options {
  readonly transfers?: TransferSource | undefined;
  readonly zoneOf: Sources["zoneOf"];
  /** Reads the zones that have a say in who answers for a folded name; undefined where all are known. */
  readonly untilKnown: (name: string) => Promise<void> | undefined;
  readonly isComplete: () => boolean;
}

/** Decides which clients may transfer a zone, ask a catalog zone or notify of a zone. */
export class ZoneAccess {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** The catalog zone that a question is about. */
  catalogOf({ name }: Question): ZoneView | undefined {
    return this.#options.transfers?.catalogOf(foldName(name));
  }

  /**
   * The rules of the zone that a question is about; undefined if this server does not have the zone. A
   * notification is about a zone that this server transfers from a primary server.
   */
  async rulesAt(
    question: Question | undefined,
    isNotification: boolean,
  ): Promise<TransferRules | "unavailable" | undefined> {
    if (question !== undefined && isNotification) return this.#notifyRulesOf(question);
    const zone = question && (await this.#zoneAt(foldName(question.name)));
    return typeof zone === "object" ? this.#rulesOf(zone) : zone;
  }

  async mayHave(zone: ZoneView, { address, key }: Client): Promise<boolean> {
    const rules = await this.#rulesOf(zone);
    return typeof rules === "object" && rules.access !== undefined && mayTransfer(rules.access, address, key);
  }

  /** Handles a notification (RFC 1996 section 3.11). Returns the code of the response. */
  async takeNotification({ address, key }: Client, question: Question): Promise<number> {
    const rules = await this.#notifyRulesOf(question);
    if (rules === "unavailable") return rcodes.SERVFAIL;
    if (rules?.access === undefined || !mayTransfer(rules.access, address, key)) return rcodes.REFUSED;
    const told = this.#options.transfers?.notified(foldName(question.name));
    return told === undefined
      ? rcodes.REFUSED
      : told.then(
          () => rcodes.NOERROR,
          () => rcodes.SERVFAIL,
        );
  }

  /** The transfer that the client asks for, or the code of the refusal. */
  async judge({ address, key }: Client, message: Message, question: Question): Promise<Granted | number> {
    const soa = question.type === typeCodes.IXFR ? soaOf(message) : undefined;
    const { transfers, isComplete } = this.#options;
    const name = foldName(question.name);
    const zone = await this.#zoneAt(name);
    if (zone === "unavailable") return rcodes.SERVFAIL;
    if (zone?.name !== name) return isComplete() ? rcodes.NOTAUTH : rcodes.SERVFAIL;
    const rules = await this.#rulesOf(zone);
    if (rules === "unavailable") return rcodes.SERVFAIL;
    if (rules?.access === undefined || !mayTransfer(rules.access, address, key)) return rcodes.REFUSED;
    if (transfers?.isExact(zone) !== true) return rcodes.SERVFAIL;
    return { zone, since: soa && serialOfSoa(soa.rdata), backlogSerial: rules.backlogSerial };
  }

  async #zoneAt(name: string): Promise<ZoneView | "unavailable" | undefined> {
    const { transfers, zoneOf, untilKnown } = this.#options;
    const catalog = transfers?.catalogOf(name);
    if (catalog !== undefined) return catalog;
    try {
      await untilKnown(name);
    } catch {
      return "unavailable";
    }
    return zoneOf(name, false);
  }

  async #notifyRulesOf({ name }: Question): Promise<TransferRules | "unavailable" | undefined> {
    return this.#options.transfers?.notifyRulesOf(foldName(name)).catch(() => "unavailable" as const);
  }

  async #rulesOf(zone: ZoneView): Promise<TransferRules | "unavailable" | undefined> {
    return this.#options.transfers?.rulesOf(zone).catch(() => "unavailable" as const);
  }
}

/** The client's own SOA record of the zone in a request for changes (RFC 1995 section 3). */
export function soaOf({ authorities }: Message): ResourceRecord | undefined {
  return authorities.find(({ type }) => type === typeCodes.SOA);
}
