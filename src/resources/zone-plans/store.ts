import type { Db, ZoneSubscriptionRow } from "../../storage/tables.ts";

export async function upsertSubscription(db: Db, { zone_id, ...change }: ZoneSubscriptionRow): Promise<void> {
  await db
    .insertInto("zone_subscriptions")
    .values({ zone_id, ...change })
    .onConflict((conflict) => conflict.column("zone_id").doUpdateSet(change))
    .execute();
}
