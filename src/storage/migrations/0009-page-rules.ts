import type { SchemaChange } from "./schema-change.ts";

export const createPageRules: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("page_rules")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("zone_id", text, (column) => column.notNull().references("zones.id").onDelete("cascade"))
    .addColumn("targets", text, (column) => column.notNull())
    .addColumn("actions", text, (column) => column.notNull())
    .addColumn("priority", "integer", (column) => column.notNull())
    .addColumn("status", text, (column) => column.notNull())
    .addColumn("created_on", text, (column) => column.notNull())
    .addColumn("modified_on", text, (column) => column.notNull())
    .execute();
  await db.schema.createIndex("page_rules_zone").on("page_rules").columns(["zone_id", "priority"]).execute();
};
