import type { SchemaChange } from "./schema-change.ts";

/** The set of name servers that a zone has chosen; null for the standard ones. */
export const addNameServerSets: SchemaChange = async (db) => {
  await db.schema.alterTable("zones").addColumn("name_server_set", "integer").execute();
};
