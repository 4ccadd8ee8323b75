import type { SchemaChange } from "./index.ts";

export const createAccounts: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("users")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("email", text, (column) => column.notNull().unique())
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

  await db.schema
    .createTable("memberships")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("account_id", text, (column) => column.notNull().references("accounts.id").onDelete("cascade"))
    .addColumn("user_id", text, (column) => column.notNull().references("users.id").onDelete("cascade"))
    .addColumn("status", text, (column) => column.notNull())
    .addColumn("roles", text, (column) => column.notNull())
    .addColumn("created_on", text, (column) => column.notNull())
    .addUniqueConstraint("memberships_user_account", ["user_id", "account_id"])
    .execute();
  await db.schema.createIndex("memberships_account").on("memberships").column("account_id").execute();

  await db.schema
    .createTable("tokens")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("user_id", text, (column) => column.notNull().references("users.id").onDelete("cascade"))
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("status", text, (column) => column.notNull())
    .addColumn("secret_hash", text, (column) => column.notNull().unique())
    .addColumn("issued_on", text, (column) => column.notNull())
    .addColumn("modified_on", text, (column) => column.notNull())
    .execute();
  await db.schema.createIndex("tokens_user").on("tokens").column("user_id").execute();
};
