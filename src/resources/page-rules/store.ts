import type { Db } from "../../storage/tables.ts";
import type { PageRuleRow } from "../../storage/schema/rules.ts";

/** Read whole: the quota of the plan bounds them. */
export async function selectPageRules(db: Db, zoneId: string): Promise<PageRuleRow[]> {
  return db
    .selectFrom("page_rules")
    .selectAll()
    .where("zone_id", "=", zoneId)
    .orderBy("priority", "desc")
    .orderBy("id")
    .execute();
}
