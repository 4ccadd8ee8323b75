import type { Page, PageRequest } from "../../core/page.ts";
import { selectPage } from "../../storage/page.ts";
import type { Db } from "../../storage/tables.ts";
import type { WafOverrideRow } from "../../storage/schema/previous-waf.ts";

export async function selectWafOverrideIds(
  db: Db,
  zoneIds: readonly string[],
): Promise<Pick<WafOverrideRow, "id" | "zone_id">[]> {
  return db
    .selectFrom("waf_overrides")
    .select(["id", "zone_id"])
    .where("zone_id", "in", zoneIds)
    .orderBy("id")
    .execute();
}

export async function selectWafOverrides(
  db: Db,
  zoneId: string,
  page: PageRequest<"priority">,
): Promise<Page<WafOverrideRow>> {
  const query = db.selectFrom("waf_overrides").where("zone_id", "=", zoneId);
  return selectPage(
    query.selectAll().orderBy("priority", page.direction).orderBy("id", page.direction),
    page,
  );
}
