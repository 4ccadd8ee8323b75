import { sql } from "kysely";

import type { SchemaChange } from "./schema-change.ts";

export const createCertificatePacks: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("certificate_packs")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("zone_id", text, (column) => column.notNull().references("zones.id").onDelete("cascade"))
    .addColumn("type", text, (column) => column.notNull())
    .addColumn("hosts", text, (column) => column.notNull())
    .addColumn("status", text, (column) => column.notNull())
    .addColumn("validation_method", text, (column) => column.notNull())
    .addColumn("validity_days", "integer", (column) => column.notNull())
    .addColumn("certificate_authority", text, (column) => column.notNull())
    .addColumn("cloudflare_branding", "integer", (column) => column.notNull())
    .addColumn("validation_errors", text, (column) => column.notNull())
    .addColumn("validation_records", text, (column) => column.notNull())
    .addColumn("failures", "integer", (column) => column.notNull())
    .addColumn("step_on", text)
    .addColumn("expires_on", text)
    .addColumn("created_on", text, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("certificate_packs_zone")
    .on("certificate_packs")
    .columns(["zone_id", "created_on", "id"])
    .execute();
  await db.schema.createIndex("certificate_packs_step").on("certificate_packs").column("step_on").execute();

  await db.schema
    .createTable("pack_certificates")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("pack_id", text, (column) =>
      column.notNull().references("certificate_packs.id").onDelete("cascade"),
    )
    .addColumn("key_type", text, (column) => column.notNull())
    .addColumn("private_key", text, (column) => column.notNull())
    .addColumn("status", text, (column) => column.notNull())
    .addColumn("order_url", text)
    .addColumn("chain", text)
    .addColumn("hosts", text, (column) => column.notNull())
    .addColumn("issuer", text)
    .addColumn("signature", text)
    .addColumn("issued_on", text)
    .addColumn("expires_on", text)
    // One generation is in use, at most one more is being issued.
    .addUniqueConstraint("pack_certificates_generation", ["pack_id", "status", "key_type"])
    .execute();

  await db.schema
    .createTable("certificate_authorities")
    .addColumn("key_type", text, (column) => column.notNull().primaryKey())
    .addColumn("certificate", text, (column) => column.notNull())
    .addColumn("private_key", text, (column) => column.notNull())
    .addColumn("created_on", text, (column) => column.notNull())
    .execute();

  // Zones that are active already get the pack that they would have got with their activation.
  await sql`
    insert into certificate_packs
    select
      substr(id, 1, 8) || '-' || substr(id, 9, 4) || '-7' || substr(id, 14, 3) || '-8' || substr(id, 18, 3)
        || '-' || substr(id, 21, 12),
      id, 'universal', '["' || name || '","*.' || name || '"]', 'initializing', 'txt', 90, 'google', 0, '[]', '[]',
      0, activated_on, null, activated_on
    from zones
    where status = 'active' and activated_on is not null and length(name) <= 251
  `.execute(db);
};
