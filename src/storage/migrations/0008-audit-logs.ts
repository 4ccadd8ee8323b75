import type { SchemaChange } from "./index.ts";

/** No foreign keys: what is logged outlives what it is about. */
export const createAuditLogs: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("audit_logs")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("occurred_on", text, (column) => column.notNull())
    .addColumn("account_id", text)
    .addColumn("user_id", text)
    .addColumn("action_type", text, (column) => column.notNull())
    .addColumn("actor_type", text, (column) => column.notNull())
    .addColumn("actor_id", text)
    .addColumn("actor_email", text)
    .addColumn("actor_ip", text)
    .addColumn("interface", text, (column) => column.notNull())
    .addColumn("resource_type", text, (column) => column.notNull())
    .addColumn("resource_id", text, (column) => column.notNull())
    .addColumn("zone_id", text)
    .addColumn("zone_name", text)
    .addColumn("old_value", text)
    .addColumn("new_value", text)
    .addColumn("metadata", text, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("audit_logs_account")
    .on("audit_logs")
    .columns(["account_id", "occurred_on", "id"])
    .execute();
  await db.schema
    .createIndex("audit_logs_user")
    .on("audit_logs")
    .columns(["user_id", "occurred_on", "id"])
    .execute();
};
