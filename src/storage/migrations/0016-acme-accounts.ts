import type { SchemaChange } from "./schema-change.ts";

export const createAcmeAccounts: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("acme_accounts")
    .addColumn("directory_url", text, (column) => column.notNull().primaryKey())
    .addColumn("private_key", text, (column) => column.notNull())
    .addColumn("created_on", text, (column) => column.notNull())
    .execute();
};
