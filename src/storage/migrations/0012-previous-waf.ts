import type { SchemaChange } from "./schema-change.ts";

export const createPreviousWaf: SchemaChange = async (db, { text }) => {
  await db.schema
    .alterTable("zones")
    .addColumn("waf", text, (column) => column.notNull().defaultTo("previous"))
    .execute();
  await db.schema.alterTable("zones").addColumn("waf_changed_on", text).execute();

  await db.schema
    .createTable("waf_packages")
    .addColumn("zone_id", text, (column) =>
      column.notNull().primaryKey().references("zones.id").onDelete("cascade"),
    )
    .addColumn("sensitivity", text)
    .addColumn("action_mode", text, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("waf_groups")
    .addColumn("zone_id", text, (column) => column.notNull().references("zones.id").onDelete("cascade"))
    .addColumn("group_id", text, (column) => column.notNull())
    .addColumn("mode", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("waf_groups_key", ["zone_id", "group_id"])
    .execute();
  await db.schema
    .createTable("waf_rules")
    .addColumn("zone_id", text, (column) => column.notNull().references("zones.id").onDelete("cascade"))
    .addColumn("rule_id", text, (column) => column.notNull())
    .addColumn("mode", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("waf_rules_key", ["zone_id", "rule_id"])
    .execute();
  await db.schema
    .createTable("waf_overrides")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("zone_id", text, (column) => column.notNull().references("zones.id").onDelete("cascade"))
    .addColumn("paused", "integer", (column) => column.notNull())
    .addColumn("urls", text, (column) => column.notNull())
    .addColumn("priority", "integer", (column) => column.notNull())
    .addColumn("groups", text, (column) => column.notNull())
    .addColumn("rules", text, (column) => column.notNull())
    .addColumn("rewrite_action", text, (column) => column.notNull())
    .addColumn("description", text)
    .addColumn("created_on", text, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("waf_overrides_zone")
    .on("waf_overrides")
    .columns(["zone_id", "priority", "id"])
    .execute();
};
