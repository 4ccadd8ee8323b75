import { fullValue } from "../../core/net/full-value.ts";
import type { SchemaChange } from "./schema-change.ts";

/**
 * The IPv6 addresses of rules in full, so that a search for the beginning of an address finds them; an
 * instance of the version before writes none.
 */
export const addFullAccessRuleValues: SchemaChange = async (db, { text }) => {
  await db.schema.alterTable("access_rules").addColumn("full_value", text).execute();
  const rows = await db
    .selectFrom("access_rules")
    .select(["id", "value"])
    .where("value", "like", "%:%")
    .execute();
  for (const { id, value } of rows) {
    await db
      .updateTable("access_rules")
      .set({ full_value: fullValue(value) })
      .where("id", "=", id)
      .execute();
  }
};
