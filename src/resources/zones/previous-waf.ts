import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Db, ZoneRow } from "../../storage/tables.ts";
import { countZonesToMigrate, selectZonesToMigrate, updateZone, type ZonesToMigrate } from "./store.ts";

/** Errors: 410 code 10410 for a zone on which only the new version of the managed rules is left. */
export function requirePreviousWaf(zone: ZoneRow): ZoneRow {
  if (zone.waf !== "new") return zone;
  throw new AppError(
    "gone",
    errorCodes.previousWaf.migrated,
    "The previous WAF managed rules are no longer in force on this zone; " +
      "use the Rulesets API, /zones/{zone_id}/rulesets",
  );
}

interface FoundZones {
  readonly total: number;
  /** Each is read when it is asked for. */
  readonly portions: AsyncGenerator<readonly ZoneRow[], void, undefined>;
}

/** Finds the zones that run the previous WAF, in portions of at most `zonesAtOnce`. */
export async function findZonesToMigrate(
  db: Db,
  wanted: ZonesToMigrate,
  zonesAtOnce: number,
): Promise<FoundZones> {
  const total = await countZonesToMigrate(db, wanted);
  return { total, portions: zonesInPortions(db, wanted, zonesAtOnce) };
}

async function* zonesInPortions(db: Db, wanted: ZonesToMigrate, zonesAtOnce: number): FoundZones["portions"] {
  for (let after = ""; ;) {
    const zones = await selectZonesToMigrate(db, wanted, after, zonesAtOnce);
    const last = zones.at(-1);
    if (last === undefined) return;
    yield zones;
    after = last.id;
  }
}

/** Brings the zone to another version of the managed rules. Part of the transaction that has locked it. */
export async function setWafVersion(tx: Db, zone: ZoneRow, waf: ZoneRow["waf"], now: Date): Promise<ZoneRow> {
  const change = { waf, waf_changed_on: toTimestamp(now) };
  await updateZone(tx, zone.id, change);
  return { ...zone, ...change };
}
