import { nextSerial } from "../../core/dns/serial.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";

/** The serial of a zone's SOA record. */
export function serialOf(zone: Pick<ZoneRow, "dns_serial" | "created_on">): number {
  return zone.dns_serial ?? toSerial(new Date(zone.created_on));
}

/** The one that it gets with a change here. Those of a secondary zone are its primary's. */
export function serialAfter(zone: Pick<ZoneRow, "type" | "dns_serial" | "created_on">, now: Date): number {
  if (zone.type === "secondary") return serialOf(zone);
  return nextSerial(serialOf(zone), secondsOf(now));
}

/** The first serial of a zone. */
export function toSerial(now: Date): number {
  return nextSerial(0, secondsOf(now));
}

function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
