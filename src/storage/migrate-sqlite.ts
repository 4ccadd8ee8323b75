import type { DatabaseSync } from "node:sqlite";

import { sqliteColumns } from "./columns.ts";
import { kyselyOnSqlite } from "./dialects/node-sqlite.ts";
import { isMigrated } from "./migrations/applied.ts";
import type { Tables } from "./tables.ts";
import { wholeSchema } from "./whole-schema.ts";

/**
 * Applies the migrations that a SQLite store lacks: to an empty one all at once where the build has written down what they
 * come to, which takes a tenth of their time. Throws while another connection writes.
 */
export async function migrateSqlite(database: DatabaseSync): Promise<void> {
  if (wholeSchema !== undefined) createWholeSchema(database, wholeSchema);
  const db = kyselyOnSqlite<Tables>({ database });
  if (await isMigrated(db)) return;
  const { migrateToLatest } = await import("./migrations/index.ts");
  // A table that is made anew is dropped before: nothing may follow it, nor be checked meanwhile.
  database.exec("pragma foreign_keys = off; pragma legacy_alter_table = on");
  try {
    await migrateToLatest(db, sqliteColumns);
  } finally {
    database.exec("pragma foreign_keys = on; pragma legacy_alter_table = off");
  }
}

/** All of it or nothing; nothing where another process was first. */
function createWholeSchema(database: DatabaseSync, statements: string): void {
  database.exec("begin immediate");
  try {
    const isEmpty = database.prepare("select 1 from sqlite_schema").get() === undefined;
    if (isEmpty) database.exec(statements);
    database.exec("commit");
  } catch (error) {
    database.exec("rollback");
    throw error;
  }
}
