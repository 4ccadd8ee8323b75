import type { Db, ZoneSubscriptionRow } from "../../storage/tables.ts";

export async function selectSubscription(db: Db, zoneId: string): Promise<ZoneSubscriptionRow | undefined> {
  return db.selectFrom("zone_subscriptions").selectAll().where("zone_id", "=", zoneId).executeTakeFirst();
}

export async function upsertSubscription(db: Db, { zone_id, ...change }: ZoneSubscriptionRow): Promise<void> {
  await db
    .insertInto("zone_subscriptions")
    .values({ zone_id, ...change })
    .onConflict((conflict) => conflict.column("zone_id").doUpdateSet(change))
    .execute();
}
