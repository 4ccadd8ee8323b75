import { sql } from "kysely";

import type { SchemaChange } from "./schema-change.ts";

/**
 * A transfer of any size is stored in portions that nobody sees: its records are shown from the next generation of the zone on, and
 * those that it replaces until then. The zone has the next generation at once.
 */
export const addRecordGenerations: SchemaChange = async (db) => {
  for (const table of ["dns_records", "wire_records"]) {
    await db.schema
      .alterTable(table)
      .addColumn("shown_from", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable(table).addColumn("shown_until", "integer").execute();
    // What is hidden now, or was staged, which are few rows.
    await db.schema
      .createIndex(`${table}_shown_until`)
      .on(table)
      .columns(["zone_id", "shown_until"])
      .where(sql.ref("shown_until"), "is not", null)
      .execute();
    await db.schema
      .createIndex(`${table}_shown_from`)
      .on(table)
      .columns(["zone_id", "shown_from"])
      .where(sql.ref("shown_from"), ">", sql.lit(0))
      .execute();
  }
  for (const column of ["records_generation", "hides_records"]) {
    await db.schema
      .alterTable("zones")
      .addColumn(column, "integer", (one) => one.notNull().defaultTo(0))
      .execute();
  }
};
