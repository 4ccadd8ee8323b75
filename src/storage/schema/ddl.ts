import { sql } from "kysely";

import { tableNames, tables, type Db, type TableName } from "../tables.ts";
import type { Column, Index } from "./table.ts";

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

export async function execute(tx: Db, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(tx);
}

/** The statements that give an empty store all tables and indexes. */
export function wholeSchema(engine: Engine): string[] {
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
 * Whether SQLite keeps the rows in the tree of their key, in place of one tree of rows and one of keys. It suits short rows
 * (https://sqlite.org/withoutrowid.html), as most with a key of several columns are.
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
