import type { Static } from "@sinclair/typebox";

import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import {
  accountCursorList,
  accountRead,
  accountWrite,
  type AccountRead,
  type AccountWrite,
} from "../../operation/account.ts";
import { createPause } from "../../operation/pause.ts";
import type { Db } from "../../storage/tables.ts";
import { itemsAtOnce, selectItemIds } from "./item-store.ts";
import { findItem, pageOfItems, readItems, toItem } from "./items.ts";
import { findOperation, startChange, toOperation } from "./list-operations.ts";
import { findList, planOfAccount, type ListContext } from "./lists.ts";
import {
  ListItem,
  ListItemsBody,
  ListItemsQuery,
  ListOperation,
  ListOperationId,
  RemoveListItemsBody,
} from "./schema.ts";

const read = "Account Rule Lists Read";
const write = "Account Rule Lists Write";
const path = "/accounts/{account_id}/rules/lists/{list_id}/items";

/** By address, name, source URL or number. Errors: 404 code 10001. */
export const listListItems = accountCursorList({
  name: "listListItems",
  summary: "List the items of a list",
  path,
  permission: read,
  query: ListItemsQuery,
  list: { perPageDefault: 25, perPageMax: 500 },
  result: ListItem,
  run: async ({ db, accountId }, { params, query, page }) =>
    pageOfItems(db, await findList(db, accountId, params.list_id), page, query.search),
});

/** Errors: 404 code 10001 for the list, 10002 for the item. */
export const getListItem = accountRead({
  name: "getListItem",
  summary: "Get an item of a list",
  path: `${path}/{item_id}`,
  permission: read,
  result: ListItem,
  run: async ({ db, accountId }, { params }) => {
    const { id } = await findList(db, accountId, params.list_id);
    return toItem(await findItem(db, id, params.item_id));
  },
});

/** Errors: 404 code 10001; 400 codes 10010 to 10012 with a pointer. */
async function prepareItems(
  { db, accountId }: AccountRead<ListContext>,
  { params, body }: { params: { list_id: string }; body: Static<typeof ListItemsBody> },
) {
  return readItems((await findList(db, accountId, params.list_id)).kind, body);
}

/**
 * Items that are there already get the new values. Errors: 404 code 10001; 400 codes 10010 to 10012 with a pointer; 429
 * code 10032. A list that becomes too long makes the operation fail.
 */
export const createListItems = accountWrite({
  name: "createListItems",
  summary: "Add items to a list",
  method: "POST",
  path,
  permission: write,
  body: ListItemsBody,
  result: ListOperationId,
  prepare: prepareItems,
  run: async (work: AccountWrite<ListContext>, { params, prepared: items }) =>
    addItems(work, params.list_id, "append", items),
});

/** Errors: as `createListItems`. */
export const replaceListItems = accountWrite({
  name: "replaceListItems",
  summary: "Replace all items of a list",
  method: "PUT",
  path,
  permission: write,
  body: ListItemsBody,
  result: ListOperationId,
  prepare: prepareItems,
  run: async (work: AccountWrite<ListContext>, { params, prepared: items }) =>
    addItems(work, params.list_id, "replace", items),
});

/** Errors: 404 code 10001 for the list, 10002 for an item, with a pointer; 429 code 10032. */
export const deleteListItems = accountWrite({
  name: "deleteListItems",
  summary: "Remove items from a list",
  method: "DELETE",
  path,
  permission: write,
  body: RemoveListItemsBody,
  result: ListOperationId,
  run: async (work: AccountWrite<ListContext>, { params, body: { items } }) => {
    const list = await findList(work.tx, work.accountId, params.list_id);
    const ids = items.map(({ id }) => id);
    await refuseUnknown(work.tx, list.id, ids);
    return startChange(work, list, { kind: "remove", ids: [...new Set(ids)] });
  },
});

/** Errors: 404 code 10003. */
export const getListOperation = accountRead({
  name: "getListOperation",
  summary: "Get the status of a bulk operation",
  path: "/accounts/{account_id}/rules/lists/bulk_operations/{operation_id}",
  permission: read,
  result: ListOperation,
  run: async ({ db, accountId }: AccountRead, { params }) =>
    toOperation(await findOperation(db, accountId, params.operation_id)),
});

async function addItems(
  work: AccountWrite<ListContext>,
  listId: string,
  kind: "append" | "replace",
  items: Awaited<ReturnType<typeof readItems>>,
) {
  const { tx, accountId, context } = work;
  const list = await findList(tx, accountId, listId);
  return startChange(work, list, { kind, items, plan: await planOfAccount(tx, context, accountId) });
}

async function refuseUnknown(tx: Db, listId: string, ids: readonly string[]): Promise<void> {
  const pause = createPause();
  for (let from = 0; from < ids.length; from += itemsAtOnce) {
    const some = ids.slice(from, from + itemsAtOnce);
    const known = new Set(await selectItemIds(tx, listId, some));
    const index = some.findIndex((id) => !known.has(id));
    if (index !== -1) {
      throw new AppError("not-found", errorCodes.lists.unknownItem, "could not find list item", {
        pointer: `/items/${from + index}/id`,
      });
    }
    await pause();
  }
}
