import { Type, type Static } from "@sinclair/typebox";

import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import {
  accountRead,
  accountWrite,
  type AccountRead,
  type AccountWrite,
  accountCursorList,
} from "../../operation/scope.ts";
import type { Context } from "../../operation/context.ts";
import type { TaskRunner } from "../../operation/task.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { updateRow } from "../../storage/rows.ts";
import { addList } from "./add-list.ts";
import { deleteListTask, findOperation, startChange, toOperation } from "./list-operations.ts";
import { findList, toList, type ListContext, planOfAccount } from "./lists.ts";
import {
  CreateListBody,
  List,
  ListId,
  ReplaceListBody,
  ListItem,
  ListItemsBody,
  ListItemsQuery,
  ListOperation,
  ListOperationId,
  RemoveListItemsBody,
} from "./schema.ts";
import { selectLists, itemsAtOnce, selectItemIds } from "./store.ts";
import { createPause } from "../../operation/pause.ts";
import type { Db } from "../../storage/tables.ts";
import { findItem, pageOfItems, readItems, toItem } from "./items.ts";

const read = "Account Rule Lists Read";
const write = "Account Rule Lists Write";
const path = "/accounts/{account_id}/rules/lists";

/** The oldest first, not paginated. */
export const listLists = accountRead({
  name: "listLists",
  summary: "List the lists of an account",
  path,
  permission: read,
  result: Type.Array(List),
  run: async ({ db, accountId }) => (await selectLists(db, accountId)).map(toList),
});

/**
 * Errors: 400 code 10009 for a name that the account has, 10013 above the quota of the plan, 10014 for its
 * kind.
 */
export const createList = accountWrite({
  name: "createList",
  summary: "Create a list, which is empty",
  method: "POST",
  path,
  permission: write,
  body: CreateListBody,
  result: List,
  run: async ({ tx, accountId, context, now, audit }: AccountWrite<ListContext>, { body }) => {
    const row = await addList({ tx, accountId, context, now }, body);
    const after = toList(await findList(tx, accountId, row.id));
    audit({ action: "list_create", id: row.id, after });
    return after;
  },
});

/** Errors: 404 code 10001. */
export const getList = accountRead({
  name: "getList",
  summary: "Get a list",
  path: `${path}/{list_id}`,
  permission: read,
  result: List,
  run: async ({ db, accountId }, { params }) => toList(await findList(db, accountId, params.list_id)),
});

/** Errors: 404 code 10001; 400 code 10015 for another name or kind, which stay what they are. */
export const replaceList = accountWrite({
  name: "replaceList",
  summary: "Change the description of a list",
  method: "PUT",
  path: `${path}/{list_id}`,
  permission: write,
  body: ReplaceListBody,
  result: List,
  run: async ({ tx, accountId, now, audit }, { params: { list_id: id }, body }) => {
    const row = await findList(tx, accountId, id);
    for (const field of ["name", "kind"] as const) {
      const sent = body[field];
      if (sent === undefined || sent === row[field]) continue;
      throw new AppError("invalid", errorCodes.lists.fixed, `the ${field} of a list cannot be changed`, {
        pointer: `/${field}`,
      });
    }
    const change = { description: body.description ?? null, modified_on: toTimestamp(now) };
    await updateRow(tx, "lists", id, change);
    const [before, after] = [toList(row), toList({ ...row, ...change })];
    audit({ action: "list_edit", id, before, after });
    return after;
  },
});

/**
 * With its items. Errors: 404 code 10001; 400 code 10031 for a list that rules or filters name, whether they
 * are enabled or not; 429 code 10032 while its items are changed.
 */
export const deleteList = accountRead({
  name: "deleteList",
  summary: "Delete a list",
  method: "DELETE",
  path: `${path}/{list_id}`,
  permission: write,
  result: ListId,
  run: async (
    { db, accountId, caller, context }: AccountRead<Context & TaskRunner<Context>>,
    { params: { list_id: id } },
  ) => {
    const { item_count: items } = await findList(db, accountId, id);
    await context.runTask(deleteListTask, caller, { accountId, id, items });
    return { id };
  },
});

const itemsPath = "/accounts/{account_id}/rules/lists/{list_id}/items";

/** By address, name, source URL or number. Errors: 404 code 10001. */
export const listListItems = accountCursorList({
  name: "listListItems",
  summary: "List the items of a list",
  path: itemsPath,
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
  path: `${itemsPath}/{item_id}`,
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
 * Items that are there already get the new values. Errors: 404 code 10001; 400 codes 10010 to 10012 with a
 * pointer; 429 code 10032. A list that becomes too long makes the operation fail.
 */
export const createListItems = accountWrite({
  name: "createListItems",
  summary: "Add items to a list",
  method: "POST",
  path: itemsPath,
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
  path: itemsPath,
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
  path: itemsPath,
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
