import { hash } from "node:crypto";

import { sql, type RawBuilder } from "kysely";

import { tables, type Db, type TableName } from "./tables.ts";

export type Row = Readonly<Record<string, string | number | null>>;

/** Bounds the memory: rows may be as large as a ruleset. */
const rowsAtOnce = 200;

/** All rows of a table in the order of its key, in batches. */
export async function* rowsOf(db: Db, table: TableName): AsyncGenerator<readonly Row[]> {
  let after: Row | undefined;
  do {
    const rows = await selectRows(db, table, { after, limit: rowsAtOnce });
    if (rows.length > 0) yield rows;
    after = rows.length === rowsAtOnce ? rows.at(-1) : undefined;
  } while (after !== undefined);
}

interface Range {
  /** After the key of this row; undefined for the beginning. */
  readonly after: Row | undefined;
  /** Up to the key of this row; undefined for the end. */
  readonly upTo?: Row | undefined;
  readonly limit?: number;
}

export async function selectRows(db: Db, table: TableName, range: Range): Promise<readonly Row[]> {
  const limit = range.limit === undefined ? sql`` : sql`limit ${range.limit}`;
  const { rows } = await sql<Row>`
    select * from ${sql.table(table)} where ${within(table, range)} order by ${keyOf(table)} ${limit}`.execute(
    db,
  );
  return rows;
}

export async function deleteRows(tx: Db, table: TableName, range: Range): Promise<void> {
  await sql`delete from ${sql.table(table)} where ${within(table, range)}`.execute(tx);
}

export async function insertRows(tx: Db, table: TableName, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values ${sql.join(values)}`.execute(tx);
}

export async function countRows(db: Db, table: TableName): Promise<number> {
  const { rows } = await sql<{ count: number | string }>`
    select count(*) as count from ${sql.table(table)}`.execute(db);
  return Number(rows[0]?.count);
}

/** A checksum that is the same for the same rows on both engines, in whatever order of columns. */
export function checksumOf(rows: readonly Row[], earlier: string): string {
  const texts = rows.map((row) =>
    JSON.stringify(Object.entries(row).toSorted(([one], [other]) => (one < other ? -1 : 1))),
  );
  return hash("sha256", `${earlier}\n${texts.join("\n")}`);
}

function within(table: TableName, { after, upTo }: Range): RawBuilder<unknown> {
  const bounds = [
    ...(after === undefined ? [] : [sql`(${keyOf(table)}) > (${keyValues(table, after)})`]),
    ...(upTo === undefined ? [] : [sql`(${keyOf(table)}) <= (${keyValues(table, upTo)})`]),
  ];
  return bounds.length === 0 ? sql`1 = 1` : sql.join(bounds, sql` and `);
}

const keyOf = (table: TableName): RawBuilder<unknown> =>
  sql.join(tables[table].key.map((column) => sql.ref(column)));

const keyValues = (table: TableName, row: Row): RawBuilder<unknown> =>
  sql.join(tables[table].key.map((column) => row[column]));
