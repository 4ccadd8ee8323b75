import { CompiledQuery, PostgresAdapter } from "kysely";

import { tables, type Db, type TableName, type Tables } from "./tables.ts";

type Value = string | number | null;
type Values<Names> = { readonly [Name in keyof Names]: Value };

/** Runs a statement and answers its rows. */
type Statement<Parameters, Row> = (db: Db, parameters: Parameters) => Promise<Row[]>;

const placeholder = /:(\w+)/g;

/** Statements with a fixed text as PostgreSQL takes them, by that text. */
export const fixedStatements = new Map<string, FixedStatement>();

interface FixedStatement {
  /** Under it a connection keeps the statement prepared. None where its columns change with the schema. */
  readonly name: string | undefined;
  /** Whether it writes, and answers nothing. */
  readonly isSilent: boolean;
}

function fixed(text: string): FixedStatement {
  const name = /\bselect \*/.test(text) ? undefined : `fixed ${fixedStatements.size}`;
  return { name, isSilent: /^\s*(?:insert|update|delete)\b(?!.*\breturning\b)/s.test(text) };
}

/**
 * A statement with a fixed text, for what nearly every request runs: Kysely takes longer to build such a query than
 * SQLite to run it. `:name` in the text stands for the parameter of that name. `for update` at the end locks the
 * rows on PostgreSQL; the only writer of SQLite needs no such locks.
 */
export function statement<Parameters extends Values<Parameters>, Row = never>(
  text: string,
): Statement<Parameters, Row> {
  const names = Array.from(text.matchAll(placeholder), ([, name]) => name as keyof Parameters);
  let count = 0;
  const onPostgres = CompiledQuery.raw(text.replaceAll(placeholder, () => `$${(count += 1)}`));
  fixedStatements.set(onPostgres.sql, fixed(onPostgres.sql));
  const onSqlite = CompiledQuery.raw(text.replaceAll(placeholder, "?").replace(/\sfor update$/, ""));
  return async (db, parameters) => {
    const executor = db.getExecutor();
    const compiled = executor.adapter instanceof PostgresAdapter ? onPostgres : onSqlite;
    const query = { ...compiled, parameters: names.map((name) => parameters[name]) };
    const { rows } = await executor.provideConnection((connection) => connection.executeQuery<Row>(query));
    return rows;
  };
}

/** A statement that inserts one row, but for the columns that have a default. */
export function insertion<Name extends TableName>(table: Name): Statement<Tables[Name], never> {
  const inserted = Object.entries(tables[table].columns).filter(
    ([, { default: value }]) => value === undefined,
  );
  const names = inserted.map(([name]) => name);
  const values = names.map((name) => `:${name}`);
  const insert: Statement<never, never> = statement<never>(
    `insert into ${table} (${names.join(", ")}) values (${values.join(", ")})`,
  );
  return insert as Statement<Tables[Name], never>;
}
