import type { SchemaChange } from "./schema-change.ts";

/**
 * When and from which address a session began, so that its user can tell it from others; null for existing
 * sessions.
 */
export const addSessionOrigins: SchemaChange = async (db, { text }) => {
  await db.schema.alterTable("sessions").addColumn("started_on", text).execute();
  await db.schema.alterTable("sessions").addColumn("address", text).execute();
};
