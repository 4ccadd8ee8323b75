import type { Db } from "../../storage/tables.ts";
import type { ZoneSettingRow } from "../../storage/tables/zones.ts";

/** The changed settings, by name. */
export async function selectSettings(db: Db, zoneId: string): Promise<Map<string, ZoneSettingRow>> {
  const rows = await db.selectFrom("zone_settings").selectAll().where("zone_id", "=", zoneId).execute();
  return new Map(rows.map((row) => [row.setting, row]));
}
