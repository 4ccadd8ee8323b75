import type { Db, UserAgentRuleRow } from "../../storage/tables.ts";

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
