import type { SchemaChange } from "./schema-change.ts";

/** Fields of security events that were not stored before; they are empty in events of earlier versions. */
export const addEventFields: SchemaChange = async (db, { text }) => {
  for (const name of ["request_scheme", "referer_scheme", "referer_path", "referer_query"]) {
    await db.schema
      .alterTable("security_events")
      .addColumn(name, text, (column) => column.notNull().defaultTo(""))
      .execute();
  }
};
