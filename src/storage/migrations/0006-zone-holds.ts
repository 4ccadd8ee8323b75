import type { SchemaChange } from "./schema-change.ts";

export const createZoneHolds: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("zone_holds")
    .addColumn("zone_id", text, (column) =>
      column.notNull().primaryKey().references("zones.id").onDelete("cascade"),
    )
    .addColumn("hold_after", text)
    .addColumn("include_subdomains", "integer", (column) => column.notNull())
    .execute();
};
