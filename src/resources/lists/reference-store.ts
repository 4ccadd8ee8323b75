import type { Db, ListReferenceRow } from "../../storage/tables.ts";

/** Puts what a ruleset or a filter refers to in the place of what it referred to. */
export async function replaceReferences(
  tx: Db,
  referrerId: string,
  rows: readonly ListReferenceRow[],
): Promise<void> {
  await tx.deleteFrom("list_references").where("referrer_id", "=", referrerId).execute();
  if (rows.length > 0) await tx.insertInto("list_references").values(rows).execute();
}
