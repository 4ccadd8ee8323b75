import { type Expression, sql } from "kysely";
import type { ListCounts } from "../../core/lists/kinds.ts";
import type { ListReference } from "../../core/documents/zone-document.ts";
import type { Db } from "../../storage/tables.ts";
import type { ListRow, ListItemRow, ListOperationRow } from "../../storage/schema/lists.ts";
import type { CursorRequest } from "../../core/page.ts";
import { matchesText, type TextMatch } from "../../storage/columns.ts";
import type { Timestamp } from "../../storage/schema/table.ts";

/** A list and how many rules and filters name it. */
export type ShownList = ListRow & { readonly uses: number };

/** All of an account, the oldest first: the plan bounds them. */
export async function selectLists(db: Db, accountId: string): Promise<ShownList[]> {
  return shown(await usedLists(db, accountId).orderBy("lists.id").execute());
}

export async function selectList(db: Db, accountId: string, id: string): Promise<ShownList | undefined> {
  const [list] = shown(await usedLists(db, accountId).where("lists.id", "=", id).execute());
  return list;
}

/** The list, which no rule begins to name until the transaction ends. */
export async function lockList(tx: Db, accountId: string, id: string): Promise<void> {
  await tx
    .selectFrom("lists")
    .select("id")
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .forUpdate()
    .execute();
}

export async function selectItemsVersion(db: Db, id: string): Promise<number | undefined> {
  const row = await db.selectFrom("lists").select("items_version").where("id", "=", id).executeTakeFirst();
  return row?.items_version;
}

const namesAtOnce = 500;

/** Selects those lists that the account has; nobody deletes them until the transaction ends. */
export async function selectNamedLists(
  tx: Db,
  accountId: string,
  names: readonly string[],
): Promise<Pick<ListRow, "name" | "kind">[]> {
  const lists: Pick<ListRow, "name" | "kind">[] = [];
  for (let from = 0; from < names.length; from += namesAtOnce) {
    const some = await tx
      .selectFrom("lists")
      .select(["name", "kind"])
      .where("account_id", "=", accountId)
      .where("name", "in", names.slice(from, from + namesAtOnce))
      .forKeyShare()
      .execute();
    lists.push(...some);
  }
  return lists;
}

export async function selectListCounts(db: Db, accountId: string): Promise<ListCounts> {
  const rows = await db
    .selectFrom("lists")
    .where("account_id", "=", accountId)
    .groupBy("kind")
    .select(({ fn }) => ["kind", fn.countAll().as("lists"), fn.sum("item_count").as("items")])
    .execute();
  return new Map(
    rows.map(({ kind, lists, items }) => [kind, { lists: Number(lists), items: Number(items) }]),
  );
}

function usedLists(db: Db, accountId: string) {
  return db
    .selectFrom("lists")
    .selectAll("lists")
    .select(({ selectFrom }) =>
      selectFrom("list_references")
        .whereRef("list_references.account_id", "=", "lists.account_id")
        .whereRef("list_references.list_name", "=", "lists.name")
        .select(({ fn }) => fn.sum("list_references.uses").as("sum"))
        .as("uses"),
    )
    .where("lists.account_id", "=", accountId);
}

function shown(rows: readonly (ListRow & { readonly uses: unknown })[]): ShownList[] {
  return rows.map((row) => ({ ...row, uses: Number(row.uses ?? 0) }));
}

/** The texts that a search looks for in `searched`. */
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

/**
 * Few enough that one statement stays within the parameters that both engines take, and takes some
 * milliseconds.
 */
export const itemsAtOnce = 500;

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

/**
 * Adds items. One whose key is there already takes the place of what is there, and has its id and its age.
 */
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

const waiting = ["pending", "running"] as const;

/** An operation without what it is to do, which may be large. */
export type OperationState = Pick<ListOperationRow, "id" | "status" | "error" | "ended_on">;

export async function selectOperation(
  db: Db,
  accountId: string,
  id: string,
): Promise<OperationState | undefined> {
  return db
    .selectFrom("list_operations")
    .select(["id", "status", "error", "ended_on"])
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Whether an operation of the account has not ended; of that list alone where one is given. */
export async function existsWaiting(db: Db, accountId: string, listId?: string): Promise<boolean> {
  const query = db
    .selectFrom("list_operations")
    .select("id")
    .where("account_id", "=", accountId)
    .where("status", "in", waiting);
  const found = await (listId === undefined ? query : query.where("list_id", "=", listId))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** The next operations to be done, without what they are to do: the oldest first. */
export async function selectWaiting(
  db: Db,
  most: number,
): Promise<Pick<ListOperationRow, "id" | "account_id" | "requested_by">[]> {
  return db
    .selectFrom("list_operations")
    .select(["id", "account_id", "requested_by"])
    .where("status", "in", waiting)
    .orderBy("created_on")
    .orderBy("id")
    .limit(most)
    .execute();
}

/** An operation that has not ended, with what it is to do. */
export async function selectWaitingOperation(db: Db, id: string): Promise<ListOperationRow | undefined> {
  return db
    .selectFrom("list_operations")
    .selectAll()
    .where("id", "=", id)
    .where("status", "in", waiting)
    .executeTakeFirst();
}

/** Forgets operations of an account that ended before then. */
export async function deleteEnded(tx: Db, accountId: string, before: Timestamp): Promise<void> {
  await tx
    .deleteFrom("list_operations")
    .where("account_id", "=", accountId)
    .where("ended_on", "<", before)
    .execute();
}

/** The lists of an account to which any ruleset or filter refers, by name. */
export async function selectListsInUse(db: Db, accountId: string): Promise<ListReference[]> {
  return db
    .selectFrom("lists")
    .select(["id", "name", "kind", "item_count as itemCount", "items_version as version"])
    .where("account_id", "=", accountId)
    .where("name", "in", ({ selectFrom }) =>
      selectFrom("list_references").select("list_name").where("account_id", "=", accountId),
    )
    .orderBy("name")
    .execute();
}
