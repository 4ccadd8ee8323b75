import type { SchemaChange } from "./schema-change.ts";

/** Whether a provider of identities has signed the user of a session in. */
export const addSingleSignOn: SchemaChange = async (db) => {
  await db.schema.alterTable("sessions").addColumn("by_provider", "integer").execute();
};
