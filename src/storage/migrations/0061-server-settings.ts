import type { SchemaChange } from "./schema-change.ts";

/** The server settings that zones were last served with. */
export const createServerSettings: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("served_with")
    .addColumn("settings_digest", text, (column) => column.notNull().primaryKey())
    .execute();
};
