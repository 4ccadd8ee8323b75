import type { Db } from "../../storage/tables.ts";
import type { PageRuleRow } from "../../storage/schema/rules.ts";

/** Read whole: the quota of the plan bounds them. */
export function selectPageRules(db: Db, zoneId: string): Promise<PageRuleRow[]> {
  return selectPageRulesOfZones(db, [zoneId]);
}

export async function selectPageRulesOfZones(db: Db, zoneIds: readonly string[]): Promise<PageRuleRow[]> {
  return db
    .selectFrom("page_rules")
    .selectAll()
    .where("zone_id", "in", zoneIds)
    .orderBy("priority", "desc")
    .orderBy("id")
    .execute();
}
