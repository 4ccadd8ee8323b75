import type { SchemaChange } from "./schema-change.ts";

/** Fields of security events that were not stored before; they are empty in events of earlier versions. */
export const addEventPlaces: SchemaChange = async (db, { text }) => {
  for (const name of ["client_asn_description", "edge_colo", "originator_ray_name"]) {
    await db.schema
      .alterTable("security_events")
      .addColumn(name, text, (column) => column.notNull().defaultTo(""))
      .execute();
  }
};
