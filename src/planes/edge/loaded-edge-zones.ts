import { setImmediate as nextTurn } from "node:timers/promises";

import type { CoreRules } from "../../core/judging/core-rules.ts";
import { listNamesOf } from "../../core/judging/zone-rules.ts";
import { documentParts, type DocumentPart, type ZoneDocument } from "../../core/documents/zone-document.ts";
import type { EdgeZone, HeldZone } from "../../edge/zones/edge-zone.ts";
import type { RulesetContext } from "../../resources/rulesets/rulesets.ts";
import {
  readZoneDocuments,
  type ListedZone,
  type RulesCompiler,
} from "../../resources/zone-documents/zone-documents.ts";
import type { ZoneSettings } from "../../resources/zones/zones.ts";
import type { SecretBox } from "../../secrets/secret-box.ts";
import type { EdgeAccount, EdgeAccounts } from "./edge-accounts.ts";
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
  readonly compiler: RulesCompiler;
  readonly snapshot: EdgeSnapshot | undefined;
  /** Rules of all zones that are ready to run. */
  readonly readyBytesMax: number;
}

/** The same parts of zones that are about to be read. */
interface Asked {
  readonly ids: Set<string>;
  readonly reading: Promise<ReadonlyMap<string, Partial<ZoneDocument>>>;
}

/** Reads what is asked for at the same time together, and each account once for all of its zones. */
export class Pass {
  readonly #db: RulesetContext["db"]["read"];
  readonly #accounts: EdgeAccounts;
  readonly #readAccounts = new Map<string, Promise<void>>();
  readonly #asked = new Map<string, Asked>();

  constructor(db: RulesetContext["db"]["read"], accounts: EdgeAccounts) {
    this.#db = db;
    this.#accounts = accounts;
  }

  /** Throws where the store is away. */
  readAccount(id: string): Promise<void> {
    const reading = this.#readAccounts.get(id) ?? this.#accounts.read(id);
    this.#readAccounts.set(id, reading);
    return reading;
  }

  /** Parts of a zone; undefined where there is no such zone. Throws what reading throws. */
  async readZone(id: string, parts: readonly DocumentPart[]): Promise<Partial<ZoneDocument> | undefined> {
    const key = parts.join();
    let asked = this.#asked.get(key);
    if (asked === undefined) {
      const ids = new Set<string>();
      const reading = nextTurn().then(() => {
        this.#asked.delete(key);
        return readZoneDocuments(this.#db, [...ids], parts);
      });
      asked = { ids, reading };
      this.#asked.set(key, asked);
    }
    asked.ids.add(id);
    return (await asked.reading).get(id);
  }
}

/** What is read of a zone. */
interface ReadZone {
  readonly listed: ListedZone;
  readonly document: ZoneDocument;
  readonly names: EdgeNames;
}

interface Loaded extends ReadZone {
  readonly account: EdgeAccount;
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
    return new Set([...this.#byId.values()].map(({ listed }) => listed.accountId));
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
    const { id, accountId, versions, accountVersion, recordsVersion } = listed;
    const { accounts } = this.#options;
    const loaded = this.#byId.get(id);
    const known = loaded?.names.isOf(listed) === true ? loaded : undefined;
    const changed = documentParts.filter((part) => known?.listed.versions[part] !== versions[part]);
    const hasAccount = loaded?.listed.accountVersion === accountVersion;
    if (!hasAccount || accounts.isRestored(accountId)) await pass.readAccount(accountId);
    if (known === undefined || changed.length > 0) return this.#read(listed, pass, changed, known);
    await known.names.follow(this.#context.db.read, recordsVersion);
    const hasCoreRules = known.coreRules === this.#context.managed.coreRules;
    if (hasAccount && hasCoreRules && known.account === accounts.get(accountId)) return;
    await this.#serve({ ...known, listed }, known.zone);
  }

  /** Serves a zone as it was kept. Throws what reading and compiling throw. */
  async restore(id: string, kept: KeptSnapshot): Promise<void> {
    await this.#serve(openZone(id, kept, this.#options.snapshot));
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

  /** Reads these parts, and takes the others from `known`. */
  async #read(
    listed: ListedZone,
    pass: Pass,
    parts: readonly DocumentPart[],
    known: Loaded | undefined,
  ): Promise<void> {
    const { id, accountId, recordsVersion } = listed;
    const { accounts, snapshot } = this.#options;
    const read = await pass.readZone(id, [...new Set<DocumentPart>(["facts", ...parts])]);
    // Nothing is to be read of a zone that is gone: that is listed too.
    if (read?.facts?.status !== "active") return;
    const document = { ...known?.document, ...read } as ZoneDocument;
    const lists = accounts.get(accountId)?.lists;
    if ([...listNamesOf(document.rules)].some((name) => lists?.has(name) !== true))
      await pass.readAccount(accountId);
    const names = known?.names ?? new EdgeNames(listed, snapshot);
    // Records first: a zone on disk is never newer than its records.
    await names.follow(this.#context.db.read, recordsVersion);
    await this.#serve({ listed, document, names });
    // What cannot be served is not kept: what was served last is.
    if (snapshot !== undefined) keepZone(snapshot, listed, document);
  }

  /** Puts a zone in the place of what was served of it. `same`: only its account differs. Throws what compiling throws. */
  async #serve({ listed, document, names }: ReadZone, same?: EdgeZone): Promise<void> {
    const { accounts, compiler } = this.#options;
    const account = accounts.get(listed.accountId);
    if (account === undefined) throw new Error(`nothing is known of the account ${listed.accountId}`);
    const { managed } = this.#context;
    const { coreRules } = managed;
    const zone =
      same === undefined
        ? makeEdgeZone(this.#context, document, names.names, account)
        : withAccount(same, document, account);
    const compile = (onOctets: () => void) => compiler.compile(rulesOf(document, account), managed, onOctets);
    await (same === undefined ? this.#ready.add(zone, compile) : this.#ready.replace(same, zone, compile));
    this.#drop(listed.id);
    this.#byId.set(listed.id, { listed, document, names, account, coreRules, zone });
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
