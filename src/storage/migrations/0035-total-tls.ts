import type { SchemaChange } from "./schema-change.ts";

/** Total TLS of zones, and the hosts for which it has ordered a pack. */
export const createTotalTls: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("total_tls")
    .addColumn("zone_id", text, (column) =>
      column.notNull().primaryKey().references("zones.id").onDelete("cascade"),
    )
    .addColumn("enabled", "integer", (column) => column.notNull())
    .addColumn("certificate_authority", text, (column) => column.notNull())
    .addColumn("revision", "integer", (column) => column.notNull())
    .addColumn("seen_revision", "integer", (column) => column.notNull())
    .addColumn("seen_records_version", "integer", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("total_tls_hosts")
    .addColumn("zone_id", text, (column) => column.notNull().references("zones.id").onDelete("cascade"))
    .addColumn("host", text, (column) => column.notNull())
    .addColumn("pack_id", text, (column) => column.references("certificate_packs.id").onDelete("set null"))
    .addPrimaryKeyConstraint("total_tls_hosts_key", ["zone_id", "host"])
    .execute();
  await db.schema.createIndex("total_tls_hosts_pack").on("total_tls_hosts").column("pack_id").execute();
};
