import type { Db } from "../../storage/tables.ts";
import type { Web3ContentListEntryRow } from "../../storage/tables/web3.ts";

export async function insertContentListEntries(
  db: Db,
  rows: readonly Web3ContentListEntryRow[],
): Promise<void> {
  if (rows.length > 0) await db.insertInto("web3_content_list_entries").values(rows).execute();
}

export async function deleteContentListEntries(db: Db, hostnameId: string): Promise<void> {
  await db.deleteFrom("web3_content_list_entries").where("hostname_id", "=", hostnameId).execute();
}

/** By content; read whole, as `contentListEntriesMax` bounds them. */
export async function selectContentListEntries(
  db: Db,
  hostnameId: string,
): Promise<Web3ContentListEntryRow[]> {
  return db
    .selectFrom("web3_content_list_entries")
    .selectAll()
    .where("hostname_id", "=", hostnameId)
    .orderBy("content")
    .execute();
}
