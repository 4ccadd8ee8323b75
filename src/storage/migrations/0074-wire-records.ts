import type { SchemaChange } from "./schema-change.ts";

/** Records of zones that are transferred to us which the API cannot express, among them signatures. */
export const createWireRecords: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("wire_records")
    .addColumn("zone_id", text, (column) => column.notNull().references("zones.id").onDelete("cascade"))
    .addColumn("identity", text, (column) => column.notNull())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("type", "integer", (column) => column.notNull())
    .addColumn("ttl", "integer", (column) => column.notNull())
    .addColumn("rdata", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("wire_records_key", ["zone_id", "identity"])
    .execute();
  await db.schema
    .createIndex("wire_records_name")
    .on("wire_records")
    .columns(["zone_id", "name", "identity"])
    .execute();
};
