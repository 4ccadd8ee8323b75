import type { SchemaChange } from "./schema-change.ts";

/**
 * The records before each change of a zone, so that its secondaries need no full transfer (AXFR) after a
 * restart.
 */
export const addDnsJournal: SchemaChange = async (db, { text }) => {
  await db.schema.alterTable("dns_changes").addColumn("serial_before", "double precision").execute();
  await db.schema.alterTable("dns_changes").addColumn("serial", "double precision").execute();
  await db.schema.alterTable("dns_changes").addColumn("records_before", text).execute();
};
