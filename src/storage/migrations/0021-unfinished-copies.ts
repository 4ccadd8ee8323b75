import type { SchemaChange } from "./schema-change.ts";

/** Has a row as long as the store is being filled by `zoneward database copy`. */
export const createUnfinishedCopies: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("unfinished_copies")
    .addColumn("started_on", text, (column) => column.notNull().primaryKey())
    .execute();
};
