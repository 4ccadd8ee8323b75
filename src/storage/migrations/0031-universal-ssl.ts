import type { SchemaChange } from "./schema-change.ts";

/** Whether a zone's universal certificate was turned off, or on again. */
export const createUniversalSettings: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("universal_settings")
    .addColumn("zone_id", text, (column) =>
      column.notNull().primaryKey().references("zones.id").onDelete("cascade"),
    )
    .addColumn("enabled", "integer", (column) => column.notNull())
    .execute();
};
