import type { Exchange } from "./exchange.ts";
import { carriers, type Effect, type FaultRule } from "./fault.ts";
import { compileMatch, headerValue, type CompiledMatch } from "./match.ts";
import { PathIndex } from "./path-pattern.ts";
import { seededFraction } from "./seeded.ts";

export interface Fault {
  readonly id: string;
  readonly rule: FaultRule;
  isOn: boolean;
  /** The number of requests that matched while it was on. */
  matched: number;
  /** The number of these requests that got its effect. */
  acted: number;
}

/** The decision on a request: a delay, and the fault that acts. */
export interface Decision {
  /** The delay before anything else happens. */
  readonly latencyMs: number;
  /** The rule that acts, if any. */
  readonly fault: Fault | undefined;
  readonly effect: Effect | undefined;
}

interface Entry {
  readonly fault: Fault;
  readonly compiled: CompiledMatch;
  readonly position: number;
}

const untouched: Decision = { latencyMs: 0, fault: undefined, effect: undefined };

/**
 * The rules in force, the oldest first. Of the rules that match a request the first one acts; a rule that
 * only delays lets the next one act too. Rules are indexed by the parts of a request that they name, so that
 * many of them cost a request no more than few.
 */
export class FaultSet {
  readonly #entries = new Map<string, Entry>();
  #index: MatchIndex | undefined;
  #position = 0;
  /** The number of rules that name a token. */
  #askingForToken = 0;

  get size(): number {
    return this.#entries.size;
  }

  get asksForToken(): boolean {
    return this.#askingForToken > 0;
  }

  /** Adds a rule; ids count from 1, also after others were removed. */
  add(rule: FaultRule): Fault {
    this.#position += 1;
    const id = String(this.#position);
    const fault: Fault = { id, rule, isOn: true, matched: 0, acted: 0 };
    const entry: Entry = { fault, compiled: compileMatch(rule.match ?? {}), position: this.#position };
    this.#entries.set(id, entry);
    this.#index?.add(entry);
    if (rule.match?.token !== undefined) this.#askingForToken += 1;
    return fault;
  }

  /** Undefined for an unknown id. A rule that is switched on counts from the beginning. */
  switch(id: string, isOn: boolean): Fault | undefined {
    const fault = this.#entries.get(id)?.fault;
    if (fault === undefined) return undefined;
    if (isOn && !fault.isOn) Object.assign(fault, { matched: 0, acted: 0 });
    fault.isOn = isOn;
    return fault;
  }

  remove(id: string): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    this.#entries.delete(id);
    this.#index = undefined;
    if (entry.fault.rule.match?.token !== undefined) this.#askingForToken -= 1;
    return true;
  }

  clear(): void {
    this.#entries.clear();
    this.#index = undefined;
    this.#askingForToken = 0;
  }

  list(): readonly Fault[] {
    return Array.from(this.#entries.values(), ({ fault }) => fault);
  }

  /** Decides on a request, and counts it. `carries` tells whether the request can get an effect. */
  decide(exchange: Exchange, carries: (effect: Effect) => boolean = () => true): Decision {
    if (this.#entries.size === 0) return untouched;
    this.#index ??= new MatchIndex(this.#entries.values());
    const candidates = this.#index.candidates(exchange);
    if (candidates.length === 0) return untouched;
    let latencyMs = 0;
    for (const { fault, compiled } of candidates) {
      const { effect, match } = fault.rule;
      if (!fault.isOn || !carriers[effect.type].includes(exchange.listener)) continue;
      if (!compiled.matches(exchange) || !carries(effect) || !occurs(fault)) continue;
      if (effect.type !== "latency") return { latencyMs, fault, effect };
      latencyMs += latencyOf(effect.ms, match?.seed ?? 0, fault.acted);
    }
    return latencyMs === 0 ? untouched : { ...untouched, latencyMs };
  }
}

/** Counts a request that matches, and returns whether the rule acts on it. */
function occurs(fault: Fault): boolean {
  const { share, seed = 0, next, every } = fault.rule.match ?? {};
  if (next !== undefined && fault.acted >= next) return false;
  fault.matched += 1;
  if (every !== undefined && fault.matched % every !== 0) return false;
  if (share !== undefined && seededFraction(seed, fault.matched) >= share) return false;
  fault.acted += 1;
  return true;
}

function latencyOf(
  ms: number | { readonly min: number; readonly max: number },
  seed: number,
  n: number,
): number {
  if (typeof ms === "number") return ms;
  return ms.min + Math.floor(seededFraction(seed, n) * (ms.max - ms.min + 1));
}

/** Finds the rules that a request may match, by the most specific part of each. */
class MatchIndex {
  readonly #tokens = new Map<string, Entry[]>();
  readonly #operations = new Map<string, Entry[]>();
  readonly #zones = new Map<string, Entry[]>();
  /** Entries by the names of headers, then by their values, `*` for any. */
  readonly #headers = new Map<string, Map<string, Entry[]>>();
  readonly #paths = new PathIndex<Entry>();

  constructor(entries: Iterable<Entry>) {
    for (const entry of entries) this.add(entry);
  }

  add(entry: Entry): void {
    const { operation, token, zone, header = {}, path = "/**" } = entry.fault.rule.match ?? {};
    const [named] = Object.entries(header);
    if (token !== undefined) within(this.#tokens, token, list).push(entry);
    else if (zone !== undefined) within(this.#zones, zone, list).push(entry);
    else if (operation !== undefined) within(this.#operations, operation, list).push(entry);
    else if (named !== undefined) {
      const [name, value] = named;
      const values = within(this.#headers, name.toLowerCase(), () => new Map<string, Entry[]>());
      within(values, value, list).push(entry);
    } else this.#paths.add(path, entry);
  }

  candidates(exchange: Exchange): readonly Entry[] {
    const found = this.#paths.find(exchange.path);
    const take = (entries: readonly Entry[] | undefined): void => {
      if (entries !== undefined) found.push(...entries);
    };
    if (this.#operations.size > 0) take(this.#operations.get(exchange.operation ?? ""));
    if (this.#tokens.size > 0) take(this.#tokens.get(exchange.token ?? ""));
    if (this.#zones.size > 0) take(this.#zones.get(exchange.zone ?? ""));
    if (this.#headers.size > 0) {
      for (const [name, value] of Object.entries(exchange.headers)) {
        const values = this.#headers.get(name);
        if (values === undefined || value === undefined) continue;
        take(values.get("*"));
        if (value !== "*") take(values.get(headerValue(value)));
      }
    }
    return found.length > 1 ? found.toSorted((a, b) => a.position - b.position) : found;
  }
}

const list = (): Entry[] => [];

function within<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const created = create();
  map.set(key, created);
  return created;
}
