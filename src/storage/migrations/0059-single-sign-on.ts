import type { SchemaChange } from "./schema-change.ts";

/** Whether the user of a session signed in through an identity provider. */
export const addSingleSignOn: SchemaChange = async (db) => {
  await db.schema.alterTable("sessions").addColumn("by_provider", "integer").execute();
};
