import type { Db } from "../../storage/tables.ts";
import type { ZoneSubscriptionRow } from "../../storage/tables/zones.ts";

export async function upsertSubscription(db: Db, { zone_id, ...change }: ZoneSubscriptionRow): Promise<void> {
  await db
    .insertInto("zone_subscriptions")
    .values({ zone_id, ...change })
    .onConflict((conflict) => conflict.column("zone_id").doUpdateSet(change))
    .execute();
}
