import { countLabels } from "../core/dns/wire/names.ts";
import { createPause } from "../operation/pause.ts";
import {
  listActiveZones,
  listActiveZonesAfter,
  type NamedZone,
} from "../resources/zone-documents/zone-documents.ts";
import type { Database } from "../storage/database.ts";
import { ZoneChanges } from "./zone-changes.ts";

interface Entry extends NamedZone {
  /** The last reading of all zones that found it. */
  reading: number;
}

/** Zones that are listed by one statement. */
const zonesAtOnce = 5_000;

/**
 * The index of all active zones: their names, ids and accounts, some hundred octets each. A plane reads the rest of
 * a zone when somebody asks for it. The planes of a process share one index; it follows the store by itself.
 */
export class ActiveZones {
  readonly #db: Pick<Database, "read" | "onChange">;
  readonly #byId = new Map<string, Entry>();
  readonly #byName = new Map<string, Entry>();
  /** One text for each account, which all of its zones share, and how many they are. */
  readonly #accounts = new Map<string, { readonly id: string; zones: number }>();
  readonly #leaving: ((zone: NamedZone) => void)[] = [];
  readonly #entering: ((zone: NamedZone) => void)[] = [];
  readonly #failing: ((error: unknown) => void)[] = [];
  readonly #changes: ZoneChanges;
  #starting: Promise<void> | undefined;
  #reading = 0;
  #isComplete = false;
  #labelsMax = 0;
  #behindSince: Date | undefined;

  constructor(db: Pick<Database, "read" | "onChange">, now: () => Date) {
    this.#db = db;
    this.#changes = new ZoneChanges({
      zoneParts: new Set(["facts"]),
      accountParts: new Set(),
      read: async (changed) => {
        await (changed === undefined ? this.#readAll() : this.#readThese(changed.ids));
        this.#behindSince = undefined;
      },
      onFailure: (error) => {
        this.#behindSince ??= now();
        for (const tell of this.#failing) tell(error);
      },
    });
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Whether all zones were listed once. Until then nobody can say that a name is in none. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** The most labels of any zone's name. */
  get labelsMax(): number {
    return this.#labelsMax;
  }

  /** Since when it may differ from the store; undefined while it does not. */
  get behindSince(): Date | undefined {
    return this.#behindSince;
  }

  /** The active zone with exactly this name, folded. */
  at(name: string): NamedZone | undefined {
    return this.#byName.get(name);
  }

  withId(id: string): NamedZone | undefined {
    return this.#byId.get(id);
  }

  ids(): IterableIterator<string> {
    return this.#byId.keys();
  }

  /** Calls back with each zone that is new, or has another name or account now. */
  onEnter(listener: (zone: NamedZone) => void): void {
    this.#entering.push(listener);
  }

  /** Calls back with each zone that is active no longer, or has another name or account now. */
  onLeave(listener: (zone: NamedZone) => void): void {
    this.#leaving.push(listener);
  }

  onFailure(listener: (error: unknown) => void): void {
    this.#failing.push(listener);
  }

  /** Lists all zones once, then follows their changes. Throws what the store throws. */
  start(): Promise<void> {
    return (this.#starting ??= this.#start());
  }

  /** Takes the zones as an earlier process knew them, and follows the store once it answers. */
  restore(zones: Iterable<NamedZone>, away: unknown): void {
    for (const zone of zones) this.#put(zone);
    this.#isComplete = true;
    this.#changes.fail(away);
    this.#changes.follow();
  }

  /** Resolves when what is announced by now has been read, or could not be. */
  async settled(): Promise<void> {
    while (this.#changes.running !== undefined) await this.#changes.running;
  }

  stop(): Promise<void> {
    return this.#changes.stop();
  }

  async #start(): Promise<void> {
    this.#db.onChange((changes) => this.#changes.add(changes));
    this.#changes.add(undefined);
    await this.#changes.catchUp();
    this.#changes.follow();
  }

  async #readAll(): Promise<void> {
    this.#reading += 1;
    const pause = createPause();
    let after = "";
    for (;;) {
      const zones = await listActiveZonesAfter(this.#db.read, after, zonesAtOnce);
      for (const zone of zones) this.#put(zone);
      await pause();
      const last = zones.at(-1);
      if (last === undefined || zones.length < zonesAtOnce) break;
      after = last.id;
    }
    let passed = 0;
    for (const [id, { reading }] of this.#byId) {
      if (reading !== this.#reading) this.#remove(id);
      passed += 1;
      if (passed % zonesAtOnce === 0) await pause();
    }
    this.#isComplete = true;
  }

  async #readThese(ids: readonly string[]): Promise<void> {
    const zones = await listActiveZones(this.#db.read, ids);
    const active = new Set(zones.map(({ id }) => id));
    for (const id of ids) if (!active.has(id)) this.#remove(id);
    for (const zone of zones) this.#put(zone);
  }

  #put({ id, name, accountId }: NamedZone): void {
    const known = this.#byId.get(id);
    if (known !== undefined && known.name === name && known.accountId === accountId) {
      known.reading = this.#reading;
      return;
    }
    if (known !== undefined) this.#remove(id);
    const account = this.#accounts.get(accountId) ?? { id: accountId, zones: 0 };
    account.zones += 1;
    this.#accounts.set(account.id, account);
    const entry: Entry = { id, name, accountId: account.id, reading: this.#reading };
    this.#byId.set(id, entry);
    this.#byName.set(name, entry);
    this.#labelsMax = Math.max(this.#labelsMax, countLabels(name));
    for (const tell of this.#entering) tell(entry);
  }

  #remove(id: string): void {
    const entry = this.#byId.get(id);
    if (entry === undefined) return;
    this.#byId.delete(id);
    // Another zone may have its name by now.
    if (this.#byName.get(entry.name) === entry) this.#byName.delete(entry.name);
    const account = this.#accounts.get(entry.accountId);
    if (account !== undefined) account.zones -= 1;
    if (account?.zones === 0) this.#accounts.delete(entry.accountId);
    for (const tell of this.#leaving) tell(entry);
  }
}
