import { DatabaseSync } from "node:sqlite";

import type { Plugin } from "rolldown";

import { migrateSqlite } from "../../src/storage/migrate-sqlite.ts";

/** Gives the bundle what its migrations come to on SQLite, in the place of `src/storage/whole-schema.ts`. */
export function wholeSchema(): Plugin {
  return {
    name: "whole-schema",
    load: {
      filter: { id: /[\\/]src[\\/]storage[\\/]whole-schema\.ts$/ },
      handler: async () => `export const wholeSchema = ${JSON.stringify(await migratedSchema())};`,
    },
  };
}

/** The statements that make each table, index and trigger, as SQLite keeps them, and those that make the rows. */
async function migratedSchema(): Promise<string> {
  using database = new DatabaseSync(":memory:");
  await migrateSqlite(database);
  const parts = database
    .prepare("select type, name, sql from sqlite_schema where sql is not null order by rowid")
    .all();
  const tables = parts.filter(({ type }) => type === "table").map(({ name }) => String(name));
  const statements = [
    ...parts.map(({ sql }) => String(sql)),
    ...tables.flatMap((table) => insertsInto(database, table)),
  ];
  return statements.map((statement) => `${statement};\n`).join("");
}

function insertsInto(database: DatabaseSync, table: string): string[] {
  const columns = database.prepare(`select name from pragma_table_info('${table}')`).all();
  const values = columns.map(({ name }) => valueOf(table, String(name)));
  const rows = database.prepare(`select concat_ws(', ', ${values.join(", ")}) as row from "${table}"`).all();
  return rows.map(({ row }) => `insert into "${table}" values (${String(row)})`);
}

/** The value of a column as SQL, in SQL. That of the time at which a migration was applied is when the statement runs. */
function valueOf(table: string, column: string): string {
  const isTime = table === "kysely_migration" && column === "timestamp";
  return isTime ? `'strftime(''%Y-%m-%dT%H:%M:%fZ'', ''now'')'` : `quote("${column}")`;
}
