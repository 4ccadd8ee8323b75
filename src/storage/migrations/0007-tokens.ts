import type { SchemaChange } from "./schema-change.ts";

export const createTokens: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("tokens")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("user_id", text, (column) => column.references("users.id").onDelete("cascade"))
    .addColumn("account_id", text, (column) => column.references("accounts.id").onDelete("cascade"))
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("status", text, (column) => column.notNull())
    .addColumn("secret_hash", text, (column) => column.notNull().unique())
    .addColumn("policies", text, (column) => column.notNull())
    .addColumn("condition", text)
    .addColumn("not_before", text)
    .addColumn("expires_on", text)
    .addColumn("issued_on", text, (column) => column.notNull())
    .addColumn("modified_on", text, (column) => column.notNull())
    .addColumn("last_used_on", text)
    .execute();
  await db.schema.createIndex("tokens_user").on("tokens").columns(["user_id", "id"]).execute();
  await db.schema.createIndex("tokens_account").on("tokens").columns(["account_id", "id"]).execute();
};
