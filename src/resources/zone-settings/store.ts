import { selectRows } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneSettingRow } from "../../storage/schema/zones.ts";

export async function selectSettings(db: Db, zoneId: string): Promise<Map<string, ZoneSettingRow>> {
  const rows = await selectRows(db, "zone_settings", { zone_id: zoneId });
  return new Map(rows.map((row) => [row.setting, row]));
}
