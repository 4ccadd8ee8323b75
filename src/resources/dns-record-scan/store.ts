import { selectRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { DnsRecord } from "../dns-records/dns-records.ts";

/** The records that the last scan of a zone found and nobody has reviewed yet. */
export async function selectFound(db: Db, zoneId: string): Promise<readonly DnsRecord[]> {
  const row = await selectRow(db, "record_scans", { zone_id: zoneId });
  return row === undefined ? [] : (JSON.parse(row.found) as DnsRecord[]);
}

export async function putFound(tx: Db, zoneId: string, records: readonly DnsRecord[]): Promise<void> {
  const found = JSON.stringify(records);
  await tx
    .insertInto("record_scans")
    .values({ zone_id: zoneId, found })
    .onConflict((conflict) => conflict.column("zone_id").doUpdateSet({ found }))
    .execute();
}
