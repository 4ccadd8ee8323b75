import { setImmediate as nextTurn } from "node:timers/promises";

import { printZoneHead, recordPrinter } from "../../core/dns/zone-file/print.ts";
import type { Context } from "../../operation/context.ts";
import { findZone } from "../../operation/scope.ts";
import type { Task, TaskCaller, TaskRunner } from "../../operation/task.ts";
import { expectedNameServers, type ZoneContext } from "../zones/zones.ts";
import { recordsFromStart, streamRecords, type StreamPlace } from "./list-store.ts";
import type { DnsRecord } from "./schema.ts";

/** Records of one portion: of a small zone, and of one that is printed in a worker. */
const recordsAtOnce = 200;
const recordsAtOnceInWorker = 1_000;
/** A zone of more is printed in a worker. */
const recordsOfSmallZoneMax = 2_000;

interface Portion {
  readonly zoneId: string;
  /** The last record before it. */
  readonly after: StreamPlace;
  /** What `recordPrinter` printed last of headings. */
  readonly section: string;
  readonly recordsMax: number;
}

interface PrintedPortion extends Pick<Portion, "section"> {
  /** Text in UTF-8. */
  readonly text: Uint8Array;
  /** Undefined for the last portion. */
  readonly after: StreamPlace | undefined;
}

/** Prints a portion of a zone file. */
export const exportDnsRecordsTask: Task<Context, Portion, PrintedPortion> = {
  name: "exportDnsRecords",
  isSmall: ({ recordsMax }) => recordsMax <= recordsAtOnce,
  isBrief: true,
  run: async ({ db }, _caller, { zoneId, after, section, recordsMax }) => {
    const printer = recordPrinter(section);
    let text = "";
    let count = 0;
    for await (const { records, end } of streamRecords(db.read, zoneId, after)) {
      text += records.map((record) => printer.print(JSON.parse(record) as DnsRecord)).join("");
      count += records.length;
      if (end === undefined || count >= recordsMax) {
        return { text: new TextEncoder().encode(text), after: end, section: printer.section };
      }
    }
    throw new Error("a stream of records did not say its end");
  },
};

/**
 * `GET /zones/{id}/dns_records/export`: the zone as a BIND zone file, in portions; `importDnsRecords` reads it back.
 * Errors: 404 code 1001.
 */
export async function exportDnsRecords(
  { db, now, settings, runTask }: ZoneContext & TaskRunner<Context>,
  caller: TaskCaller,
  zoneId: string,
): Promise<AsyncIterable<string | Uint8Array>> {
  const zone = await findZone(db.read, zoneId);
  const exportedOn = now();
  const head = printZoneHead({
    name: zone.name,
    nameServers: expectedNameServers(zone, settings),
    hostmaster: `dns.${settings.vendor}.com`,
    serial: Math.floor(exportedOn.getTime() / 1000),
    exportedOn: exportedOn.toISOString(),
  });
  const isSmall = zone.dns_record_count <= recordsOfSmallZoneMax;
  const recordsMax = isSmall ? recordsAtOnce : recordsAtOnceInWorker;
  return (async function* () {
    yield head;
    let after: StreamPlace | undefined = recordsFromStart;
    for (let section = ""; after !== undefined;) {
      const portion: PrintedPortion = await runTask(exportDnsRecordsTask, caller, {
        zoneId,
        after,
        section,
        recordsMax,
      });
      if (portion.text.length > 0) yield portion.text;
      ({ after, section } = portion);
      // Other requests are answered between two portions, however fast this client reads.
      await nextTurn();
    }
  })();
}
