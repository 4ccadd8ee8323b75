import type { SchemaChange } from "./schema-change.ts";

export const createWeb3ContentLists: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("web3_content_list_entries")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("hostname_id", text, (column) =>
      column.notNull().references("web3_hostnames.id").onDelete("cascade"),
    )
    .addColumn("type", text, (column) => column.notNull())
    .addColumn("content", text, (column) => column.notNull())
    .addColumn("description", text, (column) => column.notNull())
    .addColumn("created_on", text, (column) => column.notNull())
    .addColumn("modified_on", text, (column) => column.notNull())
    .addUniqueConstraint("web3_content_list_entries_content", ["hostname_id", "content"])
    .execute();
};
