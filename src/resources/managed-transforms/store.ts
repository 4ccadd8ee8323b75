import type { Db } from "../../storage/tables.ts";

/** The managed transforms of a zone that are on. */
export async function selectManagedTransforms(db: Db, zoneId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("managed_transforms")
    .select("transform")
    .where("zone_id", "=", zoneId)
    .execute();
  return new Set(rows.map(({ transform }) => transform));
}

/** Replaces what is on. */
export async function setManagedTransforms(db: Db, zoneId: string, on: ReadonlySet<string>): Promise<void> {
  await db.deleteFrom("managed_transforms").where("zone_id", "=", zoneId).execute();
  if (on.size === 0) return;
  const rows = [...on].map((transform) => ({ zone_id: zoneId, transform }));
  await db.insertInto("managed_transforms").values(rows).execute();
}
