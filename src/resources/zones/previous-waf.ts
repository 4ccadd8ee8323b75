import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { updateRow } from "../../storage/rows.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { countZonesToMigrate, selectZonesToMigrate, type ZonesToMigrate } from "./store.ts";

/** Errors: 410 code 10410 after a migration to the new version. */
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
  /** Read on demand. */
  readonly portions: AsyncGenerator<readonly ZoneRow[], void, undefined>;
}

/** The zones with the previous WAF, in portions of `zonesAtOnce`. */
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

/** Changes the version of the managed rules in a transaction that has locked the zone. */
export async function setWafVersion(tx: Db, zone: ZoneRow, waf: ZoneRow["waf"], now: Date): Promise<ZoneRow> {
  const change = { waf, waf_changed_on: toTimestamp(now) };
  await updateRow(tx, "zones", zone.id, change);
  return { ...zone, ...change };
}
