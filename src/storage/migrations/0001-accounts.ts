import type { SchemaChange } from "./schema-change.ts";

export const createAccounts: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("users")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("email", text, (column) => column.notNull())
    .addColumn("email_folded", text, (column) => column.notNull().unique())
    .addColumn("username", text, (column) => column.notNull())
    .addColumn("first_name", text)
    .addColumn("last_name", text)
    .addColumn("telephone", text)
    .addColumn("country", text)
    .addColumn("zipcode", text)
    .addColumn("key_hash", text, (column) => column.notNull().unique())
    .addColumn("created_on", text, (column) => column.notNull())
    .addColumn("modified_on", text, (column) => column.notNull())
    .execute();

  await db.schema
    .createTable("accounts")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("name_folded", text, (column) => column.notNull())
    .addColumn("created_on", text, (column) => column.notNull())
    .execute();

  // A pending membership is an invite, whose user may not exist yet.
  await db.schema
    .createTable("memberships")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("account_id", text, (column) => column.notNull().references("accounts.id").onDelete("cascade"))
    .addColumn("user_id", text, (column) => column.references("users.id").onDelete("cascade"))
    .addColumn("email_folded", text, (column) => column.notNull())
    .addColumn("status", text, (column) => column.notNull())
    .addColumn("roles", text, (column) => column.notNull())
    .addColumn("invited_by", text)
    .addColumn("expires_on", text)
    .addColumn("created_on", text, (column) => column.notNull())
    .addUniqueConstraint("memberships_account_email", ["account_id", "email_folded"])
    .execute();
  await db.schema.createIndex("memberships_user").on("memberships").column("user_id").execute();
  await db.schema.createIndex("memberships_email").on("memberships").column("email_folded").execute();
};
