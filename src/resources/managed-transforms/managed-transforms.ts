import { selectRowsOfZones } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";

/** The ids of the managed transforms of zones that are on; the result finds those of one. */
export async function readManagedTransforms(
  db: Db,
  zoneIds: readonly string[],
): Promise<(zoneId: string) => string[]> {
  const rowsOf = await selectRowsOfZones(db, "managed_transforms", zoneIds, ["transform"]);
  return (zoneId) => rowsOf(zoneId).map(({ transform }) => transform);
}

export async function enabledTransforms(db: Db, zoneId: string): Promise<ReadonlySet<string>> {
  return new Set((await readManagedTransforms(db, [zoneId]))(zoneId));
}
