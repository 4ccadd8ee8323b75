import type { SchemaChange } from "./schema-change.ts";

export const createZoneSettings: SchemaChange = async (db, { text }) => {
  await db.schema.alterTable("zones").addColumn("development_mode_ends_on", text).execute();
  await db.schema
    .createTable("zone_settings")
    .addColumn("zone_id", text, (column) => column.notNull().references("zones.id").onDelete("cascade"))
    .addColumn("setting", text, (column) => column.notNull())
    .addColumn("value", text, (column) => column.notNull())
    .addColumn("modified_on", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("zone_settings_key", ["zone_id", "setting"])
    .execute();
};
