import { setImmediate as nextTurn } from "node:timers/promises";

import { edgeSets, type EdgeSets, type ServingRules } from "../../core/dns/served/record-sets.ts";
import { ZoneIndex } from "../../core/dns/served/zone-index.ts";
import { ZoneView } from "../../core/dns/served/zone-view.ts";
import type { ZoneSigning } from "../../core/dns/dnssec/zone-signer.ts";
import { FairQueue } from "../../core/fair-queue.ts";
import type { Log } from "../../name-server/responder.ts";
import { findJournal } from "../../resources/dns-serving/journal.ts";
import {
  findChangedNames,
  findServedZones,
  findVersionedRecordsAt,
  readDelegations,
  streamRecordsByName,
  type RecordsByName,
  type ServedZone,
} from "../../resources/dns-serving/dns-serving.ts";
import { signingOf } from "../../resources/dnssec/dnssec.ts";
import { sha1 } from "../../resources/dnssec/p256.ts";
import type { ZoneContext } from "../../resources/zones/zones.ts";
import { SecretKeyError, type SecretBox } from "../../secrets/secret-box.ts";
import type { ChangedZones } from "../../storage/changes.ts";
import type { Database } from "../../storage/database.ts";
import { ZoneChanges } from "../zone-changes.ts";

interface Loaded {
  readonly zone: ServedZone;
  readonly view: ZoneView;
  /** The generation of reads that it belongs to. */
  readonly generation: number;
}

/** A zone that is being read whole. Each step of the generator reads a portion. */
interface Load {
  readonly zone: ServedZone;
  readonly portions: AsyncGenerator<void, void, undefined>;
}

/** The context for reading zones from the store. */
interface ServingContext extends Pick<ZoneContext, "settings"> {
  readonly db: Pick<Database, "read" | "onChange">;
  readonly secretBox: SecretBox;
}

const retryMs = 400;
/** After so many attempts to read a zone that keeps changing, it is served as last read. */
const attemptsMax = 5;

/**
 * The active zones in memory, kept up to date with the store. After a change of records only the changed
 * names are read; a zone that is new, or of which too much changed, is read whole, in portions for which accounts take
 * turns, concurrently with the changes of others. While the store is not available, what was read last stays in service.
 */
export class ServedZones {
  readonly index = new ZoneIndex();
  readonly #context: ServingContext;
  readonly #edge: EdgeSets;
  readonly #edgeWithoutIpv6: EdgeSets;
  readonly #logger: Pick<Log, "error">;
  readonly #loaded = new Map<string, Loaded>();
  /** The names of all active zones, by id. */
  readonly #names = new Map<string, string>();
  readonly #idOf = new WeakMap<ZoneView, string>();
  readonly #exact = new WeakSet<ZoneView>();
  /** Ids of zones that are being read whole. */
  readonly #loading = new Set<string>();
  readonly #waiting = new FairQueue<Load>();
  readonly #changes: ZoneChanges;
  /** The reads of whole zones in progress. */
  #loads: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isComplete = false;
  #generation = 0;

  constructor(context: ServingContext, edgeAddresses: readonly string[], logger: Pick<Log, "error">) {
    this.#context = context;
    this.#edge = edgeSets(edgeAddresses);
    this.#edgeWithoutIpv6 = { ...this.#edge, ipv6: undefined };
    this.#logger = logger;
    this.#changes = new ZoneChanges({
      zoneParts: new Set(["facts", "settings", "records", "transfers"]),
      accountParts: new Set(["dns"]),
      read: (changed) => this.#readZones(changed),
      onFailure: (error) => logger.error({ err: error }, "the name server serves what it read last"),
    });
  }

  /** Whether every zone has been read once. Until then nobody can say that a name is in none. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** The zone that answers for a folded name, and its account. */
  zoneOf(name: string): { readonly id: string; readonly accountId: string } | undefined {
    const view = this.index.enclosing(name, false);
    const id = view && this.#idOf.get(view);
    return id === undefined ? undefined : { id, accountId: view?.accountId ?? "" };
  }

  /** The id of a zone of the index. */
  idOfView(view: ZoneView): string | undefined {
    return this.#idOf.get(view);
  }

  /** The zone with this id, if it is served and not being read. */
  exactView(id: string): ZoneView | undefined {
    const view = this.#loaded.get(id)?.view;
    return view !== undefined && this.isExact(view) && this.isInCharge(view) ? view : undefined;
  }

  /** Whether a zone answers for its own name: those above it have a say in that. */
  isInCharge(view: ZoneView): boolean {
    return this.index.enclosing(view.name, false) === view;
  }

  /** Whether the zone has exactly the records that it had with its serial. */
  isExact(view: ZoneView): boolean {
    return this.#exact.has(view);
  }

  /** Reads all zones, then follows their changes. Throws what the store throws. */
  async start(): Promise<void> {
    this.#context.db.onChange((changes) => this.#changes.add(changes));
    await this.read();
    this.#isComplete = true;
    this.#changes.follow();
  }

  /** Reads all zones. Throws what the store throws. */
  async read(): Promise<void> {
    this.#changes.add(undefined);
    await this.#changes.catchUp();
    await this.#loads;
  }

  /**
   * Reads all zones again, whatever their versions. Meanwhile, queries are answered from the previous read.
   */
  async reload(): Promise<void> {
    this.#generation += 1;
    this.#changes.add(undefined);
    while (this.#changes.running !== undefined) {
      await this.#changes.running;
      await this.#loads;
    }
  }

  async stop(): Promise<void> {
    clearTimeout(this.#retry);
    await this.#changes.stop();
    await this.#loads;
  }

  async #readZones(changed: ChangedZones | undefined): Promise<void> {
    const found = await findServedZones(this.#context, this.#context.db.read, changed);
    const served = new Set(found.map(({ id }) => id));
    for (const id of changed?.ids ?? [...this.#names.keys()]) if (!served.has(id)) this.#remove(id);
    // Who has a name is known before anything is answered for it, or for another below.
    for (const zone of found) await this.#claim(zone);
    for (const zone of found) if (zone.isHosted) await this.#follow(zone);
  }

  async #claim({ id, owner, isHosted }: ServedZone): Promise<void> {
    if (!isHosted) this.#remove(id);
    const delegations = isHosted ? undefined : await readDelegations(this.#context.db.read, id);
    this.index.claim(owner, delegations && ((name) => delegations.get(name) ?? []));
    this.#names.set(id, owner.name);
  }

  async #follow(zone: ServedZone): Promise<void> {
    if (this.#loading.has(zone.id)) return;
    if (!zone.isAvailable) {
      this.#withhold(zone);
      return;
    }
    const loaded = this.#loaded.get(zone.id);
    const isKnown = loaded?.view.isAvailable === true && loaded.generation === this.#generation;
    if (!isKnown || !isAlike(loaded.zone, zone)) {
      this.#load(zone);
      return;
    }
    const { view } = loaded;
    let current = zone;
    for (let attempt = 1; ; attempt += 1) {
      const { recordsVersion } = loaded.zone;
      if (recordsVersion === current.recordsVersion) break;
      const db = this.#context.db.read;
      const names = await findChangedNames(db, current.id, recordsVersion, current.recordsVersion);
      if (names === undefined) {
        this.#load(current);
        return;
      }
      const { records, version } = await findVersionedRecordsAt(db, current, names);
      // Records that changed during the read may be included: then the zone would not match its serial.
      const [after] =
        version === current.recordsVersion
          ? [current]
          : await findServedZones(this.#context, db, { ids: [current.id], accountIds: [] });
      if (after === undefined || !isAlike(after, current)) {
        this.#changes.addZone(current.id);
        return;
      }
      const isSame = after.recordsVersion === current.recordsVersion;
      if (!isSame && attempt < attemptsMax) {
        current = after;
        continue;
      }
      for (const [name, its] of records) view.setRecords(name, its);
      if (isSame) break;
      this.#exact.delete(view);
      this.#changes.addZone(current.id);
      view.changeApex(current.apex, this.#signingOf(current));
      this.#loaded.set(current.id, { ...loaded, zone: current });
      return;
    }
    view.changeApex(current.apex, this.#signingOf(current));
    this.#loaded.set(current.id, { ...loaded, zone: current });
    if (this.#exact.has(view)) return;
    await this.#beginJournal(current, view);
    this.#exact.add(view);
  }

  /** Begins the journal of a view, which is at the serial of the zone, with the changes that are stored. */
  async #beginJournal(zone: ServedZone, view: ZoneView): Promise<void> {
    const db = this.#context.db.read;
    const journal = zone.isTransferred ? await findJournal(db, zone) : undefined;
    const [after] =
      journal === undefined
        ? []
        : await findServedZones(this.#context, db, { ids: [zone.id], accountIds: [] });
    if (journal === undefined || after?.apex.serial !== zone.apex.serial) {
      view.beginJournal();
      return;
    }
    // Nobody sees these earlier states of the zone, as nothing is awaited here.
    const signing = this.#signingOf(zone);
    const show = (serial: number, records: RecordsByName): void => {
      for (const [name, its] of records) view.setRecords(name, its);
      view.changeApex({ ...zone.apex, serial }, signing);
    };
    show(journal.serial, journal.records);
    view.beginJournal();
    for (const { serial, records } of journal.changes) show(serial, records);
  }

  /**
   * Reads a whole zone; changes during the read are applied afterwards. A new zone answers SERVFAIL until then, as we are
   * already authoritative for it.
   */
  #load(zone: ServedZone): void {
    this.#loading.add(zone.id);
    if (this.#isComplete && !this.#loaded.has(zone.id)) this.#withhold(zone);
    this.#waiting.add(zone.owner.accountId, { zone, portions: this.#read(zone) });
    this.#loads ??= this.#readWaiting().finally(() => (this.#loads = undefined));
    // Whoever waits for them gets the error.
    this.#loads.catch(() => undefined);
  }

  /** Reads a portion of one zone after another. Throws what the store throws, until all zones have been read once. */
  async #readWaiting(): Promise<void> {
    try {
      for (let load = this.#waiting.take(); load !== undefined; load = this.#waiting.take()) {
        const isOver = await this.#readPortion(load);
        if (isOver || this.#changes.isStopped) this.#loading.delete(load.zone.id);
        else this.#waiting.add(load.zone.owner.accountId, load);
      }
    } finally {
      for (const { zone } of this.#waiting.clear()) this.#loading.delete(zone.id);
    }
  }

  /** Whether nothing of the zone is left to be read. */
  async #readPortion({ zone, portions }: Load): Promise<boolean> {
    try {
      return (await portions.next()).done === true;
    } catch (error) {
      const lacksKey = error instanceof SecretKeyError;
      if (!this.#isComplete && !lacksKey) {
        this.#loading.delete(zone.id);
        throw error;
      }
      if (!this.#changes.isStopped)
        this.#logger.error({ err: error, zone: zone.apex.name }, "a zone cannot be read");
      // Without its keys, a zone that ought to be signed is not answered.
      if (lacksKey && this.#names.has(zone.id)) this.#withhold(zone);
      else this.#retry = setTimeout(() => this.#changes.addZone(zone.id), retryMs).unref();
      return true;
    }
  }

  /** Yields after each portion of records. */
  async *#read(zone: ServedZone): AsyncGenerator<void, void, undefined> {
    const generation = this.#generation;
    const view = new ZoneView(zone.apex, this.#rulesOf(zone), this.#signingOf(zone));
    for await (const records of streamRecordsByName(this.#context.db.read, zone)) {
      for (const [name, its] of records) view.setRecords(name, its);
      // Queries are answered between two portions.
      await nextTurn();
      yield;
    }
    for (const _ of view.link()) {
      await nextTurn();
      yield;
    }
    if (this.#names.has(zone.id)) this.#put(zone, view, generation);
    this.#loading.delete(zone.id);
    this.#changes.addZone(zone.id);
  }

  /** Answers SERVFAIL for the zone from now on. */
  #withhold(zone: ServedZone): void {
    const view = new ZoneView(zone.apex, this.#rulesOf(zone));
    view.isAvailable = false;
    this.#put(zone, view, this.#generation);
  }

  #put(zone: ServedZone, view: ZoneView, generation: number): void {
    this.#loaded.set(zone.id, { zone, view, generation });
    this.#idOf.set(view, zone.id);
    this.index.set(view, zone.id);
  }

  #rulesOf({
    owner: { accountId },
    isProxying,
    hasIpv6,
    flattensAll,
    dnsSettings,
    isSecondary,
    isPresigned,
  }: ServedZone): ServingRules {
    const edge = hasIpv6 ? this.#edge : this.#edgeWithoutIpv6;
    const isMultiProvider = isSecondary || dnsSettings.multi_provider;
    return {
      accountId,
      edge: isProxying ? edge : undefined,
      flattensAll,
      isMultiProvider,
      presigned: isPresigned ? { sha1 } : undefined,
    };
  }

  #signingOf({ id, signedWith }: ServedZone): ZoneSigning | undefined {
    const before = this.#loaded.get(id)?.view.signer?.signing;
    return signedWith && signingOf(this.#context.secretBox, signedWith, before);
  }

  #remove(id: string): void {
    this.#loaded.delete(id);
    const name = this.#names.get(id);
    if (name === undefined) return;
    this.#names.delete(id);
    this.index.delete(name, id);
  }
}

/** Whether both answer the same for the same records. */
function isAlike(one: ServedZone, other: ServedZone): boolean {
  return (
    one.apex.name === other.apex.name &&
    one.isProxying === other.isProxying &&
    JSON.stringify(one.dnsSettings) === JSON.stringify(other.dnsSettings) &&
    one.flattensAll === other.flattensAll &&
    one.hasIpv6 === other.hasIpv6 &&
    one.isSecondary === other.isSecondary &&
    one.isPresigned === other.isPresigned &&
    one.signedWith?.zone_signing_public_key === other.signedWith?.zone_signing_public_key &&
    one.signedWith?.use_nsec3 === other.signedWith?.use_nsec3 &&
    one.signedWith?.multi_signer === other.signedWith?.multi_signer
  );
}
