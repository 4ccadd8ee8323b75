import type { SchemaChange } from "./schema-change.ts";

/** A rule outlives its filter, so there is no foreign key between them. */
export const createFirewallRules: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("filters")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("zone_id", text, (column) => column.notNull().references("zones.id").onDelete("cascade"))
    .addColumn("expression", text, (column) => column.notNull())
    .addColumn("expression_hash", text, (column) => column.notNull())
    .addColumn("paused", "integer", (column) => column.notNull())
    .addColumn("description", text, (column) => column.notNull())
    .addColumn("ref", text)
    .addUniqueConstraint("filters_expression", ["zone_id", "expression_hash"])
    .execute();

  await db.schema
    .createTable("firewall_rules")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("zone_id", text, (column) => column.notNull().references("zones.id").onDelete("cascade"))
    .addColumn("filter_id", text, (column) => column.notNull())
    .addColumn("action", text, (column) => column.notNull())
    .addColumn("products", text, (column) => column.notNull())
    .addColumn("priority", "integer")
    .addColumn("paused", "integer", (column) => column.notNull())
    .addColumn("description", text, (column) => column.notNull())
    .addColumn("ref", text)
    .addColumn("created_on", text, (column) => column.notNull())
    .addColumn("modified_on", text, (column) => column.notNull())
    .addUniqueConstraint("firewall_rules_filter", ["zone_id", "filter_id"])
    .execute();
};
