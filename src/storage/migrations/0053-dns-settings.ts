import type { SchemaChange } from "./schema-change.ts";

/** The DNS settings that zones changed, and that accounts changed for their new zones. */
export const createDnsSettings: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("zone_dns_settings")
    .addColumn("zone_id", text, (column) =>
      column.notNull().primaryKey().references("zones.id").onDelete("cascade"),
    )
    .addColumn("changed_settings", text, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("account_dns_settings")
    .addColumn("account_id", text, (column) =>
      column.notNull().primaryKey().references("accounts.id").onDelete("cascade"),
    )
    .addColumn("zone_defaults", text, (column) => column.notNull())
    .addColumn("enforce_dns_only", "integer", (column) => column.notNull())
    .execute();
};
