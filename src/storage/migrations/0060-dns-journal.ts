import type { SchemaChange } from "./schema-change.ts";

/** What changes of records took from a zone, so that its secondaries need not transfer all of it after a restart. */
export const addDnsJournal: SchemaChange = async (db, { text }) => {
  await db.schema.alterTable("dns_changes").addColumn("serial_before", "double precision").execute();
  await db.schema.alterTable("dns_changes").addColumn("serial", "double precision").execute();
  await db.schema.alterTable("dns_changes").addColumn("records_before", text).execute();
};
