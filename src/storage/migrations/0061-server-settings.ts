import type { SchemaChange } from "./schema-change.ts";

/** With which settings of the server zones were last served. */
export const createServerSettings: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("served_with")
    .addColumn("settings_digest", text, (column) => column.notNull().primaryKey())
    .execute();
};
