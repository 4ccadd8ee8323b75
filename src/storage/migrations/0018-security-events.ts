import type { SchemaChange } from "./schema-change.ts";

const texts = [
  "ray_name",
  "kind",
  "source",
  "action",
  "ruleset_id",
  "rule_id",
  "rule_message",
  "client_ip",
  "client_asn",
  "client_country",
  "user_agent",
  "referer_host",
  "host",
  "method",
  "protocol",
  "path",
  "query",
  "metadata",
] as const;
const numbers = ["match_index", "edge_status", "origin_status"] as const;

export const createSecurityEvents: SchemaChange = async (db, { text }) => {
  let table = db.schema
    .createTable("security_events")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("zone_id", text, (column) => column.notNull().references("zones.id").onDelete("cascade"))
    .addColumn("datetime", text, (column) => column.notNull());
  for (const name of texts) table = table.addColumn(name, text, (column) => column.notNull());
  for (const name of numbers) table = table.addColumn(name, "integer", (column) => column.notNull());
  await table.execute();
  await db.schema
    .createIndex("security_events_zone")
    .on("security_events")
    .columns(["zone_id", "datetime", "id"])
    .execute();
};
