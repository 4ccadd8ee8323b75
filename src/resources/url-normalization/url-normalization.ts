import { defaultUrlNormalization, type UrlNormalization } from "../../core/transforms/url-normalization.ts";
import { selectRowsOfZones } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";

/** Reads how the URLs of a zone's requests are normalized; the default where nothing was chosen. */
export async function readUrlNormalization(db: Db, { id }: Pick<ZoneRow, "id">): Promise<UrlNormalization> {
  return (await readUrlNormalizations(db, [id]))(id);
}

/** The same of many zones; the result finds that of one. */
export async function readUrlNormalizations(
  db: Db,
  zoneIds: readonly string[],
): Promise<(zoneId: string) => UrlNormalization> {
  const rowsOf = await selectRowsOfZones(db, "url_normalizations", zoneIds);
  return (zoneId) => {
    const { scope, type } = rowsOf(zoneId)[0] ?? defaultUrlNormalization;
    return { scope, type };
  };
}
