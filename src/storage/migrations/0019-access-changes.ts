import { PostgresAdapter, sql } from "kysely";

import { accessChangesChannel } from "../postgres-watch.ts";
import type { Db } from "../tables.ts";
import type { SchemaChange } from "./schema-change.ts";

/** Which changes of a table other instances have to hear of. Not when a token was last used: that is written often. */
const accessChanges = {
  users: "insert or update or delete",
  memberships: "insert or update or delete",
  tokens:
    "insert or delete or update of user_id, account_id, status, secret_hash, policies, condition, not_before, expires_on",
};

/**
 * PostgreSQL tells every instance when who may do what has changed, at the commit of the change and whoever made it.
 * A SQLite file says by itself that it was changed.
 */
export const announceAccessChanges: SchemaChange = async (db) => {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  await sql`
    create function announce_access_change() returns trigger language plpgsql as
    $$ begin perform pg_notify(${sql.lit(accessChangesChannel)}, ''); return null; end $$`.execute(db);
  for (const [table, changes] of Object.entries(accessChanges)) await announceChanges(db, table, changes);
};

/** Tells of `changes` of a table too, written as PostgreSQL's triggers name them. */
export async function announceChanges(db: Db, table: string, changes: string): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  await sql`
    create trigger ${sql.ref(`${table}_changed`)} after ${sql.raw(changes)} on ${sql.table(table)}
    for each statement execute function announce_access_change()`.execute(db);
}
