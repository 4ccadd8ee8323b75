import type { Db, PageRuleRow } from "../../storage/tables.ts";

export async function insertPageRule(db: Db, row: PageRuleRow): Promise<void> {
  await db.insertInto("page_rules").values(row).execute();
}

export async function updatePageRule(db: Db, id: string, change: Partial<PageRuleRow>): Promise<void> {
  await db.updateTable("page_rules").set(change).where("id", "=", id).execute();
}

export async function deletePageRuleRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom("page_rules").where("id", "=", id).execute();
}

export async function selectPageRule(db: Db, zoneId: string, id: string): Promise<PageRuleRow | undefined> {
  return db
    .selectFrom("page_rules")
    .selectAll()
    .where("zone_id", "=", zoneId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Few enough to be read whole: the plan's quota bounds them. */
export async function selectPageRules(db: Db, zoneId: string): Promise<PageRuleRow[]> {
  return db
    .selectFrom("page_rules")
    .selectAll()
    .where("zone_id", "=", zoneId)
    .orderBy("priority", "desc")
    .orderBy("id")
    .execute();
}
