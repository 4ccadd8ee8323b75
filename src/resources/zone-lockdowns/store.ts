import type { Db, ZoneLockdownRow } from "../../storage/tables.ts";

export async function insertZoneLockdown(db: Db, row: ZoneLockdownRow): Promise<void> {
  await db.insertInto("zone_lockdowns").values(row).execute();
}

export async function updateZoneLockdown(
  db: Db,
  id: string,
  change: Partial<ZoneLockdownRow>,
): Promise<void> {
  await db.updateTable("zone_lockdowns").set(change).where("id", "=", id).execute();
}

export async function deleteZoneLockdownRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom("zone_lockdowns").where("id", "=", id).execute();
}

export async function selectZoneLockdown(
  db: Db,
  zoneId: string,
  id: string,
): Promise<ZoneLockdownRow | undefined> {
  return db
    .selectFrom("zone_lockdowns")
    .selectAll()
    .where("zone_id", "=", zoneId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** As they were made. Few enough to be read whole: the plan's quota bounds them. */
export async function selectZoneLockdowns(db: Db, zoneId: string): Promise<ZoneLockdownRow[]> {
  return db
    .selectFrom("zone_lockdowns")
    .selectAll()
    .where("zone_id", "=", zoneId)
    .orderBy("created_on")
    .orderBy("id")
    .execute();
}
