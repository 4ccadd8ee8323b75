import type { SchemaChange } from "./schema-change.ts";

/** When and from where a session began, so that its user can tell it from others; unknown of those that there are. */
export const addSessionOrigins: SchemaChange = async (db, { text }) => {
  await db.schema.alterTable("sessions").addColumn("started_on", text).execute();
  await db.schema.alterTable("sessions").addColumn("address", text).execute();
};
