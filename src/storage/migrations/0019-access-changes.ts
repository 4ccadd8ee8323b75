import { PostgresAdapter, sql } from "kysely";

import { accessChangesChannel } from "../postgres-watch.ts";
import type { Db } from "../tables.ts";
import type { SchemaChange } from "./schema-change.ts";

/**
 * The changes of each table that other instances must be told of; not the last use of a token, which is
 * written often.
 */
const accessChanges = {
  users: "insert or update or delete",
  memberships: "insert or update or delete",
  tokens:
    "insert or delete or update of user_id, account_id, status, secret_hash, policies, condition, not_before, expires_on",
};

/**
 * PostgreSQL notifies every instance of changes of access rights, at the commit, whoever made the change. For
 * SQLite, instances poll `data_version` instead.
 */
export const announceAccessChanges: SchemaChange = async (db) => {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  await sql`
    create function announce_access_change() returns trigger language plpgsql as
    $$ begin perform pg_notify(${sql.lit(accessChangesChannel)}, ''); return null; end $$`.execute(db);
  for (const [table, changes] of Object.entries(accessChanges)) await announceChanges(db, table, changes);
};

/** Announces `changes` of a further table; `changes` is the event list of a PostgreSQL trigger. */
export async function announceChanges(db: Db, table: string, changes: string): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  await sql`
    create trigger ${sql.ref(`${table}_changed`)} after ${sql.raw(changes)} on ${sql.table(table)}
    for each statement execute function announce_access_change()`.execute(db);
}
