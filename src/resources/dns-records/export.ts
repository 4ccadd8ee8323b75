import { setImmediate as nextTurn } from "node:timers/promises";

import { dnsSettingsOf } from "../../core/dns/served/dns-settings.ts";
import { printZoneHead, recordPrinter } from "../../core/dns/zone-file/print.ts";
import type { Context } from "../../operation/context.ts";
import type { OfAccount, Task, TaskCaller, TaskRunner } from "../../operation/task.ts";
import { fromJson } from "../../storage/columns.ts";
import { selectRow } from "../../storage/rows.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { apexOfZone, type ZoneContext } from "../zones/zones.ts";
import { recordsFromStart, streamRecords, type StreamPosition } from "./list-store.ts";
import type { DnsRecord } from "./schema.ts";

/** Records of one portion: of a small zone, and of one that is printed in a worker. */
const recordsAtOnce = 200;
const recordsAtOnceInWorker = 1_000;
/** A larger zone is printed in a worker. */
const recordsOfSmallZoneMax = 2_000;

interface Portion extends OfAccount {
  readonly zoneId: string;
  /** The last record before it. */
  readonly after: StreamPosition;
  /** The last heading that `recordPrinter` printed. */
  readonly section: string;
  readonly recordsMax: number;
}

interface PrintedPortion extends Pick<Portion, "section"> {
  /** Text in UTF-8. */
  readonly text: Uint8Array;
  /** Undefined for the last portion. */
  readonly after: StreamPosition | undefined;
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

interface ExportWork {
  readonly zone: ZoneRow;
  readonly caller: TaskCaller;
  readonly context: ZoneContext & TaskRunner<Context>;
  readonly now: Date;
}

/** The zone as a BIND zone file, in portions. */
export async function* printZone({
  zone,
  caller,
  context: { db, settings, runTask },
  now,
}: ExportWork): AsyncGenerator<string | Uint8Array, void, undefined> {
  const changed = await selectRow(db.read, "zone_dns_settings", { zone_id: zone.id });
  const dnsSettings = dnsSettingsOf(
    settings.vendor,
    changed === undefined ? {} : fromJson(changed.changed_settings),
  );
  const incoming =
    zone.type === "secondary"
      ? await selectRow(db.read, "incoming_transfers", { zone_id: zone.id })
      : undefined;
  const apex = apexOfZone(zone, settings, dnsSettings, incoming?.soa ?? null);
  yield printZoneHead({ ...apex, exportedOn: now.toISOString() });
  const isSmall = zone.dns_record_count <= recordsOfSmallZoneMax;
  const recordsMax = isSmall ? recordsAtOnce : recordsAtOnceInWorker;
  let after: StreamPosition | undefined = recordsFromStart;
  for (let section = ""; after !== undefined;) {
    const asked = { accountId: zone.account_id, zoneId: zone.id, after, section, recordsMax };
    const portion: PrintedPortion = await runTask(exportDnsRecordsTask, caller, asked);
    if (portion.text.length > 0) yield portion.text;
    ({ after, section } = portion);
    // Other requests are answered between two portions, however fast this client reads.
    await nextTurn();
  }
}
