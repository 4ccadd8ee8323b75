import type { SchemaChange } from "./schema-change.ts";

export const createCustomCertificates: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("custom_certificates")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("zone_id", text, (column) => column.notNull().references("zones.id").onDelete("cascade"))
    .addColumn("type", text, (column) => column.notNull())
    .addColumn("chain", text, (column) => column.notNull())
    .addColumn("private_key", text, (column) => column.notNull())
    .addColumn("hosts", text, (column) => column.notNull())
    .addColumn("issuer", text, (column) => column.notNull())
    .addColumn("signature", text, (column) => column.notNull())
    .addColumn("bundle_method", text, (column) => column.notNull())
    .addColumn("geo_restrictions", text)
    .addColumn("priority", "integer", (column) => column.notNull())
    .addColumn("uploaded_on", text, (column) => column.notNull())
    .addColumn("modified_on", text, (column) => column.notNull())
    .addColumn("expires_on", text, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("custom_certificates_zone")
    .on("custom_certificates")
    .columns(["zone_id", "priority", "id"])
    .execute();
};
