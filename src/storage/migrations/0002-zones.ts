import type { SchemaChange } from "./schema-change.ts";

export const createZones: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("zones")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("account_id", text, (column) => column.notNull().references("accounts.id"))
    .addColumn("name", text, (column) => column.notNull().unique())
    .addColumn("type", text, (column) => column.notNull())
    .addColumn("status", text, (column) => column.notNull())
    .addColumn("paused", "integer", (column) => column.notNull())
    .addColumn("plan", text, (column) => column.notNull())
    .addColumn("vanity_name_servers", text, (column) => column.notNull())
    .addColumn("original_name_servers", text)
    .addColumn("verification_key", text)
    .addColumn("dns_record_count", "integer", (column) => column.notNull())
    .addColumn("dns_records_version", "integer", (column) => column.notNull())
    .addColumn("created_on", text, (column) => column.notNull())
    .addColumn("modified_on", text, (column) => column.notNull())
    .addColumn("activated_on", text)
    .addColumn("checked_on", text)
    .execute();
  await db.schema.createIndex("zones_account").on("zones").columns(["account_id", "name"]).execute();
  await db.schema.createIndex("zones_status").on("zones").columns(["status", "checked_on"]).execute();
};
