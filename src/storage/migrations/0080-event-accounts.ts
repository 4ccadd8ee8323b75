import { sql } from "kysely";

import type { SchemaChange } from "./schema-change.ts";

/** The account of each event, so that accounts have a share of what is kept. It is empty in those that an earlier version adds. */
export const addEventAccounts: SchemaChange = async (db, { text }) => {
  await db.schema
    .alterTable("security_events")
    .addColumn("account_id", text, (column) => column.notNull().defaultTo(""))
    .execute();
  await sql`
    update security_events
    set account_id = (select account_id from zones where zones.id = security_events.zone_id)
  `.execute(db);
  await db.schema
    .createIndex("security_events_account")
    .on("security_events")
    .columns(["account_id", "id"])
    .execute();
};
