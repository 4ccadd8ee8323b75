import { PostgresAdapter, sql } from "kysely";

import type { Db } from "../tables.ts";
import type { SchemaChange } from "./schema-change.ts";

/** The tables whose rows may be of an account, for all of its zones; by which condition on `zones` they are. */
const conditions: Readonly<Record<string, (row: string) => string>> = {
  rulesets: (row) => `account_id = ${row}.account_id`,
  lists: (row) =>
    `account_id = ${row}.account_id and exists (select 1 from list_references r ` +
    `where r.account_id = ${row}.account_id and r.list_name = ${row}.name)`,
};

/**
 * How many of the changes that a version counts were of the account, so that an edge does not read a zone again because of
 * them. The triggers of `0045-edge-versions.ts` on the tables of accounts are replaced by others that count both.
 */
export const addEdgeAccountVersions: SchemaChange = async (db) => {
  await db.schema
    .alterTable("edge_versions")
    .addColumn("account_version", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  const replace = db.getExecutor().adapter instanceof PostgresAdapter ? replaceOnPostgres : replaceOnSqlite;
  for (const [table, ofAccount] of Object.entries(conditions)) await replace(db, table, ofAccount);
};

const raise = (start: string, condition: string, raised: readonly string[]): string =>
  `insert into edge_versions (zone_id, version) select id, ${start} from zones where ${condition} ` +
  `on conflict (zone_id) do update set ${raised.map((column) => `${column} = edge_versions.${column} + 1`).join(", ")}`;

/** What a change of a row, which is of a zone or of an account, raises. */
function raiseBoth(start: string, table: string, ofAccount: (row: string) => string, row: string): string {
  const account = raise(start, ofAccount(row), ["version", "account_version"]);
  if (table !== "rulesets") return account;
  return `${raise(start, `id = ${row}.zone_id`, ["version"])}; ${account}`;
}

async function replaceOnSqlite(db: Db, table: string, ofAccount: (row: string) => string): Promise<void> {
  for (const [event, row] of [
    ["insert", "new"],
    ["update", "new"],
    ["delete", "old"],
  ] as const) {
    const action = raiseBoth("abs(random() % 1000000000)", table, ofAccount, row);
    const name = `edge_${table}_${event}`;
    await sql.raw(`drop trigger ${name}`).execute(db);
    await sql.raw(`create trigger ${name} after ${event} on ${table} begin ${action}; end`).execute(db);
  }
}

async function replaceOnPostgres(db: Db, table: string, ofAccount: (row: string) => string): Promise<void> {
  const action = raiseBoth("floor(random() * 1000000000)::integer", table, ofAccount, "row_of");
  await sql
    .raw(
      `create or replace function edge_${table}_change() returns trigger language plpgsql as $$ declare row_of record; ` +
        `begin if tg_op = 'DELETE' then row_of := old; else row_of := new; end if; ${action}; return null; end $$`,
    )
    .execute(db);
}
