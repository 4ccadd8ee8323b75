import { isIP } from "node:net";

import { FairMap } from "../../core/fair-map.ts";
import { FairRoom } from "../../core/fair-room.ts";
import { isDiscardAddress, type OriginRule } from "../../core/net/origin-address.ts";
import type { EdgeZone, EdgeZones } from "./edge-zone.ts";
import { type Problem, problems } from "../errors/problems.ts";
import { targetsMax } from "./zone-names.ts";

/** The reason for which no zone serves a host. */
export function unservedHost(zones: Pick<EdgeZones, "isUnread">, hostname: string): Problem {
  return zones.isUnread(hostname) ? problems.unreadHost : problems.unknownHost;
}

/**
 * Whether a host of a zone is served: its records are proxied, or those of a name in the same account to which
 * its CNAME records lead ([as
 * documented](https://developers.cloudflare.com/dns/proxy-status/#mix-proxied-and-unproxied)).
 */
export function isServedHost(
  zones: Pick<EdgeZones, "enclosing">,
  zone: Pick<EdgeZone, "accountId" | "names">,
  hostname: string,
): boolean {
  let name = hostname;
  let within: typeof zone | undefined = zone;
  for (let step = 0; step < targetsMax && within?.accountId === zone.accountId; step += 1) {
    const records = within.names.find(name);
    if (records?.isProxied === true) return true;
    if (records?.cname === undefined) return false;
    name = records.cname;
    within = zones.enclosing(name);
  }
  return false;
}

/** Zones that are read for one host; those that have to make room for each other are not read for ever. */
const readsMax = 16;

/**
 * Reads the zones to which a host leads by its CNAME records. Undefined where they have been read. Never
 * rejects: what cannot be read remains unread.
 */
export function readHost(zones: EdgeZones, hostname: string, reads = 0): Promise<void> | undefined {
  if (zones.unreadSize === 0 || reads > readsMax) return undefined;
  let name: string | undefined = hostname;
  for (let step = 0; step < targetsMax && name !== undefined; step += 1) {
    const reading = zones.readUnread(name);
    if (reading !== undefined)
      return reading.then((isRead) => (isRead ? readHost(zones, hostname, reads + 1) : undefined));
    name = zones.enclosing(name)?.names.find(name)?.cname;
  }
  return undefined;
}

/** Addresses of a name outside of our zones, and for how many seconds; undefined without an answer. */
export type LookUpAddresses = (
  name: string,
  version: 4 | 6,
) => Promise<{ readonly addresses: readonly string[]; readonly ttl: number } | undefined>;

/** The addresses of an origin in the order in which they are tried, or why there are none. */
export type OriginAddresses = { readonly addresses: readonly string[] } | { readonly problem: Problem };

interface Known {
  readonly addresses: readonly string[];
  readonly expiresAt: number;
}

const namesKept = 10_000;
const lookUpsMax = 1_000;
const secondsMin = 5;
const secondsMax = 3_600;
const loopback = ["127.0.0.1", "::1"];

const isProblem = (found: readonly string[] | Problem): found is Problem => !Array.isArray(found);

/**
 * Finds the origins of hosts: in the records of our zones, and by DNS outside of them. What is known of these
 * names, and the look-ups that run, are bounded, and each account has a share.
 */
export class Origins {
  readonly #zones: EdgeZones;
  readonly #mayBeOrigin: OriginRule;
  readonly #lookUpAddresses: LookUpAddresses;
  readonly #nowMs: () => number;
  /** By the addresses of a name: the ones at which an origin is permitted. */
  readonly #usable = new WeakMap<readonly string[], readonly string[] | Problem>();
  readonly #known = new FairMap<string, Known>({ weightMax: namesKept });
  readonly #lookUps = new FairRoom(lookUpsMax);
  readonly #running = new Map<string, Promise<readonly string[]>>();
  #turn = 0;

  constructor(
    zones: EdgeZones,
    mayBeOrigin: OriginRule,
    lookUpAddresses: LookUpAddresses,
    nowMs: () => number,
  ) {
    this.#zones = zones;
    this.#mayBeOrigin = mayBeOrigin;
    this.#lookUpAddresses = lookUpAddresses;
    this.#nowMs = nowMs;
  }

  /** The addresses of the origin of a name, for requests of a zone. The order rotates from call to call. */
  find(name: string, zone: Pick<EdgeZone, "accountId">): OriginAddresses | Promise<OriginAddresses> {
    const reading = readHost(this.#zones, name);
    return reading === undefined ? this.#find(name, zone) : reading.then(() => this.#find(name, zone));
  }

  #find(
    name: string,
    { accountId }: Pick<EdgeZone, "accountId">,
  ): OriginAddresses | Promise<OriginAddresses> {
    const found = this.#follow(name, accountId);
    return found instanceof Promise
      ? found.then((addresses) => this.#chosen(addresses))
      : this.#chosen(found);
  }

  #chosen(found: readonly string[] | Problem): OriginAddresses {
    const usable = isProblem(found) ? found : this.#usableOf(found);
    if (isProblem(usable)) return { problem: usable };
    if (usable.length === 1) return { addresses: usable };
    this.#turn = (this.#turn + 1) % 0x4000_0000;
    const first = this.#turn % usable.length;
    return { addresses: [...usable.slice(first), ...usable.slice(0, first)] };
  }

  /** Cached, as a list of addresses never changes. */
  #usableOf(addresses: readonly string[]): readonly string[] | Problem {
    const known = this.#usable.get(addresses);
    if (known !== undefined) return known;
    const usable = this.#findUsable(addresses);
    this.#usable.set(addresses, usable);
    return usable;
  }

  #findUsable(addresses: readonly string[]): readonly string[] | Problem {
    if (addresses.length === 0) return problems.noOrigin;
    const routed = addresses.filter((address) => !isDiscardAddress(address));
    if (routed.length === 0) return problems.connectTimeout;
    const allowed = routed.filter(this.#mayBeOrigin);
    return allowed.length === 0 ? problems.restrictedOrigin : allowed;
  }

  #follow(name: string, accountId: string): readonly string[] | Problem | Promise<readonly string[]> {
    let target = name;
    for (let step = 0; step < targetsMax; step += 1) {
      if (this.#zones.isUnread(target)) return problems.unreadHost;
      const zone = this.#zones.enclosing(target);
      if (zone === undefined) return isIP(target) === 0 ? this.#outside(target, accountId) : [target];
      if (zone.accountId !== accountId) return problems.foreignTarget;
      if (zone.names.isElsewhere(target)) return this.#outside(target, accountId);
      const records = zone.names.find(target);
      if (records === undefined) return [];
      if (records.cname === undefined) return records.addresses;
      target = records.cname;
    }
    return [];
  }

  #outside(name: string, accountId: string): Promise<readonly string[]> {
    if (name === "localhost" || name.endsWith(".localhost")) return Promise.resolve(loopback);
    const known = this.#known.get(name);
    if (known !== undefined && known.expiresAt > this.#nowMs()) return Promise.resolve(known.addresses);
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    const owners = [accountId];
    const giveBack = this.#lookUps.take(owners);
    if (giveBack === undefined) return Promise.resolve(known?.addresses ?? []);
    const lookUp = this.#lookUp(name, known, owners).finally(() => {
      this.#running.delete(name);
      giveBack();
    });
    this.#running.set(name, lookUp);
    return lookUp;
  }

  /** If the look-up fails, the addresses known before stay in use. */
  async #lookUp(
    name: string,
    known: Known | undefined,
    owners: readonly string[],
  ): Promise<readonly string[]> {
    const ask = (version: 4 | 6) => this.#lookUpAddresses(name, version).catch(() => undefined);
    const found = await Promise.all([ask(4), ask(6)]);
    const answers = found.filter((answer) => answer !== undefined);
    const addresses =
      answers.length === 0 ? (known?.addresses ?? []) : answers.flatMap((answer) => answer.addresses);
    const ttl = Math.min(
      secondsMax,
      ...answers.filter((answer) => answer.addresses.length > 0).map((answer) => answer.ttl),
    );
    const seconds = addresses.length === 0 || answers.length === 0 ? secondsMin : Math.max(secondsMin, ttl);
    this.#known.set(name, { addresses, expiresAt: this.#nowMs() + seconds * 1_000 }, owners);
    return addresses;
  }
}
