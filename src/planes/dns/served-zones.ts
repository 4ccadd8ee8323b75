import { setImmediate as nextTurn } from "node:timers/promises";

import { edgeSets, type EdgeSets, type ServingRules } from "../../core/dns/served/record-sets.ts";
import { ZoneIndex } from "../../core/dns/served/zone-index.ts";
import { ZoneView } from "../../core/dns/served/zone-view.ts";
import type { ZoneSigning } from "../../core/dns/dnssec/zone-signer.ts";
import { countLabels } from "../../core/dns/wire/names.ts";
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
import type { Database } from "../../storage/database.ts";
import type { NamedZone } from "../../resources/zone-documents/zone-documents.ts";
import type { ActiveZones } from "../active-zones.ts";
import { Follower, type ChangedIds } from "../follower.ts";

interface HeldZone {
  zone: ServedZone;
  /** Undefined for a zone that other name servers answer for. */
  readonly view: ZoneView | undefined;
}

/** The context for reading zones from the store. */
export interface ServingContext extends Pick<ZoneContext, "settings"> {
  readonly db: Pick<Database, "read" | "onChange">;
  readonly secretBox: SecretBox;
}

interface ServedZonesOptions {
  readonly edgeAddresses: readonly string[];
  /** Memory for the zones that are held. */
  readonly octetsMax: number;
}

const zonesAtOnce = 500;
/** After so many attempts to read a zone that keeps changing, it is served as last read. */
const attemptsMax = 5;
/** Memory of a zone without anything, and of a name with its records, as measured. */
const octetsOf = { zone: 4_000, name: 900 } as const;
/** Zones that are read for one name: those above it have a say in who answers for it. */
const readsMax = 16;
/** For a question about a zone that nobody asked for before. */
const answerMsMax = 2_000;
/** Questions of an account that may wait for its zones. */
const waitingOfAccountMax = 500;

/**
 * The active zones as the name server answers for them. A zone is read when it is asked for, in portions, and is
 * held and follows the store until it has to make room. After a change of records only the changed names are read;
 * a zone of which too much changed is read whole again. While the store is not available, what was read last stays
 * in service.
 */
export class ServedZones {
  readonly index: ZoneIndex;
  readonly #all: ActiveZones;
  readonly #context: ServingContext;
  readonly #edge: EdgeSets;
  readonly #edgeWithoutIpv6: EdgeSets;
  readonly #logger: Pick<Log, "error">;
  readonly #follower: Follower<HeldZone>;
  readonly #idOf = new WeakMap<ZoneView, string>();
  readonly #exact = new WeakSet<ZoneView>();
  readonly #waitingOf = new Map<string, number>();

  constructor(
    context: ServingContext,
    all: ActiveZones,
    logger: Pick<Log, "error">,
    { edgeAddresses, octetsMax }: ServedZonesOptions,
  ) {
    this.#context = context;
    this.#all = all;
    this.#edge = edgeSets(edgeAddresses);
    this.#edgeWithoutIpv6 = { ...this.#edge, ipv6: undefined };
    this.#logger = logger;
    this.#follower = new Follower(all, context.db, {
      zoneParts: new Set(["facts", "settings", "records", "transfers"]),
      accountParts: new Set(["dns"]),
      octetsMax,
      octetsOf: ({ view }) => octetsOf.zone + (view?.size ?? 0) * octetsOf.name,
      read: (zone) => this.#read(zone),
      follow: (changed) => this.#followAll(changed),
      dropped: (_held, { id, name }) => {
        if (this.#follower.peek(id) === undefined) this.index.delete(name, id);
      },
      onFailure: (error) => logger.error({ err: error }, "the name server serves what it read last"),
    });
    this.index = new ZoneIndex({
      coldAt: (name) => all.at(name),
      used: (id) => void this.#follower.use(id),
    });
    all.onEnter(({ name }) => this.index.expect(countLabels(name)));
    this.index.expect(all.labelsMax);
  }

  /** Whether the names of all zones are known. Until then nobody can say that a name is in none. */
  get isComplete(): boolean {
    return this.#all.isComplete;
  }

  /** Zones that are held in memory. */
  get size(): number {
    return this.#follower.size;
  }

  /** Memory of these, as it is estimated. */
  get octets(): number {
    return this.#follower.octets;
  }

  /** The zone that answers for a folded name, and its account; while that is not known, the closest one that may. */
  zoneOf(name: string): { readonly id: string; readonly accountId: string } | undefined {
    const view = this.index.enclosing(name, false);
    if (this.index.cold !== undefined) return this.index.cold;
    const id = view && this.#idOf.get(view);
    return id === undefined ? undefined : { id, accountId: view?.accountId ?? "" };
  }

  idOfView(view: ZoneView): string | undefined {
    return this.#idOf.get(view);
  }

  /** The zone with this id, if it is held and not being read; otherwise it is read, for the next time. */
  exactView(id: string): ZoneView | undefined {
    const zone = this.#all.withId(id);
    if (zone === undefined) return undefined;
    const inCharge = this.index.enclosing(zone.name, false);
    if (this.index.cold !== undefined) void this.readFor(zone.name).catch(() => undefined);
    const view = this.#follower.peek(id)?.view;
    return view !== undefined && this.isExact(view) && inCharge === view ? view : undefined;
  }

  /** Whether the zone has exactly the records that it had with its serial. */
  isExact(view: ZoneView): boolean {
    return this.#exact.has(view);
  }

  /**
   * Reads the zones that have to be known before it is clear which one answers for a folded name. Throws what reading
   * throws.
   */
  async readFor(name: string): Promise<void> {
    for (let reads = 0; reads < readsMax; reads += 1) {
      this.index.enclosing(name, false);
      const zone = this.index.cold;
      if (zone === undefined) return;
      await this.#follower.read(zone);
    }
  }

  /** Reads a zone, unless it is held. Throws what reading throws. */
  read(zone: NamedZone): Promise<void> {
    return this.#follower.read(zone);
  }

  /**
   * Reads a zone for a waiting question. Throws what reading throws, and where that takes too long or too many wait.
   */
  async readInTime(zone: NamedZone): Promise<void> {
    const { accountId, name } = zone;
    const waiting = this.#waitingOf.get(accountId) ?? 0;
    if (waiting >= waitingOfAccountMax) throw new Error(`too many questions wait for ${name}`);
    this.#waitingOf.set(accountId, waiting + 1);
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error(`${name} takes too long to read`)), answerMsMax);
    try {
      await Promise.race([this.#follower.read(zone), late.promise]);
    } finally {
      clearTimeout(timer);
      const left = (this.#waitingOf.get(accountId) ?? 1) - 1;
      if (left === 0) this.#waitingOf.delete(accountId);
      else this.#waitingOf.set(accountId, left);
    }
  }

  /** Takes the names of all zones, and follows changes from then on. Throws what the store throws. */
  async start(): Promise<void> {
    await this.#all.start();
    this.#follower.start();
  }

  /** Forgets what is held: the store has other content, whatever its versions are. */
  async reload(): Promise<void> {
    await this.#all.settled();
    for (const id of this.#follower.heldIds()) this.#follower.drop(id);
  }

  async stop(): Promise<void> {
    await this.#follower.stop();
  }

  async #followAll(changed: ChangedIds | undefined): Promise<void> {
    const ids = new Set(changed?.ids.filter((id) => this.#follower.peek(id) !== undefined));
    for (const accountId of changed?.accountIds ?? [])
      for (const id of this.#follower.heldIds(accountId)) ids.add(id);
    const all = changed === undefined ? this.#follower.heldIds() : [...ids];
    for (let from = 0; from < all.length; from += zonesAtOnce) {
      const portion = all.slice(from, from + zonesAtOnce);
      for (const zone of await this.#list(portion)) {
        const held = this.#follower.peek(zone.id);
        if (held === undefined) continue;
        await this.#claim(zone);
        await this.#follow(held, zone);
        this.#follower.weigh(zone.id);
      }
    }
  }

  async #list(ids: readonly string[]): Promise<readonly ServedZone[]> {
    return ids.length === 0
      ? []
      : findServedZones(this.#context, this.#context.db.read, { ids, accountIds: [] });
  }

  /** Notes who has a name, and what it delegates where other name servers answer for it. */
  async #claim({ id, owner, isHosted }: ServedZone): Promise<void> {
    const delegations = isHosted ? undefined : await readDelegations(this.#context.db.read, id);
    this.index.claim(owner, delegations && ((name) => delegations.get(name) ?? []));
  }

  /** Brings what is held of a zone up to date. One that has to be read whole stays as it is until it has been. */
  async #follow(held: HeldZone, zone: ServedZone): Promise<void> {
    const { view } = held;
    const isReadable = zone.isHosted && zone.isAvailable && view?.isAvailable === true;
    if (!isReadable || !isAlike(held.zone, zone)) {
      if (view?.isAvailable === true && !zone.isAvailable)
        this.#follower.replace(zone.id, await this.#show(this.#withheld(zone)));
      else if (zone.isHosted || view !== undefined) this.#follower.renew(zone.id);
      return;
    }
    let current = zone;
    for (let attempt = 1; ; attempt += 1) {
      const { recordsVersion } = held.zone;
      if (recordsVersion === current.recordsVersion) break;
      const db = this.#context.db.read;
      const names = await findChangedNames(db, current.id, recordsVersion, current.recordsVersion);
      if (names === undefined) return this.#follower.renew(current.id);
      const { records, version } = await findVersionedRecordsAt(db, current, names);
      // Records that changed during the read may be included: then the zone would not match its serial.
      const [after] = version === current.recordsVersion ? [current] : await this.#list([current.id]);
      if (after === undefined || !isAlike(after, current)) return this.#follower.again(current.id);
      const isSame = after.recordsVersion === current.recordsVersion;
      if (!isSame && attempt < attemptsMax) {
        current = after;
        continue;
      }
      for (const [name, its] of records) view.setRecords(name, its);
      if (isSame) break;
      this.#exact.delete(view);
      this.#follower.again(current.id);
      view.changeApex(current.apex, this.#signingOf(current));
      held.zone = current;
      return;
    }
    view.changeApex(current.apex, this.#signingOf(current));
    held.zone = current;
    if (this.#exact.has(view)) return;
    await this.#beginJournal(current, view);
    this.#exact.add(view);
  }

  /** Begins the journal of a view, which is at the serial of the zone, with the changes that are stored. */
  async #beginJournal(zone: ServedZone, view: ZoneView): Promise<void> {
    const db = this.#context.db.read;
    const journal = zone.isTransferred ? await findJournal(db, zone) : undefined;
    const [after] = journal === undefined ? [] : await this.#list([zone.id]);
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

  /** Reads a zone, and shows it. Undefined where there is none. Throws what the store throws. */
  async #read({ id }: NamedZone): Promise<HeldZone | undefined> {
    const [zone] = await this.#list([id]);
    if (zone === undefined) return undefined;
    if (!zone.isHosted) return this.#show({ zone, view: undefined });
    if (!zone.isAvailable) return this.#show(this.#withheld(zone));
    try {
      const view = await this.#readRecords(zone);
      const held: HeldZone = { zone, view };
      // Changes during the read are followed before anybody sees the zone.
      const [after] = await this.#list([id]);
      if (after === undefined) return undefined;
      await this.#follow(held, after);
      // Too much changed meanwhile: that is followed once the zone is held.
      if (!this.#exact.has(view)) this.#follower.again(id);
      return await this.#show(held);
    } catch (error) {
      if (!(error instanceof SecretKeyError)) throw error;
      this.#logger.error({ err: error, zone: zone.apex.name }, "a zone cannot be read");
      // Without its keys, a zone that ought to be signed is not answered.
      return this.#show(this.#withheld(zone));
    }
  }

  /** Questions are answered between two portions. */
  async #readRecords(zone: ServedZone): Promise<ZoneView> {
    const view = new ZoneView(zone.apex, this.#rulesOf(zone), this.#signingOf(zone));
    for await (const records of streamRecordsByName(this.#context.db.read, zone)) {
      for (const [name, its] of records) view.setRecords(name, its);
      await nextTurn();
    }
    for (const _ of view.link()) await nextTurn();
    return view;
  }

  /** The zone without records, for which SERVFAIL is answered. */
  #withheld(zone: ServedZone): HeldZone {
    const view = new ZoneView(zone.apex, this.#rulesOf(zone));
    view.isAvailable = false;
    return { zone, view };
  }

  /** Shows a zone to those who ask, in the place of what was held of it. */
  async #show(held: HeldZone): Promise<HeldZone> {
    const { zone, view } = held;
    await this.#claim(zone);
    if (view !== undefined) {
      this.#idOf.set(view, zone.id);
      this.index.set(view, zone.id);
    }
    return held;
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
    const before = this.#follower.peek(id)?.view?.signer?.signing;
    return signedWith && signingOf(this.#context.secretBox, signedWith, before);
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
