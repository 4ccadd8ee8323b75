import type { SchemaChange } from "./schema-change.ts";

/**
 * The grantors of account tokens. Null for tokens that exist already, as it is unknown who holds their
 * secrets, and for those of an instance of the version before: such a token cannot delegate anything.
 */
export const addTokenGrantors: SchemaChange = async (db, { text }) => {
  await db.schema.alterTable("tokens").addColumn("grantors", text).execute();
};
