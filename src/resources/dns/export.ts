import { printZoneHead, recordPrinter } from "../../core/dns/zone-file/print.ts";
import { findZone } from "../../operation/scope.ts";
import { expectedNameServers, type ZoneContext } from "../zones/zones.ts";
import type { DnsRecord } from "./schema.ts";
import { streamRecords } from "./list-store.ts";

/**
 * `GET /zones/{id}/dns_records/export`: the zone as a BIND zone file, in portions; `importDnsRecords` reads it back.
 * Errors: 404 code 1001.
 */
export async function exportDnsRecords(
  { db, now, settings }: ZoneContext,
  zoneId: string,
): Promise<AsyncIterable<string>> {
  const zone = await findZone(db.read, zoneId);
  const exportedOn = now();
  const head = printZoneHead({
    name: zone.name,
    nameServers: expectedNameServers(zone, settings),
    hostmaster: `dns.${settings.vendor}.com`,
    serial: Math.floor(exportedOn.getTime() / 1000),
    exportedOn: exportedOn.toISOString(),
  });
  return (async function* () {
    yield head;
    const print = recordPrinter();
    for await (const records of streamRecords(db.read, zoneId)) {
      yield records.map((text) => print(JSON.parse(text) as DnsRecord)).join("");
    }
  })();
}
