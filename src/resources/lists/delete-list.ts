import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import type { Context } from "../../operation/context.ts";
import { createPause } from "../../operation/pause.ts";
import { lockAccount } from "../../operation/scope.ts";
import type { Task } from "../../operation/task.ts";
import { unitOfWork, type ChangeWork } from "../../operation/unit-of-work.ts";
import { deleteRow } from "../../storage/rows.ts";
import { deleteSomeItems, itemsAtOnce } from "./item-store.ts";
import { refuseWhileWaiting, smallItemsMax } from "./list-operations.ts";
import { findList, toList } from "./lists.ts";
import { lockList } from "./store.ts";

interface DeletedList {
  readonly accountId: string;
  readonly id: string;
  /** That it has about now. */
  readonly items: number;
}

/** `deleteList`: a list may have half a million items. Errors: those of the operation. */
export const deleteListTask: Task<Context, DeletedList, void> = {
  name: "deleteList",
  isSmall: ({ items }) => items <= smallItemsMax,
  isBrief: false,
  run: async (context, caller, { accountId, id }) =>
    unitOfWork(
      context,
      caller,
      async (tx) => {
        await lockAccount(tx, accountId);
        return { scope: { accountId, id }, owner: { accountId } };
      },
      deleteWithItems,
    ),
};

async function deleteWithItems({
  tx,
  audit,
  accountId,
  id,
}: ChangeWork & Omit<DeletedList, "items">): Promise<void> {
  await lockList(tx, accountId, id);
  const row = await findList(tx, accountId, id);
  await refuseWhileWaiting(tx, accountId, id);
  if (row.uses > 0) {
    const named = row.uses === 1 ? "1 rule or filter names it" : `${row.uses} rules or filters name it`;
    const message = `the list is in use: ${named}`;
    throw new AppError("invalid", errorCodes.lists.inUse, message);
  }
  const pause = createPause();
  while (await deleteSomeItems(tx, id, itemsAtOnce)) await pause();
  await deleteRow(tx, "lists", id);
  audit({ action: "list_delete", id, before: toList(row) });
}
