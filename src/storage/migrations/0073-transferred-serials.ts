import type { SchemaChange } from "./schema-change.ts";

/** The serial that a peer last transferred, and how often it is still to be reminded of the one it was notified of. */
export const addTransferredSerials: SchemaChange = async (db) => {
  for (const [table, prefix] of [
    ["outgoing_peers", ""],
    ["transfer_peers", "catalog_"],
  ] as const) {
    await db.schema.alterTable(table).addColumn(`${prefix}transferred_serial`, "double precision").execute();
    await db.schema
      .alterTable(table)
      .addColumn(`${prefix}reminders_left`, "integer", (column) => column.notNull().defaultTo(0))
      .execute();
  }
};
