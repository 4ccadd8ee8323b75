import { setImmediate as nextTurn } from "node:timers/promises";

import type { Logger } from "pino";

import type { CompiledExpression, CompiledValueExpression } from "../core/expression/compile.ts";
import { filterLimits } from "../core/expression/limits.ts";
import { SharedExpressions, type ExpressionLease } from "../core/rulesets/shared-expressions.ts";
import { edgeSettingsOf } from "../edge/edge-settings.ts";
import type { EdgeZone, EdgeZones } from "../edge/edge-zone.ts";
import { ZoneCertificates } from "../edge/zone-certificates.ts";
import { nameRecordsOf, ZoneNames, type NameRecords } from "../edge/zone-names.ts";
import { readLocalAuthorities } from "../resources/certificate-packs/certificate-packs.ts";
import { streamRecordsByName } from "../resources/dns/serving.ts";
import {
  findEdgeZones,
  readEdgeZone,
  type StoredEdgeZone,
  type VersionedZone,
} from "../resources/edge-zones/edge-zones.ts";
import { compileRules, type RulesetContext } from "../resources/rulesets/rulesets.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import { ZoneChanges } from "./zone-changes.ts";

interface EdgeZoneContext extends RulesetContext {
  readonly secretBox: SecretBox;
}

interface Loaded {
  readonly version: number;
  readonly recordsVersion: number;
  readonly zone: EdgeZone;
}

/** Expressions of a zone's rules, and the requests that need them. */
interface Lease {
  readonly release: () => void;
  holders: number;
  isReplaced: boolean;
}

interface Compiler {
  readonly filters: SharedExpressions<CompiledExpression>;
  readonly values: SharedExpressions<CompiledValueExpression>;
}

/**
 * The active zones as edges serve them, kept as the store has them. A zone that has changed is read and compiled beside the
 * one that is served, and then takes its place; no other is compiled again. While the store is away, and where a zone
 * cannot be compiled, what was there last stays.
 */
export class ServedEdgeZones implements EdgeZones {
  readonly #context: EdgeZoneContext;
  readonly #logger: Logger;
  readonly #byId = new Map<string, Loaded>();
  readonly #byName = new Map<string, EdgeZone>();
  readonly #leases = new WeakMap<EdgeZone, Lease>();
  #compiler: Compiler | undefined;
  #authorities: readonly string[] = [];
  readonly #changes: ZoneChanges;

  constructor(context: EdgeZoneContext, logger: Logger) {
    this.#context = context;
    this.#logger = logger;
    this.#changes = new ZoneChanges({
      look: (ids) => this.#look(ids),
      onFailure: (error) => logger.error({ err: error }, "the edge serves what it read last"),
    });
  }

  /** Certificates (PEM) of the local CA, which origins may have. */
  get authorities(): readonly string[] {
    return this.#authorities;
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

  hold(zone: EdgeZone): () => void {
    const lease = this.#leases.get(zone);
    if (lease === undefined) return () => undefined;
    lease.holders += 1;
    return () => {
      lease.holders -= 1;
      if (lease.isReplaced && lease.holders === 0) lease.release();
    };
  }

  /** Reads all zones, then follows their changes. Throws what the store throws. */
  async start(): Promise<void> {
    const { filters, values } = await this.#createCompiler();
    this.#compiler = { filters, values };
    this.#context.db.onZoneChange((ids) => this.#changes.add(ids));
    this.#changes.add(undefined);
    await this.#changes.catchUp();
    this.#changes.follow();
  }

  /** Compiles the zones whose Core Rule Set is no longer the one in force. */
  compileAgain(): void {
    this.#changes.add(undefined);
  }

  async stop(): Promise<void> {
    await this.#changes.stop();
  }

  async #createCompiler(): Promise<Compiler> {
    const engine = await this.#context.loadExpressionEngine();
    return {
      filters: new SharedExpressions((source) => engine.compileFilter(source, { limits: filterLimits })),
      values: new SharedExpressions((source) => engine.compileValue(source)),
    };
  }

  async #look(ids: readonly string[] | undefined): Promise<void> {
    const found = await findEdgeZones(this.#context.db.read, ids);
    this.#authorities = await readLocalAuthorities(this.#context.db.read);
    const served = new Set(found.map(({ zone }) => zone.id));
    for (const id of ids ?? [...this.#byId.keys()]) if (!served.has(id)) this.#remove(id);
    for (const versioned of found) await this.#follow(versioned);
  }

  async #follow(versioned: VersionedZone): Promise<void> {
    const { zone: row, version } = versioned;
    const loaded = this.#byId.get(row.id);
    const hasCoreRules = loaded?.zone.rules.coreRules === this.#context.managed.coreRules;
    if (loaded?.version === version && hasCoreRules) return;
    const stored = await readEdgeZone(this.#context, row);
    const isSame = loaded?.recordsVersion === row.dns_records_version && loaded.zone.name === row.name;
    const names = isSame ? loaded.zone.names : await this.#readNames(versioned);
    const lease = this.#lease();
    try {
      const zone = await this.#compile(versioned, stored, names, lease);
      this.#remove(row.id);
      this.#byId.set(row.id, { version, recordsVersion: row.dns_records_version, zone });
      this.#byName.set(zone.name, zone);
      this.#leases.set(zone, { release: lease.release, holders: 0, isReplaced: false });
    } catch (error) {
      lease.release();
      this.#logger.error(
        { err: error, zone: row.name },
        "a zone cannot be compiled, and is served as it was",
      );
    }
  }

  async #readNames({ zone }: VersionedZone): Promise<ZoneNames> {
    const names = new Map<string, NameRecords>();
    for await (const records of streamRecordsByName(this.#context.db.read, zone.id)) {
      for (const [name, its] of records) names.set(name, nameRecordsOf(its));
      await nextTurn();
    }
    return new ZoneNames(zone.name, names);
  }

  #lease() {
    if (this.#compiler === undefined) throw new Error("nothing can be compiled before the start");
    const filters = this.#compiler.filters.lease();
    const values = this.#compiler.values.lease();
    return {
      filters,
      values,
      release: () => {
        filters.release();
        values.release();
      },
    };
  }

  async #compile(
    { zone }: VersionedZone,
    stored: StoredEdgeZone,
    names: ZoneNames,
    lease: { filters: ExpressionLease<CompiledExpression>; values: ExpressionLease<CompiledValueExpression> },
  ): Promise<EdgeZone> {
    const { vendor, managed } = this.#context;
    const { urlNormalization, previous } = stored;
    return {
      id: zone.id,
      accountId: zone.account_id,
      name: zone.name,
      isPaused: zone.paused === 1,
      settings: edgeSettingsOf(stored.setting),
      names,
      certificates: new ZoneCertificates(stored.certificates),
      judging: { zone: { name: zone.name, plan: zone.plan }, vendor, urlNormalization, previous },
      rules: await compileRules(stored.rules, managed, lease),
      readsBodies: previous?.isOn === true || readsBodies(stored),
    };
  }

  #remove(id: string): void {
    const loaded = this.#byId.get(id);
    if (loaded === undefined) return;
    this.#byId.delete(id);
    if (this.#byName.get(loaded.zone.name) === loaded.zone) this.#byName.delete(loaded.zone.name);
    const lease = this.#leases.get(loaded.zone);
    if (lease === undefined) return;
    lease.isReplaced = true;
    if (lease.holders === 0) lease.release();
  }
}

/** Whether a rule may read the body of a request; managed rulesets do. */
function readsBodies({ rules: { entryPoints, custom } }: StoredEdgeZone): boolean {
  const rules = [...entryPoints, ...custom].flatMap((ruleset) =>
    ruleset.rules.filter(({ enabled }) => enabled),
  );
  return rules.some(
    (rule) => rule.action === "execute" || JSON.stringify(rule).includes("http.request.body"),
  );
}
