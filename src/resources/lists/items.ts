import { hash } from "node:crypto";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import type { CursorPage, CursorRequest } from "../../core/page.ts";
import { JsonText } from "../../core/json.ts";
import {
  parseListedAddress,
  readListItem,
  type ListedItem,
  type SentListItem,
} from "../../core/lists/items.ts";
import type { ListKind } from "../../core/lists/kinds.ts";
import { createPause } from "../../operation/pause.ts";
import { toJson, toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { ListItemRow } from "../../storage/schema/lists.ts";
import { selectRow } from "../../storage/rows.ts";
import { searchItems, selectItems, type ItemSearch } from "./store.ts";

/** An item as the API answers it: its value as it is stored. */
export function toItem({ id, value, comment, created_on, modified_on }: ListItemRow): JsonText {
  const rest = { ...(comment !== null && { comment }), created_on, modified_on };
  return new JsonText(`{"id":"${id}",${value.slice(1, -1)},${JSON.stringify(rest).slice(1)}`);
}

/** Errors: 404 code 10002. */
export async function findItem(db: Db, listId: string, id: string): Promise<ListItemRow> {
  const row = await selectRow(db, "list_items", { list_id: listId, id });
  if (row === undefined)
    throw new AppError("not-found", errorCodes.lists.unknownItem, "could not find list item");
  return row;
}

/**
 * Reads the items of a body. Errors: those of `readListItem`, and 400 code 10011 for one that is there twice,
 * with a pointer.
 */
export async function readItems(kind: ListKind, sent: readonly SentListItem[]): Promise<ListedItem[]> {
  const items: ListedItem[] = [];
  const keys = new Set<string>();
  const pause = createPause();
  for (const [index, one] of sent.entries()) {
    const item = readListItem(kind, one, `/${index}`);
    if (keys.has(item.key)) {
      throw new AppError("invalid", errorCodes.lists.duplicateItem, `${item.key} is there twice`, {
        pointer: `/${index}`,
      });
    }
    keys.add(item.key);
    items.push(item);
    await pause();
  }
  return items;
}

/** Characters of a key that are stored as they are: an index takes 2,700 octets at most. */
const keyLengthMax = 512;

/** The key as it is stored: of a long one its beginning, by which it is sorted, and its hash. */
export function storedKey({ key }: Pick<ListedItem, "key">): string {
  return key.length <= keyLengthMax ? key : `${key.slice(0, keyLengthMax)} ${hash("sha256", key)}`;
}

export function toRow(
  item: ListedItem,
  { id, listId, now }: { readonly id: string; readonly listId: string; readonly now: Date },
): ListItemRow {
  const created_on = toTimestamp(now);
  return {
    id,
    list_id: listId,
    item_key: storedKey(item),
    value: toJson(item.value),
    comment: item.comment ?? null,
    searched: item.searched,
    created_on,
    modified_on: created_on,
  };
}

/** Chooses how a text is searched for in a list of the kind. */
function searchFor(kind: ListKind, text: string): ItemSearch {
  const folded = text.toLowerCase();
  if (kind === "asn") return { match: "exact", text: folded };
  if (kind !== "ip") return { match: "contains", text: folded };
  // A complete address is found in any of its spellings.
  const address = parseListedAddress(folded);
  return { match: "startswith", text: address?.text ?? folded };
}

/** Rows that one step of a search looks through: some milliseconds. */
const searchedAtOnce = 2_000;

/** One part of the items of a list, in their order. */
export async function pageOfItems(
  db: Db,
  { id, kind }: { readonly id: string; readonly kind: ListKind },
  { perPage, after, before }: CursorRequest,
  search: string | undefined,
): Promise<CursorPage<JsonText>> {
  // One more than is shown tells whether there are more.
  const limit = perPage + 1;
  const cursor = { ...(after !== undefined && { after }), ...(before !== undefined && { before }) };
  const rows =
    search === undefined || search === ""
      ? await selectItems(db, id, cursor, limit)
      : await found(db, id, cursor, searchFor(kind, search), limit);
  const isMore = rows.length > perPage;
  const shown = rows.slice(0, perPage);
  if (before !== undefined) shown.reverse();
  const [first, last] = [shown.at(0)?.item_key, shown.at(-1)?.item_key];
  return {
    items: shown.map(toItem),
    after: before === undefined ? (isMore ? last : undefined) : last,
    before: before === undefined ? (after === undefined ? undefined : first) : isMore ? first : undefined,
  };
}

async function found(
  db: Db,
  listId: string,
  from: { readonly after?: string; readonly before?: string },
  search: ItemSearch,
  limit: number,
): Promise<ListItemRow[]> {
  const rows: ListItemRow[] = [];
  const pause = createPause();
  let cursor = from;
  for (;;) {
    const { end, found: some } = await searchItems(db, listId, cursor, search, searchedAtOnce);
    rows.push(...some);
    if (end === undefined || rows.length >= limit) return rows.slice(0, limit);
    cursor = from.before === undefined ? { after: end } : { before: end };
    await pause();
  }
}
