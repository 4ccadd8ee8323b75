import { FairMap } from "../core/fair-map.ts";
import { FairRoom } from "../core/fair-room.ts";
import { type RecordSet, addressData } from "../core/dns/wire/record-data.ts";
import type { OutsideAddresses, Wanted } from "../core/dns/served/sources.ts";
import { typeCodes } from "../core/dns/wire/codes.ts";

/** Asks a resolver for the addresses of a name and their TTL in seconds; undefined if the resolver does not answer. */
export type LookUpAddresses = (
  name: string,
  version: 4 | 6,
) => Promise<{ readonly addresses: readonly string[]; readonly ttl: number } | undefined>;

interface Entry {
  /** The account that asked first. */
  readonly accountId: string;
  readonly set: RecordSet | "failed";
  readonly learnedAt: number;
  readonly expiresAt: number;
}

const entriesMax = 10_000;
const lookUpsMax = 100;
const ttlMax = 86_400;
/** After this many seconds, the resolver is asked again about a name that had no addresses or no answer. */
const retryTtl = 10;
/** The time for which an answer is used if the resolver gives no newer one (RFC 8767). */
const staleMs = 24 * 60 * 60 * 1_000;

/**
 * A cache of the addresses of names outside of our zones that flattened CNAMEs lead to. An expired entry still
 * answers the query that finds it, and is looked up again in the background. Memory and concurrent look-ups are
 * bounded.
 */
export class OutsideTargets {
  readonly #lookUpAddresses: LookUpAddresses;
  readonly #nowMs: () => number;
  readonly #entries = new FairMap<string, Entry>({ weightMax: entriesMax });
  readonly #lookUps = new FairRoom(lookUpsMax);
  readonly #running = new Map<string, Promise<void>>();

  constructor(lookUpAddresses: LookUpAddresses, nowMs: () => number) {
    this.#lookUpAddresses = lookUpAddresses;
    this.#nowMs = nowMs;
  }

  readonly addressesOf = (name: string, type: number): OutsideAddresses => {
    const entry = this.#entries.get(`${type} ${name}`);
    if (entry === undefined) return "unknown";
    const { accountId, set, learnedAt, expiresAt } = entry;
    const leftMs = expiresAt - this.#nowMs();
    if (leftMs > 0) return set === "failed" ? set : { ...set, ttl: Math.max(1, Math.ceil(leftMs / 1000)) };
    if (set === "failed" || this.#nowMs() - learnedAt > staleMs) return "unknown";
    void this.lookUp({ name, type }, accountId);
    return { ...set, ttl: Math.min(set.ttl, retryTtl) };
  };

  /** For a zone of an account. Nothing is looked up where too many look-ups run, of the account or of all. */
  readonly lookUp = (wanted: Wanted, accountId: string): Promise<void> => {
    const key = `${wanted.type} ${wanted.name}`;
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const giveBack = this.#lookUps.take([accountId]);
    if (giveBack === undefined) return Promise.resolve();
    const lookUp = this.#ask(key, wanted, accountId).finally(() => {
      this.#running.delete(key);
      giveBack();
    });
    this.#running.set(key, lookUp);
    return lookUp;
  };

  async #ask(key: string, { name, type }: Wanted, accountId: string): Promise<void> {
    const found = await this.#lookUpAddresses(name, type === typeCodes.AAAA ? 6 : 4).catch(() => undefined);
    if (found === undefined) {
      const known = this.#entries.get(key);
      this.#keep(key, accountId, known?.set ?? "failed", retryTtl, known?.learnedAt);
      return;
    }
    const { addresses, ttl } = found;
    const seconds = addresses.length === 0 ? retryTtl : Math.min(ttl, ttlMax);
    this.#keep(key, accountId, { type, ttl: seconds, rdatas: addresses.map(addressData) }, seconds);
  }

  #keep(
    key: string,
    accountId: string,
    set: RecordSet | "failed",
    seconds: number,
    learnedAt = this.#nowMs(),
  ): void {
    const expiresAt = this.#nowMs() + Math.max(1, seconds) * 1_000;
    this.#entries.set(key, { accountId, set, learnedAt, expiresAt }, [accountId]);
  }
}
