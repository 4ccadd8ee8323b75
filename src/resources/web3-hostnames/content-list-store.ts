import type { Db, Web3ContentListEntryRow } from "../../storage/tables.ts";

export async function insertContentListEntries(
  db: Db,
  rows: readonly Web3ContentListEntryRow[],
): Promise<void> {
  if (rows.length > 0) await db.insertInto("web3_content_list_entries").values(rows).execute();
}

export async function updateContentListEntry(
  db: Db,
  id: string,
  change: Partial<Web3ContentListEntryRow>,
): Promise<void> {
  await db.updateTable("web3_content_list_entries").set(change).where("id", "=", id).execute();
}

export async function deleteContentListEntryRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom("web3_content_list_entries").where("id", "=", id).execute();
}

export async function deleteContentListEntries(db: Db, hostnameId: string): Promise<void> {
  await db.deleteFrom("web3_content_list_entries").where("hostname_id", "=", hostnameId).execute();
}

export async function selectContentListEntry(
  db: Db,
  hostnameId: string,
  id: string,
): Promise<Web3ContentListEntryRow | undefined> {
  return db
    .selectFrom("web3_content_list_entries")
    .selectAll()
    .where("hostname_id", "=", hostnameId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** By content; few enough to be read whole, as `contentListEntriesMax` bounds them. */
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
