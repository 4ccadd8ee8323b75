import type { EdgeZones } from "./edge-zone.ts";
import { targetsMax } from "./zone-names.ts";

/**
 * Reads the zones to which a host leads by its CNAME records. Undefined where they have been read. Never rejects: what cannot be
 * read remains unread.
 */
export function readHost(zones: EdgeZones, hostname: string): Promise<void> | undefined {
  if (zones.unreadSize === 0) return undefined;
  let name: string | undefined = hostname;
  for (let step = 0; step < targetsMax && name !== undefined; step += 1) {
    const reading = zones.readUnread(name);
    if (reading !== undefined)
      return reading.then((isRead) => (isRead ? readHost(zones, hostname) : undefined));
    name = zones.enclosing(name)?.names.find(name)?.cname;
  }
  return undefined;
}
