import type { SchemaChange } from "./schema-change.ts";

/** The edges that run on the database, as each reports itself. */
export const createEdges: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("edges")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("host", text, (column) => column.notNull())
    .addColumn("software_version", text, (column) => column.notNull())
    .addColumn("addresses", text, (column) => column.notNull())
    .addColumn("zones", "integer", (column) => column.notNull())
    .addColumn("started_on", text, (column) => column.notNull())
    .addColumn("seen_on", text, (column) => column.notNull())
    .addColumn("behind_since", text)
    .execute();
};
