import type { SchemaChange } from "./schema-change.ts";

/** How many requests carried a token, by day. */
export const createTokenUsage: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("token_usage")
    .addColumn("token_id", text, (column) => column.notNull().references("tokens.id").onDelete("cascade"))
    .addColumn("day", text, (column) => column.notNull())
    .addColumn("requests", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("token_usage_key", ["token_id", "day"])
    .execute();
  await db.schema.createIndex("token_usage_day").on("token_usage").column("day").execute();
};
