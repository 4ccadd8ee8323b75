import { sql } from "kysely";

import type { Engine, TestApp } from "./harness.ts";
import { besideServer } from "./store.ts";

/** Keeps the store of a running server from taking entries of the audit log, or lets it again. */
export async function refuseAuditLogs(app: TestApp, engine: Engine, refused: boolean): Promise<void> {
  await besideServer(app, async (tx) => {
    if (engine === "sqlite") {
      await (
        refused
          ? sql`create trigger refused before insert on audit_logs begin select raise(abort, 'refused'); end`
          : sql`drop trigger refused`
      ).execute(tx);
    } else if (refused) {
      await sql`create function refuse() returns trigger language plpgsql
        as $$ begin raise exception 'refused'; end $$`.execute(tx);
      await sql`create trigger refused before insert on audit_logs execute function refuse()`.execute(tx);
    } else {
      await sql`drop trigger refused on audit_logs`.execute(tx);
      await sql`drop function refuse`.execute(tx);
    }
  });
}
