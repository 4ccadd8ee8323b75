import type { SchemaChange } from "./schema-change.ts";

export const createWeb3Hostnames: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("web3_hostnames")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("zone_id", text, (column) => column.notNull().references("zones.id").onDelete("cascade"))
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("target", text, (column) => column.notNull())
    .addColumn("description", text, (column) => column.notNull())
    .addColumn("dnslink", text, (column) => column.notNull())
    .addColumn("created_on", text, (column) => column.notNull())
    .addColumn("modified_on", text, (column) => column.notNull())
    .addUniqueConstraint("web3_hostnames_zone_name", ["zone_id", "name"])
    .execute();
};
