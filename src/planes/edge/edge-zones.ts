import type { Logger } from "pino";

import { NameAuthority } from "../../core/dns/names/name-authority.ts";
import type { EdgeZone, EdgeZones, HeldZone } from "../../edge/zones/edge-zone.ts";
import { listZones, RulesCompiler, type NamedZone } from "../../resources/zone-documents/zone-documents.ts";
import type { Changes } from "../../storage/changes.ts";
import { asUnavailable } from "../../storage/errors.ts";
import type { ActiveZones } from "../active-zones.ts";
import { Follower, type ChangedIds } from "../follower.ts";
import { EdgeAccounts } from "./edge-accounts.ts";
import { readInstallation, unknownInstallation, type Installation } from "./edge-installation.ts";
import type { EdgeSnapshot } from "./edge-snapshot.ts";
import { EdgeZoneReader, octetsOfZone, type EdgeZoneContext, type LoadedZone } from "./edge-zone-reader.ts";
import { ReadyZones } from "./ready-zones.ts";
import { SnapshotCopy } from "./snapshot-copy.ts";

/** Milliseconds between two log lines about the same error. */
const tellMs = 60_000;
/** Milliseconds after which what was not read yet is said to be missing. */
const answerMs = 5_000;
/** Milliseconds between two notes on disk that what is served equals the store. */
const confirmMs = 5_000;

interface EdgeZoneOptions {
  readonly snapshot?: EdgeSnapshot | undefined;
  /** Whether all zones are kept in the snapshot, as usual; else another thread does that. */
  readonly copiesAll?: boolean;
  /** Rules of all zones that are ready to run. */
  readonly readyBytesMax: number;
  /** Zones with their names that are held in memory; their accounts may take a quarter as much besides. */
  readonly zonesBytesMax: number;
}

/**
 * The active zones as edges serve them. A zone is read when a visitor asks for it, and is held and follows the
 * store until it has to make room. A changed zone is read and compiled aside, and then replaces the one that is
 * served. If only its account has changed, the account is read once for all of its zones; ready zones are compiled
 * again at once, others at their next request. While the store is not available, and where a zone cannot be read or
 * compiled, the last version stays in service. With a `snapshot` all zones are kept on disk too, and read from
 * there.
 */
export class ServedEdgeZones implements EdgeZones {
  readonly #context: EdgeZoneContext;
  readonly #logger: Logger;
  readonly #index: ActiveZones;
  readonly #accounts: EdgeAccounts;
  readonly #ready: ReadyZones;
  readonly #reader: EdgeZoneReader;
  readonly #follower: Follower<LoadedZone>;
  readonly #authority = new NameAuthority<EdgeZone>((name) => this.#zoneAt(name));
  readonly #snapshot: EdgeSnapshot | undefined;
  readonly #copy: SnapshotCopy | undefined = undefined;
  #installation = unknownInstallation;
  #isInstallationRead = false;
  /** A zone that has to be read before it is known who answers for the name that was looked up last. */
  #cold: NamedZone | undefined;
  /** Zones that are served in an earlier version. */
  readonly #stale = new Set<string>();
  /** Whether the store failed at its last reading. */
  #isAway = false;
  #confirming: NodeJS.Timeout | undefined;
  #behindSince: Date | undefined;
  #toldMs = -tellMs;

  constructor(context: EdgeZoneContext, index: ActiveZones, logger: Logger, options: EdgeZoneOptions) {
    const { snapshot, copiesAll = true, readyBytesMax, zonesBytesMax } = options;
    const octetsMax = readyBytesMax / 4;
    const compiler = new RulesCompiler(context.loadExpressionEngine, {
      octetsMax,
      tooLarge: () =>
        new Error(
          `the regular expressions of the zone take more than ${octetsMax} octets, a quarter of edge_ready_bytes_max`,
        ),
    });
    this.#context = context;
    this.#index = index;
    this.#logger = logger;
    this.#snapshot = snapshot;
    this.#ready = new ReadyZones(readyBytesMax);
    this.#accounts = new EdgeAccounts(context, {
      compiler,
      logger,
      snapshot,
      octetsMax: zonesBytesMax / 4,
      dropped: (id) => {
        for (const zoneId of this.#follower.heldIds(id)) this.#follower.drop(zoneId);
      },
    });
    this.#reader = new EdgeZoneReader(context, {
      accounts: this.#accounts,
      compiler,
      ready: this.#ready,
      snapshot,
    });
    this.#follower = new Follower(index, context.db, {
      zoneParts: new Set(["facts", "settings", "rules", "certificates", "records"]),
      accountParts: new Set(["rules"]),
      octetsMax: zonesBytesMax,
      octetsOf: octetsOfZone,
      read: (zone) => this.#read(zone),
      follow: (changed) => this.#followInTime(changed),
      dropped: ({ zone }) => this.#ready.drop(zone),
      onFailure: (error) => this.#fallBehind(error),
    });
    index.onLeave(({ id }) => this.#stale.delete(id));
    index.onFailure((error) => this.#follower.fail(error));
    if (snapshot === undefined || !copiesAll) return;
    this.#copy = new SnapshotCopy({
      snapshot,
      db: context.db,
      index,
      reader: this.#reader,
      accounts: this.#accounts,
      logger,
      onUnusable: (id) => this.#noteStale(id),
    });
  }

  get installation(): Installation {
    return this.#installation;
  }

  get size(): number {
    return this.#index.size;
  }

  /** Zones that are not held in memory. */
  get unreadSize(): number {
    return this.#index.size - this.#follower.size;
  }

  /** Memory of those that are, as it is estimated. */
  get octets(): number {
    return this.#follower.octets;
  }

  /** Zones of which the snapshot does not have what the store has; undefined without a snapshot. */
  get unkeptSize(): number | undefined {
    return this.#copy?.missing;
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
    this.#cold = undefined;
    const zone = this.#authority.inChargeOf(hostname);
    return this.#cold === undefined ? zone : undefined;
  }

  named(hostname: string): Pick<EdgeZone, "id" | "accountId"> | undefined {
    const zone = this.enclosing(hostname);
    return this.#cold ?? zone;
  }

  isUnread(hostname: string): boolean {
    this.enclosing(hostname);
    return this.#cold !== undefined;
  }

  readUnread(hostname: string): Promise<boolean> | undefined {
    this.enclosing(hostname);
    if (this.#cold === undefined) return undefined;
    return this.#follower.read(this.#cold).then(
      () => true,
      () => false,
    );
  }

  #zoneAt(name: string): EdgeZone | undefined {
    const zone = this.#index.at(name);
    if (zone === undefined) return undefined;
    const held = this.#follower.use(zone.id);
    if (held === undefined) this.#cold ??= zone;
    return held?.zone;
  }

  hold(zone: EdgeZone): HeldZone | Promise<HeldZone> {
    // Of accounts too, those that nobody asks for make room.
    this.#accounts.get(zone.accountId);
    return this.#ready.hold(zone);
  }

  /** Follows the zones of the index from now on. Throws what the store throws, unless there is a snapshot. */
  async start(): Promise<void> {
    try {
      await this.#index.start();
      await this.#readInstallation();
    } catch (error) {
      await this.#startWithout(error);
    }
    // Failures of encrypting or writing are logged with the rest.
    this.#context.db.onChange((changes) => this.#noteInstallation(changes));
    this.#follower.start();
    if (this.#snapshot === undefined) return;
    void this.#copy?.run();
    this.#confirming = setInterval(() => void this.#confirm(), confirmMs).unref();
  }

  /** Compiles the zones whose Core Rule Set is no longer the one in force. */
  compileAgain(): void {
    this.#follower.again();
  }

  async stop(): Promise<void> {
    clearInterval(this.#confirming);
    await this.#follower.stop();
    await this.#copy?.stop();
    if (this.#copy !== undefined) await this.#confirm();
    this.#snapshot?.close();
  }

  /** Starts with what an earlier process kept. Throws where that is nothing. */
  async #startWithout(away: unknown): Promise<void> {
    if (this.#snapshot === undefined || asUnavailable(away) === undefined) throw away;
    const because = (failure: unknown): Error =>
      new Error(
        `the store is away (${messageOf(away)}), and the snapshot cannot be read: ${messageOf(failure)}`,
        { cause: away },
      );
    let zones: readonly NamedZone[];
    try {
      zones = this.#snapshot.zones();
      const kept = this.#snapshot.find("installation", "");
      if (kept !== undefined) this.#installation = kept.value as Installation;
    } catch (error) {
      throw because(error);
    }
    if (zones.length === 0) throw away;
    this.#behindSince = this.#snapshot.asOf;
    this.#fallBehind(away);
    this.#index.restore(zones, away);
  }

  async #confirm(): Promise<void> {
    if (this.#snapshot === undefined) return;
    try {
      // The file may have been deleted, and is written again.
      if (!this.#snapshot.isThere()) {
        this.#snapshot.close();
        this.#copy?.compareAgain();
        this.#isInstallationRead = false;
      }
      if (this.#behindSince !== undefined || this.#copy === undefined) return;
      if (!this.#isInstallationRead) await this.#readInstallation();
      await this.#copy.run();
      if (this.#copy.isComplete) await this.#snapshot.confirm(this.#context.now());
    } catch (error) {
      this.#snapshot.failed(error);
    }
  }

  /** `since`: when what is served was last known to equal the store. */
  #fallBehind(error: unknown, since = this.#context.now()): void {
    this.#isAway = true;
    const now = this.#context.now();
    this.#behindSince ??= since;
    if (now.getTime() - this.#toldMs < tellMs) return;
    this.#toldMs = now.getTime();
    this.#logger.error(
      { err: error, since: this.#behindSince },
      "the store is away: the edge serves what it read last",
    );
  }

  /** Follows changes in a store that may be cut off, and then leaves questions without an answer for a long time. */
  async #followInTime(changed: ChangedIds | undefined): Promise<void> {
    const began = this.#context.now();
    const late = setTimeout(
      () => this.#fallBehind(new Error("the store takes too long to answer"), began),
      answerMs,
    ).unref();
    try {
      await this.#follow(changed);
    } finally {
      clearTimeout(late);
    }
  }

  async #follow(changed: ChangedIds | undefined): Promise<void> {
    const { read } = this.#context.db;
    if (changed === undefined || !this.#isInstallationRead) await this.#readInstallation();
    if (changed === undefined) this.#copy?.compareAgain();
    else this.#copy?.changed(changed.ids);
    const accountIds = changed?.accountIds ?? (await this.#accounts.changed());
    for (const id of accountIds) await this.#followAccount(id);
    const isHeld = (id: string): boolean => this.#follower.peek(id) !== undefined;
    const ids = changed?.ids.filter(isHeld) ?? this.#follower.heldIds();
    const listed = ids.length === 0 ? [] : await listZones(read, ids);
    for (const one of listed) {
      const held = this.#follower.peek(one.id);
      if (held !== undefined) await this.#renew(one, held, () => this.#reader.follow(one, held));
    }
    for (const id of accountIds.flatMap((accountId) => this.#follower.heldIds(accountId))) {
      const held = this.#follower.peek(id);
      if (held !== undefined) await this.#renew(held.listed, held, () => this.#reader.refresh(held));
    }
    if (this.#index.behindSince !== undefined) return;
    if (this.#behindSince !== undefined) this.#logger.info("the edge serves what the store says again");
    this.#isAway = false;
    this.#behindSince = undefined;
    this.#toldMs = -tellMs;
    void this.#copy?.run();
  }

  /** Reads an account that is held, or kept. */
  async #followAccount(id: string): Promise<void> {
    const isKept = (): boolean => this.#snapshot?.versions("account", [id]).size === 1;
    if (this.#accounts.get(id) !== undefined || isKept()) await this.#accounts.read(id);
  }

  /**
   * Puts a later version of a zone in the place of the one that is held, which stays where that cannot be read or
   * compiled.
   */
  async #renew(
    { id, name }: NamedZone,
    held: LoadedZone,
    read: () => Promise<LoadedZone | undefined>,
  ): Promise<void> {
    try {
      const renewed = await read();
      this.#stale.delete(id);
      // The zone may have had to make room meanwhile.
      if (this.#follower.peek(id) !== held) {
        if (renewed !== undefined && renewed !== held) this.#ready.drop(renewed.zone);
        return;
      }
      if (renewed === held) this.#follower.weigh(id);
      else if (renewed !== undefined) this.#follower.replace(id, renewed);
      if (renewed?.names.areKept === true) this.#copy?.kept(id);
    } catch (error) {
      if (asUnavailable(error) !== undefined) throw error;
      const message = "a zone cannot be read or compiled, and is served as it was";
      this.#logger.error({ err: error, zone: name }, message);
      this.#noteStale(id);
    }
  }

  /** Reads a zone that is not held: from the snapshot, where that has it as the store does, or the store is away. */
  async #read(zone: NamedZone): Promise<LoadedZone | undefined> {
    const { id, name } = zone;
    if (this.#isAway || this.#copy?.isFresh(id) === true) {
      const kept = await this.#restore(zone);
      if (kept !== undefined) return kept;
      if (this.#isAway) throw new Error(`the store is away, and nothing was kept of ${name}`);
    }
    try {
      const read = await this.#reader.read(zone);
      this.#stale.delete(id);
      if (read?.names.areKept === true) this.#copy?.kept(id);
      return read;
    } catch (error) {
      const isAway = asUnavailable(error) !== undefined;
      if (isAway) this.#follower.fail(error);
      else this.#logger.error({ err: error, zone: name }, "a zone cannot be read or compiled");
      const kept = await this.#restore(zone);
      if (kept === undefined) throw error;
      if (!isAway) this.#noteStale(id);
      return kept;
    }
  }

  /** Unless it has left meanwhile. */
  #noteStale(id: string): void {
    if (this.#index.withId(id) !== undefined) this.#stale.add(id);
  }

  /** A zone as it was kept; undefined where it was not, or cannot be served as it was. */
  async #restore(zone: NamedZone): Promise<LoadedZone | undefined> {
    try {
      return await this.#reader.restore(zone);
    } catch (error) {
      const message = "what was kept of the zone cannot be served";
      this.#logger.error({ err: error, zone: zone.name }, message);
      return undefined;
    }
  }

  #noteInstallation(changes: Changes | undefined): void {
    const isOfCertificates = changes?.zones.values().some((parts) => parts.has("certificates")) === true;
    if (changes !== undefined && !changes.isOfAccess && !isOfCertificates) return;
    this.#readInstallation().catch((error: unknown) => this.#follower.fail(error));
  }

  async #readInstallation(): Promise<void> {
    const found = await readInstallation(this.#context.db.read);
    const isNew = JSON.stringify(found) !== JSON.stringify(this.#installation);
    this.#installation = found;
    if (isNew || !this.#isInstallationRead)
      await this.#snapshot
        ?.put("installation", "", "", found)
        .catch((error: unknown) => this.#snapshot?.failed(error));
    this.#isInstallationRead = true;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
