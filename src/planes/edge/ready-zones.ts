import { FairMap } from "../../core/fair-map.ts";
import { failingRules } from "../../core/judging/judge-request.ts";
import type { EdgeZone, HeldZone, ReadyZone } from "../../edge/zones/edge-zone.ts";
import type { CompiledRules } from "../../resources/zone-documents/zone-documents.ts";

/** Compiles the rules of a zone; the callback is for changes of what they take. */
type Compile = (onOctets: () => void) => Promise<CompiledRules>;

interface Entry {
  readonly compiled: Promise<{ readonly zone: ReadyZone; readonly free: () => void }>;
  /** Number of requests that hold the zone or wait for its compilation. */
  holders: number;
  /** Given to requests once it is compiled. */
  held: HeldZone | undefined;
  isDropped: boolean;
}

/**
 * The zones whose rules are ready to run. Above the maximum of octets, the least recently used zone is dropped of
 * an account that has at least an equal part of them, and compiled again at its next request. Zones that a request
 * holds remain until it releases them.
 */
export class ReadyZones {
  readonly #octetsMax: number;
  readonly #compilers = new WeakMap<EdgeZone, Compile>();
  /** Each weighs what its rules take, at most all that there may be; nothing while they are compiled. */
  readonly #entries: FairMap<EdgeZone, Entry>;

  constructor(octetsMax: number) {
    this.#octetsMax = octetsMax;
    this.#entries = new FairMap({ weightMax: octetsMax, onDrop: freeWhenReleased });
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Makes a zone ready, now and whenever it is held. Throws what `compile` throws. */
  async add(zone: EdgeZone, compile: Compile): Promise<void> {
    this.#compilers.set(zone, compile);
    const { release } = await this.#hold(zone);
    release();
  }

  /** Makes a zone ready if `one`, which it replaces, is; otherwise when it is held. Throws what `compile` throws. */
  async replace(one: EdgeZone, zone: EdgeZone, compile: Compile): Promise<void> {
    if (this.#entries.peek(one) !== undefined) await this.add(zone, compile);
    else this.#compilers.set(zone, compile);
  }

  /**
   * Keeps the zone ready until `release`. Returns a promise if it has to be compiled; where that is not possible, its
   * rules fail.
   */
  hold(zone: EdgeZone): HeldZone | Promise<HeldZone> {
    const held = this.#hold(zone);
    if (!(held instanceof Promise)) return held;
    return held.catch((error: unknown) => ({
      zone: { ...zone, rules: failingRules(error) },
      release: () => undefined,
    }));
  }

  #hold(zone: EdgeZone): HeldZone | Promise<HeldZone> {
    const entry = this.#entries.get(zone) ?? this.#compile(zone);
    entry.holders += 1;
    return entry.held ?? this.#untilCompiled(zone, entry);
  }

  async #untilCompiled(zone: EdgeZone, entry: Entry): Promise<HeldZone> {
    try {
      const { zone: ready, free } = await entry.compiled;
      return (entry.held ??= { zone: ready, release: () => letGo(entry, free) });
    } catch (error) {
      if (this.#entries.peek(zone) === entry) this.#entries.delete(zone);
      throw error;
    }
  }

  /** Frees the rules of a zone once no request holds it. */
  drop(zone: EdgeZone): void {
    const entry = this.#entries.delete(zone);
    if (entry !== undefined) freeWhenReleased(entry);
  }

  #compile(zone: EdgeZone): Entry {
    const compile = this.#compilers.get(zone);
    if (compile === undefined) throw new Error(`the zone ${zone.name} was not added`);
    let octetsOf = (): number => 0;
    const weigh = (): void => {
      if (!entry.isDropped) this.#entries.weigh(zone, Math.min(octetsOf(), this.#octetsMax));
    };
    const entry: Entry = {
      holders: 0,
      held: undefined,
      isDropped: false,
      compiled: compile(weigh).then(({ rules, free, octets }) => {
        octetsOf = octets;
        weigh();
        return { zone: { ...zone, rules }, free };
      }),
    };
    this.#entries.set(zone, entry, [zone.accountId], 0);
    return entry;
  }
}

function freeWhenReleased(entry: Entry): void {
  entry.holders += 1;
  entry.isDropped = true;
  entry.compiled.then(
    ({ free }) => letGo(entry, free),
    // The waiting requests get the error.
    () => undefined,
  );
}

function letGo(entry: Entry, free: () => void): void {
  entry.holders -= 1;
  if (entry.isDropped && entry.holders === 0) free();
}
