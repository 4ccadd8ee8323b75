import type { Page, PageRequest } from "../../core/page.ts";
import { selectPage } from "../../storage/page.ts";
import type { Db } from "../../storage/tables.ts";
import type { WafGroupRow, WafOverrideRow, WafRuleRow } from "../../storage/tables/previous-waf.ts";

/** The modes of changed groups, by id. */
export async function selectWafGroups(db: Db, zoneId: string): Promise<Map<string, WafGroupRow["mode"]>> {
  const rows = await db.selectFrom("waf_groups").selectAll().where("zone_id", "=", zoneId).execute();
  return new Map(rows.map(({ group_id, mode }) => [group_id, mode]));
}

/** The modes of changed rules, by id. */
export async function selectWafRules(db: Db, zoneId: string): Promise<Map<string, WafRuleRow["mode"]>> {
  const rows = await db.selectFrom("waf_rules").selectAll().where("zone_id", "=", zoneId).execute();
  return new Map(rows.map(({ rule_id, mode }) => [rule_id, mode]));
}

export async function selectWafOverrideIds(db: Db, zoneId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("waf_overrides")
    .select("id")
    .where("zone_id", "=", zoneId)
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
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
