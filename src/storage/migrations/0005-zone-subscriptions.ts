import type { SchemaChange } from "./schema-change.ts";

export const createZoneSubscriptions: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("zone_subscriptions")
    .addColumn("zone_id", text, (column) =>
      column.notNull().primaryKey().references("zones.id").onDelete("cascade"),
    )
    .addColumn("rate_plan", text, (column) => column.notNull())
    .addColumn("frequency", text, (column) => column.notNull())
    .addColumn("started_on", text, (column) => column.notNull())
    .execute();
};
