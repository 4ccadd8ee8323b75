import { AppError } from "../../core/error.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Db, ZoneRow } from "../../storage/tables.ts";
import { updateZone } from "./store.ts";

/** Errors: 410 code 10410 for a zone on which only the new version of the managed rules is left. */
export function requirePreviousWaf(zone: ZoneRow): ZoneRow {
  if (zone.waf !== "new") return zone;
  throw new AppError(
    "gone",
    10410,
    "The previous WAF managed rules are no longer in force on this zone; " +
      "use the Rulesets API, /zones/{zone_id}/rulesets",
  );
}

/** Brings the zone to another version of the managed rules. Part of the transaction that has locked it. */
export async function setWafVersion(tx: Db, zone: ZoneRow, waf: ZoneRow["waf"], now: Date): Promise<ZoneRow> {
  const change = { waf, waf_changed_on: toTimestamp(now) };
  await updateZone(tx, zone.id, change);
  return { ...zone, ...change };
}
