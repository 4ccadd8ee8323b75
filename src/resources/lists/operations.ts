import { Type } from "@sinclair/typebox";

import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { accountRead, accountWrite, type AccountRead, type AccountWrite } from "../../operation/account.ts";
import type { Context } from "../../operation/context.ts";
import type { TaskRunner } from "../../operation/task.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { updateRow } from "../../storage/rows.ts";
import { addList } from "./add-list.ts";
import { deleteListTask } from "./delete-list.ts";
import { findList, toList, type ListContext } from "./lists.ts";
import { CreateListBody, List, ListId, ReplaceListBody } from "./schema.ts";
import { selectLists } from "./store.ts";

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

/** Errors: 400 code 10009 for a name that the account has, 10013 above the quota of the plan, 10014 for its kind. */
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
 * With its items. Errors: 404 code 10001; 400 code 10031 for a list that rules or filters name, whether they are enabled or
 * not; 429 code 10032 while its items are changed.
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
