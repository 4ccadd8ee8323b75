import { setTimeout as delay } from "node:timers/promises";

import type { Logger } from "pino";

import { NameAuthority } from "../../core/dns/names/name-authority.ts";
import { parentOf } from "../../core/dns/wire/names.ts";
import type { EdgeZone, EdgeZones, HeldZone } from "../../edge/zones/edge-zone.ts";
import { eachAtOnce } from "../../operation/pause.ts";
import { listZones, RulesCompiler, type ListedZone } from "../../resources/zone-documents/zone-documents.ts";
import type { ChangedZones } from "../../storage/changes.ts";
import { asUnavailable } from "../../storage/errors.ts";
import type { Db } from "../../storage/tables.ts";
import { EdgeAccounts } from "./edge-accounts.ts";
import { readInstallation, unknownInstallation, type Installation } from "./edge-installation.ts";
import { openListed, restoreAll } from "./edge-restore.ts";
import type { EdgeSnapshot, KeptSnapshot } from "./edge-snapshot.ts";
import { LoadedEdgeZones, Pass, type EdgeZoneContext } from "./loaded-edge-zones.ts";
import { UnreadZones, type UnreadZone } from "./unread-zones.ts";
import { ZoneChanges } from "../zone-changes.ts";

/** Milliseconds between two log lines about the same error. */
const tellMs = 60_000;
/** Milliseconds after which what was not read yet is said to be missing. */
const answerMs = 5_000;
/** Milliseconds between two notes on disk that what is served equals the store. */
const confirmMs = 5_000;
/** Zones read at the same time after the start, which otherwise waits for the store most of its time. */
const zonesAtOnce = 4;

interface EdgeZoneOptions {
  readonly snapshot?: EdgeSnapshot | undefined;
  /** Rules of all zones that are ready to run. */
  readonly readyBytesMax: number;
  /** Milliseconds that a start waits until all zones have been read. */
  readonly startMsMax: number;
}

/**
 * The active zones as edges serve them, kept up to date with the store. After the start, zones are read one after
 * another, and one that is asked for before its turn at once. A changed zone is read and compiled aside, and then
 * replaces the one that is served; other zones are not compiled again. If only its account has changed, the account
 * is read once for all of its zones; ready zones are compiled again at once, others at their next request. While the
 * store is not available, and where a zone cannot be read or compiled, the last version stays in service. With a
 * `snapshot` everything is kept on disk too, and served where a start cannot read or compile it.
 */
export class ServedEdgeZones implements EdgeZones {
  readonly #context: EdgeZoneContext;
  readonly #logger: Logger;
  readonly #accounts: EdgeAccounts;
  readonly #loaded: LoadedEdgeZones;
  readonly #unread = new UnreadZones();
  readonly #authority = new NameAuthority<EdgeZone>((name) => this.#loaded.find(name));
  readonly #snapshot: EdgeSnapshot | undefined;
  readonly #startMsMax: number;
  #installation = unknownInstallation;
  /** The snapshot of an earlier process, until all zones have been read. */
  #earlier: Promise<KeptSnapshot | undefined> | undefined;
  /** Zones that cannot be served as it has them. */
  readonly #unusable = new Set<string>();
  readonly #stale = new Set<string>();
  /** Whether all zones have been read. */
  #isComplete = false;
  #readingUnread: Promise<void> | undefined;
  /** Whether the store failed after zones were last listed. */
  #isAway = false;
  #confirming: NodeJS.Timeout | undefined;
  #behindSince: Date | undefined;
  #toldMs = -tellMs;
  readonly #changes: ZoneChanges;

  constructor(context: EdgeZoneContext, logger: Logger, options: EdgeZoneOptions) {
    const { snapshot, readyBytesMax, startMsMax } = options;
    const octetsMax = readyBytesMax / 4;
    const compiler = new RulesCompiler(context.loadExpressionEngine, {
      octetsMax,
      tooLarge: () =>
        new Error(
          `the regular expressions of the zone take more than ${octetsMax} octets, a quarter of edge_ready_bytes_max`,
        ),
    });
    this.#context = context;
    this.#logger = logger;
    this.#snapshot = snapshot;
    this.#startMsMax = startMsMax;
    this.#accounts = new EdgeAccounts(context, { compiler, logger, snapshot });
    this.#loaded = new LoadedEdgeZones(context, {
      accounts: this.#accounts,
      compiler,
      snapshot,
      readyBytesMax,
    });
    this.#changes = new ZoneChanges({
      zoneParts: new Set(["facts", "settings", "rules", "certificates", "records"]),
      accountParts: new Set(["rules"]),
      read: (changed) => this.#readInTime(changed),
      onFailure: (error) => {
        this.#isAway = true;
        this.#fallBehind(error);
      },
    });
  }

  get installation(): Installation {
    return this.#installation;
  }

  get size(): number {
    return this.#loaded.size + this.#unread.size;
  }

  get unreadSize(): number {
    return this.#unread.size;
  }

  /** Zones whose rules are ready to run. */
  get readySize(): number {
    return this.#loaded.readySize;
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
    return this.isUnread(hostname) ? undefined : this.#authority.inChargeOf(hostname);
  }

  named(hostname: string): Pick<EdgeZone, "id" | "accountId"> | undefined {
    return this.#unreadEnclosing(hostname) ?? this.enclosing(hostname);
  }

  isUnread(hostname: string): boolean {
    return this.#unreadEnclosing(hostname) !== undefined;
  }

  readUnread(hostname: string): Promise<boolean> | undefined {
    const zone = this.#unreadEnclosing(hostname);
    if (zone === undefined) return undefined;
    return this.#unread.read(zone.name).then(
      () => true,
      () => false,
    );
  }

  /** The unread zone that has to be read before it is known which zone answers for a name. */
  #unreadEnclosing(hostname: string): UnreadZone | undefined {
    if (this.#unread.size === 0) return undefined;
    let closest: UnreadZone | EdgeZone | undefined;
    let unread: UnreadZone | undefined;
    let areStrangers = false;
    for (let name: string | undefined = hostname; name !== undefined; name = parentOf(name)) {
      const loaded = this.#loaded.find(name);
      const one = loaded ?? this.#unread.at(name);
      if (one === undefined) continue;
      if (loaded === undefined) unread ??= this.#unread.at(name);
      closest ??= one;
      areStrangers ||= one.accountId !== closest.accountId;
    }
    // Zones of one account have no say in those below.
    return areStrangers || closest === unread ? unread : undefined;
  }

  hold(zone: EdgeZone): HeldZone | Promise<HeldZone> {
    return this.#loaded.hold(zone);
  }

  /**
   * Lists all zones, and follows their changes. Resolves when they have been read, or after `startMsMax`; the rest is
   * read meanwhile. Throws what the store throws, unless there is a snapshot.
   */
  async start(): Promise<void> {
    this.#context.db.onChange((changes) => this.#changes.add(changes));
    this.#changes.add(undefined);
    await this.#listAll();
    this.#confirming = setInterval(() => this.#confirm(), confirmMs).unref();
    this.#changes.follow();
    const waiting = new AbortController();
    const late = delay(this.#startMsMax, undefined, waiting).catch(() => undefined);
    await Promise.race([this.#readingUnread, late]);
    waiting.abort();
  }

  /** Compiles the zones whose Core Rule Set is no longer the one in force. */
  compileAgain(): void {
    this.#changes.add(undefined);
  }

  async #listAll(): Promise<void> {
    try {
      await this.#changes.catchUp();
    } catch (error) {
      if (this.#snapshot === undefined) throw error;
      this.#behindSince = await restoreAll(this.#snapshot, {
        installation: (kept) => (this.#installation = kept.open("installation") as Installation),
        account: (id, kept) => this.#accounts.restore(id, kept),
        zone: (id, kept) => this.#addEarlier(openListed(id, kept), kept),
        away: error,
        logger: this.#logger,
      });
      this.#changes.fail(error);
      this.#readUnread();
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#confirming);
    await this.#changes.stop();
    this.#unread.clear();
    await this.#readingUnread;
    this.#confirm();
    await this.#snapshot?.close();
  }

  #confirm(): void {
    if (this.#isComplete && this.#behindSince === undefined) this.#snapshot?.confirm(this.#context.now());
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
  async #readInTime(changed: ChangedZones | undefined): Promise<void> {
    const began = this.#context.now();
    const late = setTimeout(() => {
      if (this.#isComplete) this.#fallBehind(new Error("the store takes too long to answer"), began);
    }, answerMs).unref();
    try {
      await this.#readZones(changed);
    } finally {
      clearTimeout(late);
    }
  }

  async #readZones(changed: ChangedZones | undefined): Promise<void> {
    const { read } = this.#context.db;
    const found = await listZones(read, changed);
    await this.#readInstallation(read);
    this.#isAway = false;
    const served = new Set(found.map(({ id }) => id));
    for (const id of changed?.ids ?? [...this.#loaded.ids, ...this.#unread.ids]) {
      if (!served.has(id)) this.#remove(id);
    }
    const pass = new Pass(read, this.#accounts);
    await eachAtOnce(found, 1, (listed) => this.#addOrFollow(listed, pass));
    if (!this.#isComplete) this.#readUnread();
    else if (changed === undefined) this.#accounts.keepOnly(this.#loaded.accountIds);
    if (this.#behindSince !== undefined) this.#logger.info("the edge serves what the store says again");
    this.#behindSince = undefined;
    this.#toldMs = -tellMs;
  }

  #remove(id: string): void {
    const forget = (): void => {
      this.#loaded.remove(id);
      this.#stale.delete(id);
    };
    this.#unread.remove(id, forget);
    forget();
  }

  async #addOrFollow(listed: ListedZone, pass: Pass): Promise<void> {
    const { id, name, accountId } = listed;
    const isRead = this.#isComplete || (this.#loaded.has(id) && !this.#unread.hasId(id));
    if (isRead) await this.#followAsFarAsPossible(listed, pass);
    else this.#unread.add({ id, name, accountId, read: () => this.#readFirst(listed, pass) });
  }

  /** Begins to read what is unread, unless it has begun. */
  #readUnread(): void {
    this.#readingUnread ??= this.#readAllUnread();
  }

  async #readAllUnread(): Promise<void> {
    try {
      await this.#unread.readAll(zonesAtOnce);
    } catch {
      // What remains unread is read once the store has listed the zones again.
      return;
    } finally {
      this.#readingUnread = undefined;
    }
    if (this.#unread.size > 0) this.#readUnread();
    else if (!this.#isAway && !this.#changes.isStopped) this.#complete();
  }

  /** While the store is away, a zone is served as an earlier process kept it. Throws where that has nothing of it. */
  async #readFirst(listed: ListedZone, pass: Pass): Promise<void> {
    if (!this.#isAway) {
      try {
        return await this.#followAsFarAsPossible(listed, pass);
      } catch (error) {
        this.#changes.fail(error);
      }
    }
    await this.#serveEarlier(listed);
    const { id, name } = listed;
    if (!this.#loaded.has(id)) throw new Error(`the store is away, and nothing was kept of ${name}`);
  }

  /** Forgets what belongs to no zone, once all have been read. */
  #complete(): void {
    this.#accounts.keepOnly(this.#loaded.accountIds);
    if (this.#isComplete) return;
    this.#isComplete = true;
    this.#earlier = undefined;
    this.#unusable.clear();
    this.#snapshot?.tidy((key) => this.#isKept(key));
    this.#snapshot?.confirm(this.#context.now());
  }

  #isKept(key: string): boolean {
    return key === "installation" || this.#loaded.isKept(key) || this.#accounts.isKept(key);
  }

  /** A zone that cannot be read or compiled stays as it was. Throws where the store is away. */
  async #followAsFarAsPossible(listed: ListedZone, pass: Pass): Promise<void> {
    const { id, name } = listed;
    try {
      await this.#loaded.follow(listed, pass);
      this.#stale.delete(id);
    } catch (error) {
      if (asUnavailable(error) !== undefined) throw error;
      const message = "a zone cannot be read or compiled, and is served as it was";
      this.#logger.error({ err: error, zone: name }, message);
      if (!this.#loaded.has(id) && !this.#isComplete) await this.#serveEarlier(listed);
      if (this.#loaded.has(id)) this.#stale.add(id);
    }
  }

  /** Adds a zone that is to be served as an earlier process kept it. */
  #addEarlier({ id, name, accountId }: ListedZone, kept: KeptSnapshot): void {
    this.#earlier = Promise.resolve(kept);
    this.#unread.add({ id, name, accountId, read: () => this.#serveEarlier({ id, name, accountId }) });
  }

  /** Serves a zone as an earlier process kept it. */
  async #serveEarlier({ id, name, accountId }: Pick<ListedZone, "id" | "name" | "accountId">): Promise<void> {
    try {
      const kept = await (this.#earlier ??= this.#snapshot?.read());
      if (kept?.keys.has(`zone/${id}`) !== true || this.#unusable.has(id)) return;
      if (this.#accounts.get(accountId) === undefined) await this.#accounts.restore(accountId, kept);
      await this.#loaded.restore(id, kept);
    } catch (error) {
      this.#unusable.add(id);
      this.#logger.error({ err: error, zone: name }, "what was kept of the zone cannot be served either");
    }
  }

  async #readInstallation(read: Db): Promise<void> {
    const found = await readInstallation(read);
    if (JSON.stringify(found) === JSON.stringify(this.#installation)) return;
    this.#installation = found;
    this.#snapshot?.put("installation", found);
  }
}
