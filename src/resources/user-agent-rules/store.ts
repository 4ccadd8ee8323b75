import type { Db, UserAgentRuleRow } from "../../storage/tables.ts";

export async function insertUserAgentRule(db: Db, row: UserAgentRuleRow): Promise<void> {
  await db.insertInto("user_agent_rules").values(row).execute();
}

export async function updateUserAgentRule(
  db: Db,
  id: string,
  change: Partial<UserAgentRuleRow>,
): Promise<void> {
  await db.updateTable("user_agent_rules").set(change).where("id", "=", id).execute();
}

export async function deleteUserAgentRuleRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom("user_agent_rules").where("id", "=", id).execute();
}

export async function selectUserAgentRule(
  db: Db,
  zoneId: string,
  id: string,
): Promise<UserAgentRuleRow | undefined> {
  return db
    .selectFrom("user_agent_rules")
    .selectAll()
    .where("zone_id", "=", zoneId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** As they were made. Few enough to be read whole: the plan's quota bounds them. */
export async function selectUserAgentRules(db: Db, zoneId: string): Promise<UserAgentRuleRow[]> {
  return db
    .selectFrom("user_agent_rules")
    .selectAll()
    .where("zone_id", "=", zoneId)
    .orderBy("created_on")
    .orderBy("id")
    .execute();
}
