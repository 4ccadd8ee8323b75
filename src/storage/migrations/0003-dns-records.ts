import type { SchemaChange } from "./schema-change.ts";

export const createDnsRecords: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("dns_records")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("zone_id", text, (column) => column.notNull().references("zones.id").onDelete("cascade"))
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("type", text, (column) => column.notNull())
    .addColumn("content_folded", text, (column) => column.notNull())
    .addColumn("content_prefix", text, (column) => column.notNull())
    .addColumn("ttl", "integer", (column) => column.notNull())
    .addColumn("proxied", "integer", (column) => column.notNull())
    .addColumn("comment_folded", text)
    .addColumn("identity", text, (column) => column.notNull())
    .addColumn("record", text, (column) => column.notNull())
    .addUniqueConstraint("dns_records_identity", ["zone_id", "identity"])
    .execute();

  // An index for each ordering, with ties broken by id, so that the first page reads only its own rows.
  for (const key of ["type", "name", "content_prefix", "ttl", "proxied"]) {
    await db.schema
      .createIndex(`dns_records_by_${key}`)
      .on("dns_records")
      .columns(["zone_id", key, "id"])
      .execute();
  }

  await db.schema
    .createTable("dns_record_tags")
    .addColumn("record_id", text, (column) =>
      column.notNull().references("dns_records.id").onDelete("cascade"),
    )
    .addColumn("tag_name", text, (column) => column.notNull())
    .addColumn("tag_value", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("dns_record_tags_key", ["record_id", "tag_name", "tag_value"])
    .execute();
};
