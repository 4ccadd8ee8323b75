import type { EdgeZone, EdgeZones } from "./edge-zone.ts";
import { type Problem, problems } from "../errors/problems.ts";
import { targetsMax } from "./zone-names.ts";

/** Why no zone serves a host. */
export function unservedHost(zones: Pick<EdgeZones, "isUnread">, hostname: string): Problem {
  return zones.isUnread(hostname) ? problems.unreadHost : problems.unknownHost;
}

/**
 * Whether a host of a zone is served: its records are proxied, or those of a name in the same account to which its CNAME
 * records lead ([as documented](https://developers.cloudflare.com/dns/proxy-status/#mix-proxied-and-unproxied)).
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
 * Reads the zones to which a host leads by its CNAME records. Undefined where they have been read. Never rejects: what cannot be
 * read remains unread.
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
