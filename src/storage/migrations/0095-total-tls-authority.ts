import type { SchemaChange } from "./schema-change.ts";

/** Whether somebody has chosen the authority of Total TLS; that of earlier versions is answered as before. */
export const addTotalTlsAuthorityDefault: SchemaChange = async (db) => {
  await db.schema
    .alterTable("total_tls")
    .addColumn("is_authority_default", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
};
