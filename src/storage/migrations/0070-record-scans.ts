import type { SchemaChange } from "./schema-change.ts";

/** What the last scan of a zone found, until it is reviewed. */
export const createRecordScans: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("record_scans")
    .addColumn("zone_id", text, (column) =>
      column.notNull().primaryKey().references("zones.id").onDelete("cascade"),
    )
    .addColumn("found", text, (column) => column.notNull())
    .execute();
};
