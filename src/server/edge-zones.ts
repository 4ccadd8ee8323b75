import type { Logger } from "pino";

import type { CoreRules } from "../core/rulesets/core-rules.ts";
import type { EdgeZone, EdgeZones, HeldZone } from "../edge/edge-zone.ts";
import type { ZoneNames } from "../edge/zone-names.ts";
import { readLocalAuthorities } from "../resources/certificate-packs/certificate-packs.ts";
import { createPause } from "../operation/pause.ts";
import {
  findEdgeZones,
  readEdgeZone,
  type StoredEdgeZone,
  type VersionedZone,
} from "../resources/edge-zones/edge-zones.ts";
import type { RulesetContext } from "../resources/rulesets/rulesets.ts";
import { findOwner } from "../resources/users/users.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import { BulkReads } from "../storage/bulk-reads.ts";
import { recordReads, replayReads, type RecordedReads } from "../storage/recorded-reads.ts";
import type { Db } from "../storage/tables.ts";
import { EdgeAccounts } from "./edge-accounts.ts";
import { EdgeCompiler } from "./edge-compiler.ts";
import type { EdgeSnapshot, KeptSnapshot } from "./edge-snapshot.ts";
import { makeEdgeZone, readNames, rulesOf, withAccount } from "./make-edge-zone.ts";
import { ReadyZones } from "./ready-zones.ts";
import { ZoneChanges } from "./zone-changes.ts";

/** Milliseconds between two log lines about the same error. */
const tellMs = 60_000;

interface EdgeZoneContext extends RulesetContext {
  readonly secretBox: SecretBox;
}

interface EdgeZoneOptions {
  readonly snapshot?: EdgeSnapshot | undefined;
  /** Rules of all zones that are ready to run. */
  readonly readyRulesMax: number;
}

/** Stands in `CDN-Loop` until the installation is known. */
const unknownInstallation = "zoneward";

/** Data of the installation, outside of any zone. */
interface Installation {
  /** Identifies the installation in `CDN-Loop` (RFC 8586); the same in each of its processes. */
  readonly loopToken: string;
  /** Certificates (PEM) of the local CA, which may have issued those of origins. */
  readonly authorities: readonly string[];
}

/** The entry of a zone in a snapshot, with the reads that it was compiled from. */
interface KeptZone {
  readonly versioned: VersionedZone;
  readonly reads: RecordedReads;
}

interface KeptNames {
  readonly recordsVersion: number;
  readonly reads: RecordedReads;
}

/** What is done for many zones at once. */
interface Pass {
  /** The accounts that were read. */
  readonly readAccounts: Set<string>;
  readonly reads: BulkReads;
}

interface Loaded {
  readonly versioned: VersionedZone;
  readonly stored: StoredEdgeZone;
  readonly coreRules: CoreRules | undefined;
  readonly zone: EdgeZone;
}

/**
 * The active zones as edges serve them, kept up to date with the store. A changed zone is read and compiled
 * aside, and then replaces the one that is served; other zones are not compiled again. If only its account has
 * changed, the account is read once for all of its zones; ready zones are compiled again at once, others at
 * their next request. While the store is not available, and where a zone cannot be compiled, the last version
 * stays in service. With a `snapshot` everything is kept on disk too, and served if the store is not available
 * at the start.
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
  #installation: Installation = { loopToken: unknownInstallation, authorities: [] };
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
      read: (ids) => this.#readZones(ids),
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
    const snapshot = this.#snapshot;
    await snapshot?.beginWhole();
    try {
      await this.#changes.catchUp();
      await snapshot?.endWhole();
    } catch (error) {
      await snapshot?.dropWhole();
      const kept = await snapshot?.read();
      if (kept === undefined) throw error;
      await this.#restore(kept, error);
      this.#fallBehind(error);
      this.#changes.add(undefined);
    }
  }

  async stop(): Promise<void> {
    await this.#changes.stop();
    await this.#snapshot?.close();
  }

  /**
   * Serves the snapshot where the store is away for the reason `away`. What cannot be read is left out. Throws if
   * that is everything.
   */
  async #restore(kept: KeptSnapshot, away: unknown): Promise<void> {
    this.#behindSince = kept.asOf;
    let failure: unknown;
    const restore = async (key: string, restoreOne: () => Promise<unknown>): Promise<void> => {
      try {
        await restoreOne();
      } catch (error) {
        failure ??= error;
        this.#logger.error({ err: error, key }, "what was kept cannot be read");
      }
    };
    const restoreEach = async (kind: string, restoreOne: (id: string) => Promise<unknown>): Promise<void> => {
      for (const key of kept.keys.filter((one) => one.startsWith(`${kind}/`))) {
        await restore(key, () => restoreOne(key.slice(kind.length + 1)));
      }
    };
    let isKnown = false;
    await restore("installation", async () => {
      this.#installation = kept.open("installation") as Installation;
      isKnown = true;
    });
    await restoreEach("account", (id) => this.#accounts.restore(id, kept));
    await restoreEach("zone", (id) => this.#restoreZone(id, kept));
    const hasZones = kept.keys.some((key) => key.startsWith("zone/"));
    if (hasZones ? this.#byId.size > 0 : isKnown) return;
    throw new Error(
      `the store is away (${messageOf(away)}), and nothing of the snapshot can be read: ${messageOf(failure)}`,
      { cause: away },
    );
  }

  async #restoreZone(id: string, kept: KeptSnapshot): Promise<void> {
    const { versioned, reads } = kept.open(`zone/${id}`) as KeptZone;
    const names = kept.open(`names/${id}`) as KeptNames;
    const row = { ...versioned.zone, dns_records_version: names.recordsVersion };
    await this.#serve(
      { ...versioned, zone: row },
      await readEdgeZone(replayReads(reads), this.#context, row),
      await readNames(replayReads(names.reads), row),
    );
  }

  #fallBehind(error: unknown): void {
    const now = this.#context.now();
    this.#behindSince ??= now;
    if (now.getTime() - this.#toldMs < tellMs) return;
    this.#toldMs = now.getTime();
    this.#logger.error(
      { err: error, since: this.#behindSince },
      "the store is away: the edge serves what it read last",
    );
  }

  async #readZones(ids: readonly string[] | undefined): Promise<void> {
    const { read } = this.#context.db;
    const found = await findEdgeZones(read, ids);
    await this.#readInstallation(read);
    const served = new Set(found.map(({ zone }) => zone.id));
    for (const id of ids ?? [...this.#byId.keys()]) {
      if (served.has(id) || !this.#byId.has(id)) continue;
      this.#remove(id);
      this.#snapshot?.remove(`zone/${id}`);
      this.#snapshot?.remove(`names/${id}`);
    }
    const pause = createPause();
    const pass: Pass = { readAccounts: new Set(), reads: new BulkReads(read, found.length) };
    for (const versioned of found) {
      await this.#follow(versioned, pass);
      await pause();
    }
    if (ids === undefined) this.#accounts.keepOnly(new Set(found.map(({ zone }) => zone.account_id)));
    this.#snapshot?.confirm(this.#context.now());
    if (this.#behindSince !== undefined) this.#logger.info("the edge serves what the store says again");
    this.#behindSince = undefined;
    this.#toldMs = -tellMs;
  }

  async #readInstallation(read: Db): Promise<void> {
    const owner = await findOwner(read);
    const found = {
      loopToken: `${unknownInstallation}-${owner?.id.slice(0, 8) ?? ""}`,
      authorities: await readLocalAuthorities(read),
    };
    if (JSON.stringify(found) === JSON.stringify(this.#installation)) return;
    this.#installation = found;
    this.#snapshot?.put("installation", found);
  }

  async #follow(versioned: VersionedZone, { readAccounts, reads }: Pass): Promise<void> {
    const { zone, version, accountVersion } = versioned;
    const loaded = this.#byId.get(zone.id);
    const hasCoreRules = loaded?.coreRules === this.#context.managed.coreRules;
    if (loaded?.versioned.version === version && hasCoreRules) return;
    const readAccount = async (): Promise<void> => {
      if (readAccounts.has(zone.account_id)) return;
      await this.#accounts.read(zone.account_id);
      readAccounts.add(zone.account_id);
    };
    if (loaded?.versioned.accountVersion !== accountVersion) await readAccount();
    if (loaded !== undefined && ownVersion(loaded.versioned) === ownVersion(versioned)) {
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
    const known = loaded !== undefined && hasSameRecords(loaded.versioned, versioned);
    const names = known ? loaded.zone.names : await readNames(ofNames.db, zone);
    // What cannot be served is not kept: what was served last is.
    if (!(await this.#serve(versioned, stored, names))) return;
    const keptNames: KeptNames = { recordsVersion: zone.dns_records_version, reads: ofNames.reads };
    if (!known) this.#snapshot?.put(`names/${zone.id}`, keptNames);
    this.#snapshot?.put(`zone/${zone.id}`, { versioned, reads: ofZone.reads } satisfies KeptZone);
  }

  /** Puts a zone in the place of what was served of it; false where it cannot be compiled. `same`: only its account differs. */
  async #serve(
    versioned: VersionedZone,
    stored: StoredEdgeZone,
    names: ZoneNames,
    same?: EdgeZone,
  ): Promise<boolean> {
    const { zone: row } = versioned;
    try {
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
      this.#byId.set(row.id, { versioned, stored, coreRules, zone });
      this.#byName.set(zone.name, zone);
      return true;
    } catch (error) {
      this.#logger.error(
        { err: error, zone: row.name },
        "a zone cannot be compiled, and is served as it was",
      );
      return false;
    }
  }

  #remove(id: string): void {
    const loaded = this.#byId.get(id);
    if (loaded === undefined) return;
    this.#byId.delete(id);
    if (this.#byName.get(loaded.zone.name) === loaded.zone) this.#byName.delete(loaded.zone.name);
    this.#ready.drop(loaded.zone);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What counts the changes of a zone itself. */
const ownVersion = ({ version, accountVersion }: VersionedZone): number => version - accountVersion;

function hasSameRecords(one: VersionedZone, other: VersionedZone): boolean {
  return one.zone.dns_records_version === other.zone.dns_records_version && one.zone.name === other.zone.name;
}
