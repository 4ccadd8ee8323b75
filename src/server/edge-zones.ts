import type { Logger } from "pino";

import type { CompiledExpression, CompiledValueExpression } from "../core/expression/compile.ts";
import { filterLimits } from "../core/expression/limits.ts";
import type { CoreRules } from "../core/rulesets/core-rules.ts";
import type { RunningRules } from "../core/rulesets/judge-request.ts";
import { SharedExpressions } from "../core/rulesets/shared-expressions.ts";
import type { EdgeZone, EdgeZones, HeldZone } from "../edge/edge-zone.ts";
import type { ZoneNames } from "../edge/zone-names.ts";
import { readLocalAuthorities } from "../resources/certificate-packs/certificate-packs.ts";
import { findEdgeZones, readEdgeZone, type VersionedZone } from "../resources/edge-zones/edge-zones.ts";
import type { CompiledExpressions, RulesetContext } from "../resources/rulesets/rulesets.ts";
import { findOwner } from "../resources/users/users.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import { recordReads, replayReads, type RecordedReads } from "../storage/recorded-reads.ts";
import type { Db } from "../storage/tables.ts";
import { makeEdgeZone, readNames } from "./compile-edge-zone.ts";
import type { EdgeSnapshot, KeptSnapshot } from "./edge-snapshot.ts";
import { ReadyZones, type CompiledRules } from "./ready-zones.ts";
import { ZoneChanges } from "./zone-changes.ts";

/** Milliseconds between two log lines about the same error. */
const tellMs = 60_000;

interface EdgeZoneContext extends RulesetContext {
  readonly secretBox: SecretBox;
}

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

interface Loaded {
  readonly version: number;
  readonly recordsVersion: number;
  readonly coreRules: CoreRules | undefined;
  readonly zone: EdgeZone;
}

interface Compiler {
  readonly filters: SharedExpressions<CompiledExpression>;
  readonly values: SharedExpressions<CompiledValueExpression>;
}

/**
 * The active zones as edges serve them, kept up to date with the store. A changed zone is read and compiled
 * aside, and then replaces the one that is served; other zones are not compiled again. While the store is not
 * available, and where a zone cannot be compiled, the last version stays in service. With a `snapshot`
 * everything is kept on disk too, and served if the store is not available at the start.
 */
export class ServedEdgeZones implements EdgeZones {
  readonly #context: EdgeZoneContext;
  readonly #logger: Logger;
  readonly #byId = new Map<string, Loaded>();
  readonly #byName = new Map<string, EdgeZone>();
  readonly #ready = new ReadyZones();
  #compiler: Compiler | undefined;
  readonly #snapshot: EdgeSnapshot | undefined;
  #installation: Installation = { loopToken: "", authorities: [] };
  #behindSince: Date | undefined;
  #toldMs = -tellMs;
  readonly #changes: ZoneChanges;

  constructor(context: EdgeZoneContext, logger: Logger, snapshot?: EdgeSnapshot) {
    this.#context = context;
    this.#logger = logger;
    this.#snapshot = snapshot;
    this.#changes = new ZoneChanges({
      look: (ids) => this.#look(ids),
      onFailure: (error) => this.#fallBehind(error),
    });
  }

  get installation(): Installation {
    return this.#installation;
  }

  get size(): number {
    return this.#byId.size;
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

  hold(zone: EdgeZone): Promise<HeldZone> {
    return this.#ready.hold(zone);
  }

  /** Reads all zones, then follows their changes. Throws what the store throws, unless there is a snapshot. */
  async start(): Promise<void> {
    const { filters, values } = await this.#createCompiler();
    this.#compiler = { filters, values };
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
      await this.#restore(kept);
      this.#fallBehind(error);
      this.#changes.add(undefined);
    }
  }

  async stop(): Promise<void> {
    await this.#changes.stop();
    await this.#snapshot?.close();
  }

  /** Serves the snapshot. A zone that cannot be read is left out. */
  async #restore(kept: KeptSnapshot): Promise<void> {
    this.#behindSince = kept.asOf;
    this.#installation = kept.open("installation") as Installation;
    for (const key of kept.keys) {
      const [kind, id] = key.split("/");
      if (kind !== "zone") continue;
      try {
        const { versioned, reads } = kept.open(key) as KeptZone;
        const names = kept.open(`names/${id}`) as KeptNames;
        const { zone, version } = versioned;
        const row = { ...zone, dns_records_version: names.recordsVersion };
        await this.#load({ zone: row, version }, replayReads(reads), () =>
          readNames(replayReads(names.reads), row),
        );
      } catch (error) {
        this.#logger.error({ err: error, key }, "what was kept of a zone cannot be read");
      }
    }
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

  async #createCompiler(): Promise<Compiler> {
    const engine = await this.#context.loadExpressionEngine();
    return {
      filters: new SharedExpressions((source) => engine.compileFilter(source, { limits: filterLimits })),
      values: new SharedExpressions((source) => engine.compileValue(source)),
    };
  }

  async #look(ids: readonly string[] | undefined): Promise<void> {
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
    for (const versioned of found) await this.#follow(versioned);
    this.#snapshot?.confirm(this.#context.now());
    if (this.#behindSince !== undefined) this.#logger.info("the edge serves what the store says again");
    this.#behindSince = undefined;
    this.#toldMs = -tellMs;
  }

  async #readInstallation(read: Db): Promise<void> {
    const owner = await findOwner(read);
    const found = {
      loopToken: `zoneward-${owner?.id.slice(0, 8) ?? ""}`,
      authorities: await readLocalAuthorities(read),
    };
    if (JSON.stringify(found) === JSON.stringify(this.#installation)) return;
    this.#installation = found;
    this.#snapshot?.put("installation", found);
  }

  async #follow(versioned: VersionedZone): Promise<void> {
    const { zone, version } = versioned;
    const loaded = this.#byId.get(zone.id);
    const hasCoreRules = loaded?.coreRules === this.#context.managed.coreRules;
    if (loaded?.version === version && hasCoreRules) return;
    const { read } = this.#context.db;
    const isSame = loaded?.recordsVersion === zone.dns_records_version && loaded.zone.name === zone.name;
    const known = isSame ? loaded.zone.names : undefined;
    if (this.#snapshot === undefined) {
      await this.#load(versioned, read, async () => known ?? readNames(read, zone));
      return;
    }
    const ofZone = recordReads(read);
    const ofNames = recordReads(read);
    const isLoaded = await this.#load(versioned, ofZone.db, async () => known ?? readNames(ofNames.db, zone));
    // What cannot be served is not kept: what was served last is.
    if (!isLoaded) return;
    const names: KeptNames = { recordsVersion: zone.dns_records_version, reads: ofNames.reads };
    if (known === undefined) this.#snapshot.put(`names/${zone.id}`, names);
    this.#snapshot.put(`zone/${zone.id}`, { versioned, reads: ofZone.reads } satisfies KeptZone);
  }

  /** Puts a zone in the place of what was served of it; false where it cannot be compiled. */
  async #load(versioned: VersionedZone, db: Db, namesOf: () => Promise<ZoneNames>): Promise<boolean> {
    const { zone: row, version } = versioned;
    const stored = await readEdgeZone(db, this.#context, row);
    const names = await namesOf();
    try {
      const { coreRules } = this.#context.managed;
      const { zone, compile } = makeEdgeZone(this.#context, { row, stored, names });
      await this.#ready.add(zone, () => this.#compile(compile));
      this.#remove(row.id);
      this.#byId.set(row.id, { version, recordsVersion: row.dns_records_version, coreRules, zone });
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

  async #compile(
    compile: (expressions: CompiledExpressions) => Promise<RunningRules>,
  ): Promise<CompiledRules> {
    if (this.#compiler === undefined) throw new Error("nothing can be compiled before the start");
    const filters = this.#compiler.filters.lease();
    const values = this.#compiler.values.lease();
    const free = (): void => {
      filters.release();
      values.release();
    };
    try {
      return { rules: await compile({ filters, values }), free };
    } catch (error) {
      free();
      throw error;
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
