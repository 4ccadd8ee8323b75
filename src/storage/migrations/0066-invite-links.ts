import type { SchemaChange } from "./schema-change.ts";

/** The link by which somebody who is invited becomes a user. */
export const addInviteLinks: SchemaChange = async (db, { text }) => {
  await db.schema.alterTable("memberships").addColumn("link_hash", text).execute();
  await db.schema.createIndex("memberships_link").unique().on("memberships").column("link_hash").execute();
};
