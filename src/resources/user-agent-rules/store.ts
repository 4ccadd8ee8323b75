import type { Db } from "../../storage/tables.ts";
import type { UserAgentRuleRow } from "../../storage/tables/rules.ts";

/** By creation; the quota of the plan bounds them. */
export async function selectUserAgentRules(db: Db, zoneId: string): Promise<UserAgentRuleRow[]> {
  return db
    .selectFrom("user_agent_rules")
    .selectAll()
    .where("zone_id", "=", zoneId)
    .orderBy("created_on")
    .orderBy("id")
    .execute();
}
