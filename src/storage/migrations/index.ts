import type { DatabaseSync } from "node:sqlite";

import { sql } from "kysely";

import { kyselyOnSqlite } from "../dialects/node-sqlite.ts";
import { execute, type Engine, type SchemaChange } from "../schema/ddl.ts";
import type { Db, Tables } from "../tables.ts";
import { createWholeSchema } from "./0001-baseline.ts";

type SchemaChanges = Readonly<Record<string, SchemaChange>>;

/** All migrations of this version, in order. A name never changes after its release. */
const schemaChanges: SchemaChanges = {
  "0001-baseline": createWholeSchema,
};

/**
 * Applies the migrations that a store lacks, in a transaction that excludes all others: to an empty store the first alone,
 * which gives it what all come to. Those of a later version are left alone.
 */
export async function applyMigrations(
  tx: Db,
  engine: Engine,
  changes: SchemaChanges = schemaChanges,
): Promise<void> {
  await execute(tx, [
    "create table if not exists migrations (name varchar(255) not null primary key, applied_on varchar(255) not null)",
  ]);
  const applied = await selectMigrations(tx);
  const missing = Object.keys(changes).filter((name) => !applied.includes(name));
  const [first] = missing;
  for (const name of missing) {
    if (applied.length > 0 || name === first) await changes[name]?.(tx, engine);
    await sql`insert into migrations values (${name}, ${new Date().toISOString()})`.execute(tx);
  }
}

/** Brings a SQLite store up to date. Throws while another connection writes, and for a store of a development version. */
export async function migrateSqlite(database: DatabaseSync): Promise<void> {
  const db = kyselyOnSqlite<Tables>({ database });
  if (await isMigrated(db)) return;
  await refuseDevelopmentStore(db);
  // A later migration that makes a table anew drops it before: nothing may follow it, nor be checked meanwhile.
  database.exec("pragma foreign_keys = off; pragma legacy_alter_table = on");
  try {
    database.exec("begin immediate");
    await applyMigrations(db, "sqlite");
    database.exec("commit");
  } finally {
    if (database.isTransaction) database.exec("rollback");
    database.exec("pragma foreign_keys = on; pragma legacy_alter_table = off");
  }
}

/** Whether every store has a table of that name, or had it before the first release. */
export function isTableOfStores(name: string): boolean {
  return name === "migrations" || name === "kysely_migration";
}

/**
 * Throws for a store that was made before the first release: its tables are not those of any migration. Not within a
 * transaction, which PostgreSQL would end.
 */
export async function refuseDevelopmentStore(db: Db): Promise<void> {
  const firstOfDevelopment = sql`select 1 from kysely_migration where name = '0001-accounts'`;
  const rows = await firstOfDevelopment.execute(db).then(
    (found) => found.rows,
    () => [],
  );
  if (rows.length === 0) return;
  throw new Error(
    "a development version of Zoneward made it, before the first release, and no other version can use it: " +
      "begin with a new store, in another data directory or database",
  );
}

/** The names of the applied migrations, in order. */
export async function selectMigrations(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db);
  return rows.map(({ name }) => name).toSorted();
}

/** The migrations of this version that the store lacks, in order. */
export async function selectMissingMigrations(db: Db): Promise<readonly string[]> {
  const applied = await selectMigrations(db);
  return Object.keys(schemaChanges).filter((name) => !applied.includes(name));
}

/** Whether no migration is missing. Also false if that cannot be read: the attempt to migrate then reports why. */
export async function isMigrated(db: Db): Promise<boolean> {
  try {
    return (await selectMissingMigrations(db)).length === 0;
  } catch {
    return false;
  }
}
