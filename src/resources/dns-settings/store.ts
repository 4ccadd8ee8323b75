import { sql } from "kysely";

import { toSerial } from "../zones/zones.ts";
import type { AccountDnsSettingsRow, Db, ZoneDnsSettingsRow } from "../../storage/tables.ts";

export async function putZoneSettings(tx: Db, row: ZoneDnsSettingsRow): Promise<void> {
  await tx
    .insertInto("zone_dns_settings")
    .values(row)
    .onConflict((conflict) => conflict.column("zone_id").doUpdateSet(row))
    .execute();
}

export async function putAccountSettings(tx: Db, row: AccountDnsSettingsRow): Promise<void> {
  await tx
    .insertInto("account_dns_settings")
    .values(row)
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet(row))
    .execute();
}

/** All zones of an account answer something else than before: each gets its next serial. */
export async function answersOfAccountChanged(tx: Db, accountId: string, now: Date): Promise<void> {
  const serial = toSerial(now);
  await tx
    .updateTable("zones")
    .set({
      dns_serial: sql<number>`case when coalesce(dns_serial, 0) < ${serial} then ${serial} else dns_serial + 1 end`,
    })
    .where("account_id", "=", accountId)
    .execute();
}
