import { countRows } from "../../storage/page.ts";
import type { Db } from "../../storage/tables.ts";

/** The tables whose rows are counted. */
const counted = [
  "zones",
  "memberships",
  "resource_groups",
  "user_groups",
  "tokens",
  "access_rules",
  "rulesets",
  "lists",
] as const;

/** Counts the rows of each table that belong to the account. */
export async function countInAccount(
  db: Db,
  accountId: string,
): Promise<Record<(typeof counted)[number], number>> {
  const counts: [string, number][] = [];
  for (const table of counted) {
    counts.push([table, await countRows(db.selectFrom(table).where("account_id", "=", accountId))]);
  }
  return Object.fromEntries(counts) as Record<(typeof counted)[number], number>;
}
