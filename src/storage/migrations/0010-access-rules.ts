import type { SchemaChange } from "./schema-change.ts";

export const createAccessRules: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("access_rules")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("scope_id", text, (column) => column.notNull())
    .addColumn("zone_id", text, (column) => column.references("zones.id").onDelete("cascade"))
    .addColumn("account_id", text, (column) => column.references("accounts.id").onDelete("cascade"))
    .addColumn("user_id", text, (column) => column.references("users.id").onDelete("cascade"))
    .addColumn("mode", text, (column) => column.notNull())
    .addColumn("target", text, (column) => column.notNull())
    .addColumn("value", text, (column) => column.notNull())
    .addColumn("notes", text, (column) => column.notNull())
    .addColumn("notes_folded", text, (column) => column.notNull())
    .addColumn("created_on", text, (column) => column.notNull())
    .addColumn("modified_on", text, (column) => column.notNull())
    .addUniqueConstraint("access_rules_about", ["scope_id", "target", "value"])
    .execute();
  for (const owner of ["zone_id", "account_id", "user_id"]) {
    await db.schema.createIndex(`access_rules_${owner}`).on("access_rules").column(owner).execute();
  }
};
