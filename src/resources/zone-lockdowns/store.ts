import type { Db } from "../../storage/tables.ts";
import type { ZoneLockdownRow } from "../../storage/tables/rules.ts";

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
