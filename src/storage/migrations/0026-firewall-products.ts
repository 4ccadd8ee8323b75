import type { SchemaChange } from "./schema-change.ts";

/** Zone lockdowns and user-agent rules. */
export const createFirewallProducts: SchemaChange = async (db, { text }) => {
  const rulesOfZones = (table: string) =>
    db.schema
      .createTable(table)
      .addColumn("id", text, (column) => column.notNull().primaryKey())
      .addColumn("zone_id", text, (column) => column.notNull().references("zones.id").onDelete("cascade"))
      .addColumn("description", text, (column) => column.notNull())
      .addColumn("paused", "integer", (column) => column.notNull())
      .addColumn("created_on", text, (column) => column.notNull())
      .addColumn("modified_on", text, (column) => column.notNull());
  await rulesOfZones("zone_lockdowns")
    .addColumn("urls", text, (column) => column.notNull())
    .addColumn("configurations", text, (column) => column.notNull())
    .addColumn("priority", "integer")
    .execute();
  await rulesOfZones("user_agent_rules")
    .addColumn("mode", text, (column) => column.notNull())
    .addColumn("user_agent", text, (column) => column.notNull())
    .execute();
  for (const table of ["zone_lockdowns", "user_agent_rules"]) {
    await db.schema.createIndex(`${table}_zone`).on(table).columns(["zone_id", "created_on"]).execute();
  }
};
