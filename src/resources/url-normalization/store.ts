import type { Db } from "../../storage/tables.ts";
import type { UrlNormalizationRow } from "../../storage/tables/rules.ts";

export async function upsertUrlNormalization(db: Db, row: UrlNormalizationRow): Promise<void> {
  const { type, scope } = row;
  await db
    .insertInto("url_normalizations")
    .values(row)
    .onConflict((conflict) => conflict.column("zone_id").doUpdateSet({ type, scope }))
    .execute();
}

export async function deleteUrlNormalizationRow(db: Db, zoneId: string): Promise<void> {
  await db.deleteFrom("url_normalizations").where("zone_id", "=", zoneId).execute();
}

export async function selectUrlNormalization(
  db: Db,
  zoneId: string,
): Promise<UrlNormalizationRow | undefined> {
  return db.selectFrom("url_normalizations").selectAll().where("zone_id", "=", zoneId).executeTakeFirst();
}
