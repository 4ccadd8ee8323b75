import type { SchemaChange } from "./schema-change.ts";

/** How many events each stands for; events of earlier versions are one each. */
export const addEventSamples: SchemaChange = async (db) => {
  await db.schema
    .alterTable("security_events")
    .addColumn("sample_interval", "integer", (column) => column.notNull().defaultTo(1))
    .execute();
};
