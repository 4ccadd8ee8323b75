import { sql } from "kysely";

import type { SchemaChange } from "./schema-change.ts";

export const createRulesets: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("rulesets")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("zone_id", text, (column) => column.references("zones.id").onDelete("cascade"))
    .addColumn("account_id", text, (column) => column.references("accounts.id").onDelete("cascade"))
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("phase", text, (column) => column.notNull())
    .addColumn("version", "integer", (column) => column.notNull())
    .execute();
  // A zone and an account have one entry point per phase each, and any number of rulesets of kind `custom`.
  await db.schema
    .createIndex("rulesets_zone")
    .on("rulesets")
    .columns(["zone_id", "phase"])
    .unique()
    .where("zone_id", "is not", null)
    .execute();
  await db.schema
    .createIndex("rulesets_root")
    .on("rulesets")
    .columns(["account_id", "phase"])
    .unique()
    .where(sql<string>`kind`, "=", "root")
    .execute();
  await db.schema.createIndex("rulesets_account").on("rulesets").column("account_id").execute();
  await db.schema
    .createTable("ruleset_versions")
    .addColumn("ruleset_id", text, (column) => column.notNull().references("rulesets.id").onDelete("cascade"))
    .addColumn("version", "integer", (column) => column.notNull())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("description", text, (column) => column.notNull())
    .addColumn("rules", text, (column) => column.notNull())
    .addColumn("last_updated", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("ruleset_versions_key", ["ruleset_id", "version"])
    .execute();
};
