import { announceChanges } from "./0019-access-changes.ts";
import type { SchemaChange } from "./schema-change.ts";

export const createSessions: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("passwords")
    .addColumn("user_id", text, (column) =>
      column.notNull().primaryKey().references("users.id").onDelete("cascade"),
    )
    .addColumn("hash", text, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("sessions")
    .addColumn("id_hash", text, (column) => column.notNull().primaryKey())
    .addColumn("user_id", text, (column) => column.notNull().references("users.id").onDelete("cascade"))
    .addColumn("used_on", text, (column) => column.notNull())
    .addColumn("expires_on", text, (column) => column.notNull())
    .execute();
  await db.schema.createIndex("sessions_user").on("sessions").column("user_id").execute();
  await announceChanges(db, "sessions", "delete");
  await db.schema
    .createTable("sign_in_links")
    .addColumn("token_hash", text, (column) => column.notNull().primaryKey())
    .addColumn("user_id", text, (column) => column.notNull().references("users.id").onDelete("cascade"))
    .addColumn("expires_on", text, (column) => column.notNull())
    .execute();
  await db.schema.createIndex("sign_in_links_user").on("sign_in_links").column("user_id").execute();
  await db.schema
    .createTable("kept_api_keys")
    .addColumn("user_id", text, (column) =>
      column.notNull().primaryKey().references("users.id").onDelete("cascade"),
    )
    .addColumn("api_key", text, (column) => column.notNull())
    .execute();
};
