import { FairMap } from "../core/fair-map.ts";
import type { NamedZone } from "../resources/zone-documents/zone-documents.ts";
import type { AccountPart, Changes, ZonePart } from "../storage/changes.ts";
import type { Database } from "../storage/database.ts";
import type { ActiveZones } from "./active-zones.ts";
import { ZoneChanges } from "./zone-changes.ts";

/** A plane's form of zones, which the follower holds for those that somebody asked for. */
export interface Plane<Held extends object> {
  /** The parts that it reads; changes of others are nothing to it. */
  readonly zoneParts: ReadonlySet<ZonePart>;
  readonly accountParts: ReadonlySet<AccountPart>;
  /** Memory for all that is held. */
  readonly octetsMax: number;
  readonly octetsOf: (held: Held) => number;
  /** Reads a zone; undefined where there is none to serve. Throws what reading throws. */
  readonly read: (zone: NamedZone) => Promise<Held | undefined>;
  /**
   * Brings the held zones up to date, with `replace`: zones with these ids, and those of these accounts; everything
   * where nothing is given. Throws what the store throws.
   */
  readonly follow: (changed: ChangedIds | undefined) => Promise<void>;
  /** Is called with what had to make room, or whose zone has left. */
  readonly dropped?: (held: Held, zone: NamedZone) => void;
  /** Is called when the store could not be read; everything is followed again a little later. */
  readonly onFailure: (error: unknown) => void;
}

/** The ids of zones and accounts of which parts have changed, whether they are held or not. */
export interface ChangedIds {
  readonly ids: readonly string[];
  readonly accountIds: readonly string[];
}

interface Holding<Held> {
  readonly zone: NamedZone;
  readonly held: Held;
}

/** Zones of an account that are read at the same time; further ones wait, and hold up no other account. */
const readsOfAccountMax = 4;
/** After a failure, a zone is read again at the first question that comes later than this. */
const failureMs = 400;
const failuresMax = 10_000;
/** A zone that changes again and again while it is read is held as it was read last, and followed from there. */
const readsMax = 3;

/**
 * Holds what a plane serves of those zones that somebody asked for, and follows their changes. A zone is read at
 * the first question for it, once for all that ask at the same time. Above `octetsMax`, the least recently used
 * zone is dropped of an account that has at least an equal part of the memory, and read again at the next question.
 */
export class Follower<Held extends object> {
  readonly #index: ActiveZones;
  readonly #db: Pick<Database, "onChange">;
  readonly #plane: Plane<Held>;
  readonly #held: FairMap<string, Holding<Held>>;
  readonly #heldOf = new Map<string, Set<string>>();
  readonly #reading = new Map<string, { readonly zone: NamedZone; readonly read: Promise<void> }>();
  /** Zones that changed while they were read. */
  readonly #changedMeanwhile = new Set<string>();
  readonly #failures = new FairMap<string, { readonly error: unknown; readonly untilMs: number }>({
    weightMax: failuresMax,
  });
  /** Reads in progress of each account, and those that wait for one of them to end. */
  readonly #turnsOf = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  readonly #changes: ZoneChanges;
  #retry: NodeJS.Timeout | undefined;

  constructor(index: ActiveZones, db: Pick<Database, "onChange">, plane: Plane<Held>) {
    this.#index = index;
    this.#db = db;
    this.#plane = plane;
    this.#held = new FairMap({ weightMax: plane.octetsMax, onDrop: (holding) => this.#forget(holding) });
    this.#changes = new ZoneChanges({
      zoneParts: plane.zoneParts,
      accountParts: plane.accountParts,
      read: (changed) => this.#follow(changed),
      onFailure: plane.onFailure,
    });
    index.onLeave(({ id }) => this.drop(id));
  }

  get size(): number {
    return this.#held.size;
  }

  /** Memory that is taken, as the plane estimates it. */
  get octets(): number {
    return this.#held.weight;
  }

  get isStopped(): boolean {
    return this.#changes.isStopped;
  }

  /** The same as `peek`, and the zone is then the last one that was used. */
  use(id: string): Held | undefined {
    return this.#held.get(id)?.held;
  }

  /** The state that is held of a zone. */
  peek(id: string): Held | undefined {
    return this.#held.peek(id)?.held;
  }

  /** The ids of zones that are held; of an account alone, if it is given. */
  heldIds(accountId?: string): readonly string[] {
    if (accountId !== undefined) return [...(this.#heldOf.get(accountId) ?? [])];
    return Array.from(this.#held, ([id]) => id);
  }

  /**
   * Reads a zone, unless it is held. Throws what reading throws. For a moment after a failure it throws that failure,
   * so that nobody who asks again and again makes the store be read as often.
   */
  async read(zone: NamedZone): Promise<void> {
    const { id } = zone;
    if (this.#held.peek(id) !== undefined) return;
    const failure = this.#failures.peek(id);
    if (failure !== undefined && failure.untilMs > performance.now()) throw failure.error;
    let reading = this.#reading.get(id);
    if (reading === undefined) {
      const read = this.#inTurn(zone.accountId, () => this.#read(zone)).finally(() =>
        this.#reading.delete(id),
      );
      reading = { zone, read };
      this.#reading.set(id, reading);
    }
    await reading.read;
  }

  renew(id: string): void {
    const zone = this.#held.peek(id)?.zone;
    if (zone === undefined || this.#reading.has(id)) return;
    this.#begin(zone).catch(() => {
      if (!this.isStopped) this.#retry = setTimeout(() => this.renew(id), failureMs).unref();
    });
  }

  /** Puts another state of a zone in the place of what is held of it; nothing where nothing is. */
  replace(id: string, held: Held): void {
    const zone = this.#held.peek(id)?.zone;
    if (zone !== undefined) this.#hold(zone, held);
  }

  /** Weighs anew what is held of a zone. */
  weigh(id: string): void {
    const held = this.peek(id);
    if (held !== undefined) this.#held.weigh(id, this.#weightOf(held));
  }

  drop(id: string): void {
    const holding = this.#held.delete(id);
    if (holding !== undefined) this.#forget(holding);
  }

  /** Follows the changes of what is held from now on. */
  start(): void {
    this.#db.onChange((changes: Changes | undefined) => this.#changes.add(changes));
    this.#changes.follow();
  }

  /** Follows a zone again, as if it had changed; everything without one. */
  again(id?: string): void {
    if (id === undefined) this.#changes.add(undefined);
    else this.#changes.addZone(id);
  }

  /** Notes that the store cannot be read: everything is followed again a little later. */
  fail(error: unknown): void {
    this.#changes.fail(error);
  }

  /** Resolves when what changed until now has been followed. */
  async settled(): Promise<void> {
    while (this.#changes.running !== undefined) await this.#changes.running;
  }

  async stop(): Promise<void> {
    clearTimeout(this.#retry);
    await this.#changes.stop();
    await Promise.allSettled(Array.from(this.#reading.values(), ({ read }) => read));
  }

  async #follow(changed: ChangedIds | undefined): Promise<void> {
    if (changed === undefined) this.#failures.clear();
    for (const id of changed?.ids ?? []) this.#failures.delete(id);
    for (const { zone } of this.#reading.values()) {
      const { id, accountId } = zone;
      if (changed === undefined || changed.ids.includes(id) || changed.accountIds.includes(accountId))
        this.#changedMeanwhile.add(id);
    }
    await this.#plane.follow(changed);
  }

  #begin(zone: NamedZone): Promise<void> {
    const { id, accountId } = zone;
    const read = this.#inTurn(accountId, () => this.#read(zone)).finally(() => this.#reading.delete(id));
    this.#reading.set(id, { zone, read });
    return read;
  }

  async #read(zone: NamedZone): Promise<void> {
    const { id, accountId } = zone;
    try {
      let held = await this.#plane.read(zone);
      // A reader that asked after a change gets the result of the change.
      for (let again = 0; this.#changedMeanwhile.delete(id) && again < readsMax; again += 1) {
        if (held !== undefined) this.#plane.dropped?.(held, zone);
        held = await this.#plane.read(zone);
      }
      this.#failures.delete(id);
      // The zone may have left meanwhile, or have another account.
      if (held !== undefined && this.#index.withId(id) === zone) this.#hold(zone, held);
      else if (held !== undefined) this.#plane.dropped?.(held, zone);
    } catch (error) {
      this.#failures.set(id, { error, untilMs: performance.now() + failureMs }, [accountId]);
      throw error;
    } finally {
      if (this.#changedMeanwhile.delete(id)) this.#changes.addZone(id);
    }
  }

  #hold(zone: NamedZone, held: Held): void {
    const before = this.#held.delete(zone.id);
    const ids = this.#heldOf.get(zone.accountId) ?? new Set();
    this.#heldOf.set(zone.accountId, ids.add(zone.id));
    this.#held.set(zone.id, { zone, held }, [zone.accountId], this.#weightOf(held));
    if (before !== undefined) this.#plane.dropped?.(before.held, zone);
  }

  /** A zone that is larger than all that there may be is held alone. */
  #weightOf(held: Held): number {
    return Math.min(this.#plane.octetsOf(held), this.#plane.octetsMax);
  }

  #forget({ zone, held }: Holding<Held>): void {
    const ids = this.#heldOf.get(zone.accountId);
    ids?.delete(zone.id);
    if (ids?.size === 0) this.#heldOf.delete(zone.accountId);
    this.#plane.dropped?.(held, zone);
  }

  /** Begins each read of an account when fewer than the most of them run. */
  async #inTurn(accountId: string, read: () => Promise<void>): Promise<void> {
    const turns = this.#turnsOf.get(accountId) ?? { running: 0, waiting: [] };
    this.#turnsOf.set(accountId, turns);
    if (turns.running < readsOfAccountMax) turns.running += 1;
    else await new Promise<void>((resolve) => turns.waiting.push(resolve));
    try {
      await read();
    } finally {
      const next = turns.waiting.shift();
      if (next !== undefined) next();
      else if ((turns.running -= 1) === 0) this.#turnsOf.delete(accountId);
    }
  }
}
