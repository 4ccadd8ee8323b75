import type { SchemaChange } from "./schema-change.ts";

/** The keys that zones are signed with, and the status of DNSSEC. */
export const createZoneDnssec: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("zone_dnssec")
    .addColumn("zone_id", text, (column) =>
      column.notNull().primaryKey().references("zones.id").onDelete("cascade"),
    )
    .addColumn("status", text, (column) => column.notNull())
    .addColumn("key_signing_key", text, (column) => column.notNull())
    .addColumn("key_signing_public_key", text, (column) => column.notNull())
    .addColumn("zone_signing_key", text, (column) => column.notNull())
    .addColumn("zone_signing_public_key", text, (column) => column.notNull())
    .addColumn("multi_signer", "integer")
    .addColumn("presigned", "integer")
    .addColumn("use_nsec3", "integer")
    .addColumn("signed_day", "integer", (column) => column.notNull())
    .addColumn("modified_on", text, (column) => column.notNull())
    .addColumn("checked_on", text)
    .execute();
};
