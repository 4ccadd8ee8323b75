import type { SchemaChange } from "./schema-change.ts";

/**
 * Nobody knows for sure who holds the secrets of the tokens that accounts have already, and an instance of the version
 * before writes no grantors either: null, which lets a token hand on nothing.
 */
export const addTokenGrantors: SchemaChange = async (db, { text }) => {
  await db.schema.alterTable("tokens").addColumn("grantors", text).execute();
};
