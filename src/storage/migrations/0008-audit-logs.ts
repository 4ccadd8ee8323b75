import type { SchemaChange } from "./schema-change.ts";

/** No foreign keys: entries outlive what they are about. */
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
    .addColumn("token_id", text)
    .addColumn("interface", text, (column) => column.notNull())
    .addColumn("resource_type", text, (column) => column.notNull())
    .addColumn("resource_id", text, (column) => column.notNull())
    .addColumn("zone_id", text)
    .addColumn("zone_name", text)
    .addColumn("old_value", text)
    .addColumn("new_value", text)
    .addColumn("metadata", text, (column) => column.notNull())
    .execute();
  // Each index holds only the entries of its lists.
  for (const owner of ["account_id", "user_id"]) {
    await db.schema
      .createIndex(`audit_logs_${owner}`)
      .on("audit_logs")
      .columns([owner, "occurred_on", "id"])
      .where(owner, "is not", null)
      .execute();
  }
};
