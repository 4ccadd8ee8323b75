import type { Expression } from "kysely";
import { sql } from "kysely";

import type { CursorRequest } from "../../core/page.ts";
import { matchesText, type TextMatch } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { ListItemRow } from "../../storage/schema/lists.ts";

/** What a search looks for in `searched`. */
export interface ItemSearch {
  readonly match: TextMatch;
  readonly text: string;
}

/** Items from the cursor on, `limit` at most, in the direction in which it leads away. */
export async function selectItems(
  db: Db,
  listId: string,
  cursor: Pick<CursorRequest, "after" | "before">,
  limit: number,
): Promise<ListItemRow[]> {
  return itemsBeside(db, listId, cursor).selectAll().limit(limit).execute();
}

/** The last key of the next items that a search looks through, and those among them that it finds. */
export async function searchItems(
  db: Db,
  listId: string,
  cursor: Pick<CursorRequest, "after" | "before">,
  { match, text }: ItemSearch,
  among: number,
): Promise<{ readonly end: string | undefined; readonly found: ListItemRow[] }> {
  const edge = await itemsBeside(db, listId, cursor)
    .select("item_key")
    .offset(among - 1)
    .limit(1)
    .executeTakeFirst();
  const end = edge?.item_key;
  let query = itemsBeside(db, listId, cursor)
    .selectAll()
    .where(({ ref }) => matchesText(ref("searched"), match, text));
  if (end !== undefined) query = query.where("item_key", cursor.before === undefined ? "<=" : ">=", end);
  return { end, found: await query.execute() };
}

function itemsBeside(db: Db, listId: string, { after, before }: Pick<CursorRequest, "after" | "before">) {
  const items = db.selectFrom("list_items").where("list_id", "=", listId);
  if (before !== undefined) return items.where("item_key", "<", before).orderBy("item_key", "desc");
  return (after === undefined ? items : items.where("item_key", ">", after)).orderBy("item_key");
}

/** Few enough that one statement stays within the parameters that both engines take, and takes some milliseconds. */
export const itemsAtOnce = 500;

/** How many of these keys the list has. */
export async function countKeys(db: Db, listId: string, keys: readonly string[]): Promise<number> {
  const { count } = await db
    .selectFrom("list_items")
    .where("list_id", "=", listId)
    .where("item_key", "in", keys)
    .select(({ fn }) => fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The ids among these that the list has. */
export async function selectItemIds(db: Db, listId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom("list_items")
    .where("list_id", "=", listId)
    .where("id", "in", ids)
    .select("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Adds items. One whose key is there already takes the place of what is there, and has its id and its age. */
export async function upsertItems(tx: Db, rows: readonly ListItemRow[]): Promise<void> {
  const sent = (column: keyof ListItemRow): Expression<never> => sql.ref(`excluded.${column}`);
  await tx
    .insertInto("list_items")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["list_id", "item_key"]).doUpdateSet({
        value: sent("value"),
        comment: sent("comment"),
        searched: sent("searched"),
        modified_on: sent("modified_on"),
      }),
    )
    .execute();
}

export async function deleteItems(tx: Db, listId: string, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom("list_items").where("list_id", "=", listId).where("id", "in", ids).execute();
}

/** Deletes some items of a list, and answers whether there may be more. */
export async function deleteSomeItems(tx: Db, listId: string, most: number): Promise<boolean> {
  const some = tx.selectFrom("list_items").where("list_id", "=", listId).select("id").limit(most);
  const { numDeletedRows } = await tx.deleteFrom("list_items").where("id", "in", some).executeTakeFirst();
  return Number(numDeletedRows) === most;
}
