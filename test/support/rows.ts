import { toTimestamp } from "../../src/storage/columns.ts";
import type { Db } from "../../src/storage/tables.ts";
import type { AccountRow } from "../../src/storage/schema/accounts.ts";
import { startOfTime } from "./harness.ts";

/** A row of the simplest table, for tests of the store itself. */
export function accountRow(name: string): AccountRow {
  return {
    id: name,
    name,
    name_folded: name.toLowerCase(),
    type: null,
    abuse_contact_email: null,
    enforces_two_factor: null,
    created_on: toTimestamp(startOfTime),
  };
}

export async function addRow(db: Db, name: string): Promise<void> {
  await db.insertInto("accounts").values(accountRow(name)).execute();
}

export async function rowNames(db: Db): Promise<string[]> {
  const rows = await db.selectFrom("accounts").select("name").orderBy("id").execute();
  return rows.map(({ name }) => name);
}
