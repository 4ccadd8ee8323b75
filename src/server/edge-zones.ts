import type { Logger } from "pino";

import type { CoreRules } from "../core/rulesets/core-rules.ts";
import type { EdgeZone, EdgeZones, HeldZone } from "../edge/edge-zone.ts";
import type { ZoneNames } from "../edge/zone-names.ts";
import { eachAtOnce } from "../operation/each-at-once.ts";
import {
  findEdgeZones,
  hasSameRecords,
  ownVersion,
  readEdgeZone,
  type StoredEdgeAccount,
  type StoredEdgeZone,
  type VersionedZone,
} from "../resources/edge-zones/edge-zones.ts";
import type { RulesetContext } from "../resources/rulesets/rulesets.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import { BulkReads } from "../storage/bulk-reads.ts";
import { asUnavailable } from "../storage/errors.ts";
import { recordReads } from "../storage/recorded-reads.ts";
import type { Db } from "../storage/tables.ts";
import type { ZoneRow } from "../storage/tables/zones.ts";
import { EdgeAccounts } from "./edge-accounts.ts";
import { EdgeCompiler } from "./edge-compiler.ts";
import { readInstallation, unknownInstallation, type Installation } from "./edge-installation.ts";
import { keepZone, openZone, restoreAll } from "./edge-restore.ts";
import type { EdgeSnapshot, KeptSnapshot } from "./edge-snapshot.ts";
import { makeEdgeZone, readNames, rulesOf, withAccount } from "./make-edge-zone.ts";
import { ReadyZones } from "./ready-zones.ts";
import { ZoneChanges } from "./zone-changes.ts";

/** Milliseconds between two log lines about the same error. */
const tellMs = 60_000;
/** Milliseconds after which what was not read yet is said to be missing. */
const answerMs = 5_000;
/** Milliseconds between two notes on disk that what is served equals the store. */
const confirmMs = 5_000;
/** Zones read at the same time at the start, which otherwise waits for the store most of its time. */
const zonesAtOnce = 4;

interface EdgeZoneContext extends RulesetContext {
  readonly secretBox: SecretBox;
}

interface EdgeZoneOptions {
  readonly snapshot?: EdgeSnapshot | undefined;
  /** Rules of all zones that are ready to run. */
  readonly readyRulesMax: number;
}

/** What is done for many zones at once. */
interface Pass {
  /** The accounts that are read, by their ids. */
  readonly readAccounts: Map<string, Promise<void>>;
  readonly reads: BulkReads;
}

interface Loaded {
  readonly versioned: VersionedZone;
  readonly stored: StoredEdgeZone;
  readonly account: StoredEdgeAccount;
  readonly coreRules: CoreRules | undefined;
  readonly zone: EdgeZone;
}

/**
 * The active zones as edges serve them, kept up to date with the store. A changed zone is read and compiled
 * aside, and then replaces the one that is served; other zones are not compiled again. If only its account has
 * changed, the account is read once for all of its zones; ready zones are compiled again at once, others at
 * their next request. While the store is not available, and where a zone cannot be read or compiled, the last
 * version stays in service. With a `snapshot` everything is kept on disk too, and served where a start cannot
 * read or compile it.
 */
export class ServedEdgeZones implements EdgeZones {
  readonly #context: EdgeZoneContext;
  readonly #logger: Logger;
  readonly #byId = new Map<string, Loaded>();
  readonly #byName = new Map<string, EdgeZone>();
  readonly #ready: ReadyZones;
  readonly #compiler: EdgeCompiler;
  readonly #accounts: EdgeAccounts;
  readonly #snapshot: EdgeSnapshot | undefined;
  #installation = unknownInstallation;
  /** The snapshot of an earlier process, until all zones have been read. */
  #earlier: Promise<KeptSnapshot | undefined> | undefined;
  readonly #stale = new Set<string>();
  #isComplete = false;
  #confirming: NodeJS.Timeout | undefined;
  #behindSince: Date | undefined;
  #toldMs = -tellMs;
  readonly #changes: ZoneChanges;

  constructor(context: EdgeZoneContext, logger: Logger, { snapshot, readyRulesMax }: EdgeZoneOptions) {
    this.#context = context;
    this.#logger = logger;
    this.#snapshot = snapshot;
    this.#ready = new ReadyZones(readyRulesMax);
    this.#compiler = new EdgeCompiler(context);
    this.#accounts = new EdgeAccounts(context, { compiler: this.#compiler, logger, snapshot });
    this.#changes = new ZoneChanges({
      read: (ids) => this.#readInTime(ids),
      onFailure: (error) => this.#fallBehind(error),
    });
  }

  get installation(): Installation {
    return this.#installation;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Zones whose rules are ready to run. */
  get readySize(): number {
    return this.#ready.size;
  }

  /** Zones that are served in an earlier version, as the present one cannot be read or compiled. */
  get staleSize(): number {
    return this.#stale.size;
  }

  /** Since when the served zones may differ from the store; undefined while they do not. */
  get behindSince(): Date | undefined {
    return this.#behindSince;
  }

  enclosing(hostname: string): EdgeZone | undefined {
    for (let name = hostname; ;) {
      const zone = this.#byName.get(name);
      if (zone !== undefined) return zone;
      const dot = name.indexOf(".");
      if (dot === -1) return undefined;
      name = name.slice(dot + 1);
    }
  }

  hold(zone: EdgeZone): HeldZone | Promise<HeldZone> {
    return this.#ready.hold(zone);
  }

  /** Reads all zones, then follows their changes. Throws what the store throws, unless there is a snapshot. */
  async start(): Promise<void> {
    this.#context.db.onZoneChange((ids) => this.#changes.add(ids));
    this.#changes.add(undefined);
    await this.#readAll();
    this.#changes.follow();
  }

  /** Compiles the zones whose Core Rule Set is no longer the one in force. */
  compileAgain(): void {
    this.#changes.add(undefined);
  }

  async #readAll(): Promise<void> {
    try {
      await this.#changes.catchUp();
    } catch (error) {
      if (this.#snapshot === undefined) throw error;
      this.#behindSince = await restoreAll(this.#snapshot, {
        installation: (kept) => (this.#installation = kept.open("installation") as Installation),
        account: (id, kept) => this.#accounts.restore(id, kept),
        zone: (id, kept) => this.#restoreZone(id, kept),
        away: error,
        logger: this.#logger,
      });
      this.#fallBehind(error);
      this.#changes.add(undefined);
    }
    this.#confirming = setInterval(() => this.#confirm(), confirmMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#confirming);
    await this.#changes.stop();
    this.#confirm();
    await this.#snapshot?.close();
  }

  #confirm(): void {
    if (this.#isComplete && this.#behindSince === undefined) this.#snapshot?.confirm(this.#context.now());
  }

  async #restoreZone(id: string, kept: KeptSnapshot): Promise<void> {
    const { versioned, stored, names } = await openZone(id, kept, this.#context);
    await this.#serve(versioned, stored, names);
  }

  /** `since`: when what is served was last known to equal the store. */
  #fallBehind(error: unknown, since = this.#context.now()): void {
    const now = this.#context.now();
    this.#behindSince ??= since;
    if (now.getTime() - this.#toldMs < tellMs) return;
    this.#toldMs = now.getTime();
    this.#logger.error(
      { err: error, since: this.#behindSince },
      "the store is away: the edge serves what it read last",
    );
  }

  /** Reads zones, which a store that is cut off may leave without an answer for a long time. */
  async #readInTime(ids: readonly string[] | undefined): Promise<void> {
    const began = this.#context.now();
    const late = setTimeout(() => {
      if (this.#isComplete) this.#fallBehind(new Error("the store takes too long to answer"), began);
    }, answerMs).unref();
    try {
      await this.#readZones(ids);
    } finally {
      clearTimeout(late);
    }
  }

  async #readZones(ids: readonly string[] | undefined): Promise<void> {
    const { read } = this.#context.db;
    const found = await findEdgeZones(read, ids);
    await this.#readInstallation(read);
    const served = new Set(found.map(({ zone }) => zone.id));
    for (const id of ids ?? [...this.#byId.keys()]) {
      if (served.has(id) || !this.#byId.has(id)) continue;
      this.#remove(id);
      this.#stale.delete(id);
      this.#snapshot?.remove(`zone/${id}`);
      this.#snapshot?.remove(`names/${id}`);
    }
    const pass: Pass = { readAccounts: new Map(), reads: new BulkReads(read, found.length) };
    await eachAtOnce(found, this.#isComplete ? 1 : zonesAtOnce, (versioned) =>
      this.#followAsFarAsPossible(versioned, pass),
    );
    if (ids === undefined) this.#complete(found);
    if (this.#behindSince !== undefined) this.#logger.info("the edge serves what the store says again");
    this.#behindSince = undefined;
    this.#toldMs = -tellMs;
  }

  /** Forgets what belongs to no zone, once all have been read. */
  #complete(found: readonly VersionedZone[]): void {
    this.#accounts.keepOnly(new Set(found.map(({ zone }) => zone.account_id)));
    if (this.#isComplete) return;
    this.#isComplete = true;
    this.#earlier = undefined;
    this.#snapshot?.tidy((key) => this.#isKept(key));
    this.#snapshot?.confirm(this.#context.now());
  }

  #isKept(key: string): boolean {
    const [kind, id = ""] = key.split("/");
    if (kind === "zone" || kind === "names") return this.#byId.has(id);
    return kind === "installation" || this.#accounts.isKept(key);
  }

  /** A zone that cannot be read or compiled stays as it was. Throws where the store is away. */
  async #followAsFarAsPossible(versioned: VersionedZone, pass: Pass): Promise<void> {
    try {
      await this.#follow(versioned, pass);
      this.#stale.delete(versioned.zone.id);
    } catch (error) {
      if (asUnavailable(error) !== undefined) throw error;
      const { zone } = versioned;
      const message = "a zone cannot be read or compiled, and is served as it was";
      this.#logger.error({ err: error, zone: zone.name }, message);
      if (!this.#byId.has(zone.id) && !this.#isComplete) await this.#serveEarlier(zone);
      if (this.#byId.has(zone.id)) this.#stale.add(zone.id);
    }
  }

  /** Serves a zone as an earlier process kept it. */
  async #serveEarlier({ id, name, account_id }: ZoneRow): Promise<void> {
    try {
      const kept = await (this.#earlier ??= this.#snapshot?.read());
      if (kept === undefined || !kept.keys.includes(`zone/${id}`)) return;
      if (this.#accounts.get(account_id) === undefined) await this.#accounts.restore(account_id, kept);
      await this.#restoreZone(id, kept);
    } catch (error) {
      this.#logger.error({ err: error, zone: name }, "what was kept of the zone cannot be served either");
    }
  }

  async #readInstallation(read: Db): Promise<void> {
    const found = await readInstallation(read);
    if (JSON.stringify(found) === JSON.stringify(this.#installation)) return;
    this.#installation = found;
    this.#snapshot?.put("installation", found);
  }

  async #follow(versioned: VersionedZone, { readAccounts, reads }: Pass): Promise<void> {
    const { zone, version, accountVersion } = versioned;
    const readAccount = (): Promise<void> => {
      const reading = readAccounts.get(zone.account_id) ?? this.#accounts.read(zone.account_id);
      readAccounts.set(zone.account_id, reading);
      return reading;
    };
    if (this.#accounts.isRestored(zone.account_id)) await readAccount();
    const loaded = this.#byId.get(zone.id);
    const known = loaded !== undefined && hasSameRecords(loaded.versioned, versioned);
    const hasCoreRules = loaded?.coreRules === this.#context.managed.coreRules;
    const hasAccount = loaded?.account === this.#accounts.get(zone.account_id);
    if (known && loaded.versioned.version === version && hasCoreRules && hasAccount) return;
    if (loaded?.versioned.accountVersion !== accountVersion) await readAccount();
    if (known && ownVersion(loaded.versioned) === ownVersion(versioned)) {
      await this.#serve(versioned, loaded.stored, loaded.zone.names, loaded.zone);
      return;
    }
    const { read } = this.#context.db;
    const reading = () =>
      this.#snapshot === undefined
        ? { db: read, reads: {} }
        : recordReads((query) => reads.execute(query, zone.id));
    const [ofZone, ofNames] = [reading(), reading()];
    const stored = await readEdgeZone(ofZone.db, this.#context, zone);
    const lists = this.#accounts.get(zone.account_id)?.lists;
    if (stored.rules.listNames.some((name) => lists?.has(name) !== true)) await readAccount();
    const names = known ? loaded.zone.names : await readNames(ofNames.db, zone);
    // What cannot be served is not kept: what was served last is.
    await this.#serve(versioned, stored, names);
    if (this.#snapshot === undefined) return;
    keepZone(this.#snapshot, versioned, { zone: ofZone.reads, names: known ? undefined : ofNames.reads });
  }

  /** Puts a zone in the place of what was served of it. `same`: only its account differs. Throws what compiling throws. */
  async #serve(
    versioned: VersionedZone,
    stored: StoredEdgeZone,
    names: ZoneNames,
    same?: EdgeZone,
  ): Promise<void> {
    const { zone: row } = versioned;
    const account = this.#accounts.get(row.account_id);
    if (account === undefined) throw new Error(`nothing is known of the account ${row.account_id}`);
    const { coreRules } = this.#context.managed;
    const zone =
      same === undefined
        ? makeEdgeZone(this.#context, { row, stored, names, account })
        : withAccount(same, stored, account);
    const compile = () => this.#compiler.compile(rulesOf(zone, stored, account));
    await (same === undefined ? this.#ready.add(zone, compile) : this.#ready.replace(same, zone, compile));
    this.#remove(row.id);
    this.#byId.set(row.id, { versioned, stored, account, coreRules, zone });
    this.#byName.set(zone.name, zone);
  }

  #remove(id: string): void {
    const loaded = this.#byId.get(id);
    if (loaded === undefined) return;
    this.#byId.delete(id);
    if (this.#byName.get(loaded.zone.name) === loaded.zone) this.#byName.delete(loaded.zone.name);
    this.#ready.drop(loaded.zone);
  }
}
