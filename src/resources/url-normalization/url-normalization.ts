import { defaultUrlNormalization, type UrlNormalization } from "../../core/transforms/url-normalization.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { selectRow } from "../../storage/rows.ts";

/** How the URLs of a zone's requests are normalized; the default where nothing was chosen. */
export async function readUrlNormalization(db: Db, { id }: Pick<ZoneRow, "id">): Promise<UrlNormalization> {
  const { scope, type } =
    (await selectRow(db, "url_normalizations", { zone_id: id })) ?? defaultUrlNormalization;
  return { scope, type };
}
