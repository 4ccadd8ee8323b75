import type { DatabaseSync } from "node:sqlite";

import { sql } from "kysely";

import { kyselyOnSqlite } from "./dialects/node-sqlite.ts";
import type { Column, Index } from "./schema/table.ts";
import { tableNames, tables, type Db, type TableName, type Tables } from "./tables.ts";

export type Engine = "sqlite" | "postgres";

/**
 * Brings stores of earlier versions to what the tables declare. It only adds, so that the previous version can go on
 * serving; what is no longer used is removed one version later (docs/operating/upgrades.md#what-a-migration-may-do).
 */
export type SchemaChange = (tx: Db, engine: Engine) => Promise<void>;

/** Adds a table with its indexes, as it is declared. */
export async function addTable(tx: Db, engine: Engine, table: TableName): Promise<void> {
  await execute(tx, creationOf(engine, table));
}

/** Adds a column, as it is declared. */
export async function addColumn(tx: Db, engine: Engine, table: TableName, column: string): Promise<void> {
  const declared = tables[table].columns[column];
  if (declared === undefined) throw new Error(`${table} declares no column ${column}`);
  await execute(tx, [`alter table "${table}" add column ${definitionOf(engine, column, declared)}`]);
}

/** Adds an index, as it is declared. */
export async function addIndex(tx: Db, table: TableName, index: Index): Promise<void> {
  await execute(tx, [indexCreationOf(table, index)]);
}

async function execute(tx: Db, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(tx);
}

/** The statements that give an empty store all tables and indexes. */
function wholeSchema(engine: Engine): string[] {
  return tableNames.flatMap((name) => creationOf(engine, name));
}

function creationOf(engine: Engine, name: TableName): string[] {
  const { columns, key, indexes } = tables[name];
  const definitions = Object.entries(columns).map(([column, declared]) =>
    definitionOf(engine, column, declared),
  );
  const parts = [...definitions, `primary key (${quoted(key)})`].join(", ");
  return [
    `create table "${name}" (${parts})${isKeyedTree(engine, key) ? " without rowid" : ""}`,
    ...indexes.map((index) => indexCreationOf(name, index)),
  ];
}

/**
 * Whether SQLite keeps the rows in the tree of their key, in place of one tree of rows and one of keys. It suits
 * short rows (https://sqlite.org/withoutrowid.html), as most with a key of several columns are.
 */
function isKeyedTree(engine: Engine, key: readonly string[]): boolean {
  return engine === "sqlite" && key.length > 1;
}

/** All text compares byte by byte; the integers of PostgreSQL have 32 bits. */
const types = {
  sqlite: { text: "text", integer: "integer", uint32: "integer" },
  postgres: { text: 'text collate "C"', integer: "integer", uint32: "double precision" },
} as const;

function definitionOf(engine: Engine, name: string, column: Column): string {
  const { type, isNullable, reference, default: value } = column;
  return [
    `"${name}" ${types[engine][type]}`,
    ...(isNullable ? [] : ["not null"]),
    ...(value === undefined ? [] : [`default ${typeof value === "string" ? `'${value}'` : value}`]),
    ...(reference ? [`references "${reference.table}" on delete ${reference.onDelete}`] : []),
  ].join(" ");
}

function indexCreationOf(table: TableName, { on, isUnique, where }: Index): string {
  const name = `${table}_${on.join("_")}_${isUnique ? "key" : "idx"}`;
  const rows = where === undefined ? "" : ` where ${where}`;
  return `create ${isUnique ? "unique " : ""}index "${name}" on "${table}" (${quoted(on)})${rows}`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

type SchemaChanges = Readonly<Record<string, SchemaChange>>;

/** All migrations of this version, in order. A name never changes after its release. */
const schemaChanges: SchemaChanges = {
  // Gives an empty store all that is declared now, so that later migrations have nothing to do there.
  "0001-baseline": (tx, engine) => execute(tx, wholeSchema(engine)),
};

/**
 * Applies the migrations that a store lacks, in a transaction that excludes all others: to an empty store the first
 * alone, which gives it what all come to. Those of a later version are left alone.
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

/**
 * Brings a SQLite store up to date. Throws while another connection writes, and for a store of a development version.
 */
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
