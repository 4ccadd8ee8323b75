import type { Db, ZoneLockdownRow } from "../../storage/tables.ts";

/** By creation; the quota of the plan bounds them. */
export async function selectZoneLockdowns(db: Db, zoneId: string): Promise<ZoneLockdownRow[]> {
  return db
    .selectFrom("zone_lockdowns")
    .selectAll()
    .where("zone_id", "=", zoneId)
    .orderBy("created_on")
    .orderBy("id")
    .execute();
}
