import { sql } from "kysely";

import { toSerial } from "../zones/zones.ts";
import type { Db } from "../../storage/tables.ts";

/**
 * Gives the zones of an account, or all, their next serials, as they answer differently now; secondary zones
 * keep the serials of their primaries.
 */
export async function nextSerials(tx: Db, now: Date, accountId: string | undefined): Promise<void> {
  const serial = toSerial(now);
  await tx
    .updateTable("zones")
    .set({
      dns_serial: sql<number>`case when coalesce(dns_serial, 0) < ${serial} then ${serial} else dns_serial + 1 end`,
    })
    .where("type", "<>", "secondary")
    .$if(accountId !== undefined, (query) => query.where("account_id", "=", accountId ?? ""))
    .execute();
}
