import type { CoreRules } from "../../core/judging/core-rules.ts";
import type { EdgeZone, HeldZone } from "../../edge/zones/edge-zone.ts";
import {
  findEdgeZone,
  readEdgeZone,
  type StoredEdgeAccount,
  type ListedZone,
  type StoredEdgeZone,
  type VersionedZone,
} from "../../resources/edge-zones/edge-zones.ts";
import type { RulesetContext } from "../../resources/rulesets/rulesets.ts";
import type { SecretBox } from "../../secrets/secret-box.ts";
import type { ZoneSettings } from "../../resources/zones/zones.ts";
import { BulkReads } from "../../storage/bulk-reads.ts";
import { recordReads } from "../../storage/recorded-reads.ts";
import type { EdgeAccounts } from "./edge-accounts.ts";
import type { EdgeCompiler } from "./edge-compiler.ts";
import { EdgeNames } from "./edge-names.ts";
import { keepZone, openZone } from "./edge-restore.ts";
import type { EdgeSnapshot, KeptSnapshot } from "./edge-snapshot.ts";
import { makeEdgeZone, rulesOf, withAccount } from "./make-edge-zone.ts";
import { ReadyZones } from "./ready-zones.ts";

export interface EdgeZoneContext extends RulesetContext {
  readonly settings: ZoneSettings;
  readonly secretBox: SecretBox;
}

interface LoadedZonesOptions {
  readonly accounts: EdgeAccounts;
  readonly compiler: EdgeCompiler;
  readonly snapshot: EdgeSnapshot | undefined;
  /** Rules of all zones that are ready to run. */
  readonly readyBytesMax: number;
}

/** What is done for many zones at once. */
export class Pass {
  readonly reads: BulkReads;
  readonly #accounts: EdgeAccounts;
  readonly #readAccounts = new Map<string, Promise<void>>();

  /** `zones`: how many are read. */
  constructor(db: RulesetContext["db"]["read"], accounts: EdgeAccounts, zones: number) {
    this.reads = new BulkReads(db, zones);
    this.#accounts = accounts;
  }

  /** Reads an account once for all of its zones. Throws where the store is away. */
  readAccount(id: string): Promise<void> {
    const reading = this.#readAccounts.get(id) ?? this.#accounts.read(id);
    this.#readAccounts.set(id, reading);
    return reading;
  }
}

/** What is read of a zone. */
interface ReadZone {
  readonly versioned: VersionedZone;
  readonly stored: StoredEdgeZone;
  readonly names: EdgeNames;
}

interface Loaded extends ReadZone {
  readonly account: StoredEdgeAccount;
  readonly coreRules: CoreRules | undefined;
  readonly zone: EdgeZone;
}

/**
 * The zones that were read, in the version that is served. What is read of one is compiled aside, and then replaces it. With a
 * `snapshot` it is kept on disk too.
 */
export class LoadedEdgeZones {
  readonly #context: EdgeZoneContext;
  readonly #options: LoadedZonesOptions;
  readonly #byId = new Map<string, Loaded>();
  readonly #byName = new Map<string, EdgeZone>();
  readonly #ready: ReadyZones;

  constructor(context: EdgeZoneContext, options: LoadedZonesOptions) {
    this.#context = context;
    this.#options = options;
    this.#ready = new ReadyZones(options.readyBytesMax);
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Zones whose rules are ready to run. */
  get readySize(): number {
    return this.#ready.size;
  }

  get ids(): readonly string[] {
    return [...this.#byId.keys()];
  }

  get accountIds(): ReadonlySet<string> {
    return new Set([...this.#byId.values()].map(({ versioned }) => versioned.zone.account_id));
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  find(name: string): EdgeZone | undefined {
    return this.#byName.get(name);
  }

  hold(zone: EdgeZone): HeldZone | Promise<HeldZone> {
    return this.#ready.hold(zone);
  }

  /** Reads what has changed of a zone. Throws what reading and compiling throw. */
  async follow(listed: ListedZone, pass: Pass): Promise<void> {
    const { id, accountId, recordsVersion, ownVersion, accountVersion } = listed;
    const { accounts } = this.#options;
    const loaded = this.#byId.get(id);
    if (accounts.isRestored(accountId) || loaded?.versioned.accountVersion !== accountVersion)
      await pass.readAccount(accountId);
    const hasAccessRules = loaded?.account.accessRules === accounts.get(accountId)?.accessRules;
    if (loaded?.versioned.ownVersion !== ownVersion || !hasAccessRules) {
      const versioned = await findEdgeZone(this.#context.db.read, listed);
      // Nothing is to be read of a zone that is gone: that is listed too.
      if (versioned !== undefined) await this.#read(versioned, recordsVersion, pass);
      return;
    }
    await loaded.names.follow(this.#context.db.read, recordsVersion);
    const hasCoreRules = loaded.coreRules === this.#context.managed.coreRules;
    const hasAccount = loaded.account === accounts.get(accountId);
    if (hasCoreRules && hasAccount && loaded.versioned.accountVersion === accountVersion) return;
    const versioned = { zone: loaded.versioned.zone, ownVersion, accountVersion };
    await this.#serve({ ...loaded, versioned }, loaded.zone);
  }

  /** Serves a zone as it was kept. Throws what reading and compiling throw. */
  async restore(id: string, kept: KeptSnapshot): Promise<void> {
    await this.#serve(await openZone(id, kept, this.#options.snapshot, this.#context));
  }

  /** Serves a zone no longer; it is not kept either. */
  remove(id: string): void {
    const loaded = this.#byId.get(id);
    if (loaded === undefined) return;
    this.#drop(id);
    this.#options.snapshot?.remove(`zone/${id}`);
    loaded.names.remove();
  }

  /** Whether an entry of a snapshot is of a zone that is served. */
  isKept(key: string): boolean {
    const [kind, id = ""] = key.split("/");
    const loaded = this.#byId.get(id);
    return kind === "zone" ? loaded !== undefined : loaded?.names.isKept(key) === true;
  }

  async #read(versioned: VersionedZone, recordsVersion: number, pass: Pass): Promise<void> {
    const { zone } = versioned;
    const { accounts, snapshot } = this.#options;
    const { read } = this.#context.db;
    const { db, reads } =
      snapshot === undefined
        ? { db: read, reads: {} }
        : recordReads((query) => pass.reads.execute(query, zone.id));
    const stored = await readEdgeZone(db, this.#context, zone);
    const lists = accounts.get(zone.account_id)?.lists;
    if (stored.rules.listNames.some((name) => lists?.has(name) !== true))
      await pass.readAccount(zone.account_id);
    const known = this.#byId.get(zone.id)?.names;
    const names = known?.isOf(zone) === true ? known : new EdgeNames(zone, snapshot);
    // Records first: a zone on disk is never newer than its records.
    await names.follow(read, recordsVersion);
    await this.#serve({ versioned, stored, names });
    // What cannot be served is not kept: what was served last is.
    if (snapshot !== undefined) keepZone(snapshot, versioned, reads);
  }

  /** Puts a zone in the place of what was served of it. `same`: only its account differs. Throws what compiling throws. */
  async #serve({ versioned, stored, names }: ReadZone, same?: EdgeZone): Promise<void> {
    const { zone: row } = versioned;
    const { accounts, compiler } = this.#options;
    const account = accounts.get(row.account_id);
    if (account === undefined) throw new Error(`nothing is known of the account ${row.account_id}`);
    const { coreRules } = this.#context.managed;
    const zone =
      same === undefined
        ? makeEdgeZone(this.#context, { row, stored, names: names.names, account })
        : withAccount(same, stored, account);
    const compile = () => compiler.compile(rulesOf(zone, stored, account));
    await (same === undefined ? this.#ready.add(zone, compile) : this.#ready.replace(same, zone, compile));
    this.#drop(row.id);
    this.#byId.set(row.id, { versioned, stored, names, account, coreRules, zone });
    const namesake = this.#byName.get(zone.name);
    // One that has lost its name to another account may still have been read.
    if (namesake === undefined || namesake.activationOrder <= zone.activationOrder)
      this.#byName.set(zone.name, zone);
  }

  #drop(id: string): void {
    const loaded = this.#byId.get(id);
    if (loaded === undefined) return;
    this.#byId.delete(id);
    if (this.#byName.get(loaded.zone.name) === loaded.zone) this.#byName.delete(loaded.zone.name);
    this.#ready.drop(loaded.zone);
  }
}
