import type { Db } from "../../storage/tables.ts";
import type { ZoneSettingRow } from "../../storage/tables/zones.ts";

/** The changed settings, by name. */
export async function selectSettings(db: Db, zoneId: string): Promise<Map<string, ZoneSettingRow>> {
  const rows = await db.selectFrom("zone_settings").selectAll().where("zone_id", "=", zoneId).execute();
  return new Map(rows.map((row) => [row.setting, row]));
}

export async function upsertSetting(db: Db, row: ZoneSettingRow): Promise<void> {
  const { value, modified_on } = row;
  await db
    .insertInto("zone_settings")
    .values(row)
    .onConflict((conflict) => conflict.columns(["zone_id", "setting"]).doUpdateSet({ value, modified_on }))
    .execute();
}
