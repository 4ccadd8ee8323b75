import { countRows } from "../../storage/page.ts";
import type { Db } from "../../storage/tables.ts";

/** What belongs to an account, by table. */
const counted = [
  "zones",
  "memberships",
  "resource_groups",
  "tokens",
  "access_rules",
  "rulesets",
  "lists",
] as const;

/** How much belongs to the account. */
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
