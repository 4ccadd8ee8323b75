import { sql } from "kysely";

import type { Tables } from "../../src/storage/tables.ts";
import type { Engine, TestApp } from "./harness.ts";
import { besideServer } from "./store.ts";

interface RefusedRows {
  readonly table: keyof Tables;
  readonly on: "insert" | "update";
}

/** Keeps the store of a running server from taking rows, or lets it again. */
export async function refuseRows(
  app: TestApp,
  engine: Engine,
  { table, on }: RefusedRows,
  refused: boolean,
): Promise<void> {
  const [name, event] = [sql.table(table), sql.raw(on)];
  await besideServer(app, async (tx) => {
    if (engine === "sqlite") {
      await (
        refused
          ? sql`create trigger refused before ${event} on ${name} begin select raise(abort, 'refused'); end`
          : sql`drop trigger refused`
      ).execute(tx);
    } else if (refused) {
      await sql`create function refuse() returns trigger language plpgsql
        as $$ begin raise exception 'refused'; end $$`.execute(tx);
      await sql`create trigger refused before ${event} on ${name} execute function refuse()`.execute(tx);
    } else {
      await sql`drop trigger refused on ${name}`.execute(tx);
      await sql`drop function refuse`.execute(tx);
    }
  });
}
