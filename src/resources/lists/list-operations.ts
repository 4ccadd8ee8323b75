import { type ListChange, sizeOf, type ListedItem } from "../../core/lists/items.ts";
import { exceededByItems } from "../../core/lists/kinds.ts";
import { createPause } from "../../operation/pause.ts";
import { toTimestamp, fromJson, toJson } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { ListRow, ListOperationRow } from "../../storage/schema/lists.ts";
import type { Context } from "../../operation/context.ts";
import { updateRow, insertRow, deleteRow } from "../../storage/rows.ts";
import {
  countKeys,
  deleteItems,
  deleteSomeItems,
  itemsAtOnce,
  upsertItems,
  selectListCounts,
  deleteEnded,
  existsWaiting,
  selectOperation,
  selectWaiting,
  selectWaitingOperation,
  type OperationState,
  selectList,
  lockList,
} from "./store.ts";
import { storedKey, toRow } from "./items.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import type { Caller } from "../../core/policy/caller.ts";
import { type AccountWrite, lockAccount } from "../../operation/scope.ts";
import type { Task, TaskCaller, TaskRunner } from "../../operation/task.ts";
import { unitOfWork, type ChangeWork } from "../../operation/unit-of-work.ts";
import { type ListContext, findList, toList } from "./lists.ts";

/** The effect of a change on the items of a list, for the audit log; or the reason why it had none. */
type Changed =
  | { readonly added: number; readonly replaced: number; readonly removed: number }
  | { readonly error: string };

/** Changes the items of a list; part of the caller's transaction, which has locked the account. */
export async function changeItems(
  { newId, now }: Pick<Context, "newId"> & { readonly now: Date },
  tx: Db,
  list: ListRow,
  change: ListChange,
): Promise<Changed> {
  const pause = createPause();
  if (change.kind === "remove") {
    for (const ids of portionsOf(change.ids)) {
      await deleteItems(tx, list.id, ids);
      await pause();
    }
    return saved({ added: 0, replaced: 0, removed: change.ids.length });
  }
  const { items, plan, kind } = change;
  let known = 0;
  if (kind === "append") {
    for (const some of portionsOf(items)) {
      known += await countKeys(tx, list.id, some.map(storedKey));
      await pause();
    }
  }
  const removed = kind === "replace" ? list.item_count : 0;
  const added = items.length - known;
  const exceeded = exceededByItems(
    plan,
    list.kind,
    await selectListCounts(tx, list.account_id),
    added - removed,
  );
  if (exceeded !== undefined) {
    const kinds = exceeded.kinds.join(", ");
    return { error: `the account may have at most ${exceeded.itemsMax} items in its lists of kind ${kinds}` };
  }
  if (kind === "replace") {
    while (await deleteSomeItems(tx, list.id, itemsAtOnce)) await pause();
  }
  for (const some of portionsOf(items)) {
    await upsertItems(
      tx,
      some.map((item: ListedItem) => toRow(item, { id: newId(), listId: list.id, now })),
    );
    await pause();
  }
  return saved({ added, replaced: known, removed });

  async function saved(counts: { added: number; replaced: number; removed: number }): Promise<Changed> {
    await updateRow(tx, "lists", list.id, {
      item_count: list.item_count + counts.added - counts.removed,
      items_version: list.items_version + 1,
      modified_on: toTimestamp(now),
    });
    return counts;
  }
}

function* portionsOf<Item>(all: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from < all.length; from += itemsAtOnce) yield all.slice(from, from + itemsAtOnce);
}

/** Items that are sent and taken away by a change that is made where it is asked for. */
const smallItemsMax = 1_000;
const dayMs = 24 * 60 * 60 * 1_000;
/** Days for which an operation that has ended can be asked for. */
const keptDays = 7;

/**
 * Changes the items of a list: at once where that takes some milliseconds, otherwise after the answer.
 * Answers the id of the operation that tells. Errors: 429 code 10032 while another operation of the account
 * has not ended.
 */
export async function startChange(
  work: AccountWrite<ListContext>,
  list: ListRow,
  change: ListChange,
): Promise<{ readonly operation_id: string }> {
  const { tx, accountId, context, caller, now, afterCommit } = work;
  await refuseWhileWaiting(tx, accountId);
  await deleteEnded(tx, accountId, toTimestamp(new Date(now.getTime() - keptDays * dayMs)));
  const id = context.newId();
  const created_on = toTimestamp(now);
  const row: ListOperationRow = {
    id,
    account_id: accountId,
    list_id: list.id,
    status: "pending",
    error: null,
    change: null,
    requested_by: null,
    created_on,
    ended_on: null,
  };
  if (isSmall(list, change)) {
    await insertRow(tx, "list_operations", row);
    await finish(work, row, change, list);
  } else {
    const { user, credential, address } = caller;
    const requested_by = toJson({ user, credential, address });
    await insertRow(tx, "list_operations", { ...row, change: toJson(change), requested_by });
    afterCommit(context.wakeListOperations);
  }
  return { operation_id: id };
}

/**
 * Errors: 429 code 10032 while an operation of the account has not ended, of that list alone where one is
 * given.
 */
async function refuseWhileWaiting(tx: Db, accountId: string, listId?: string): Promise<void> {
  if (!(await existsWaiting(tx, accountId, listId))) return;
  throw new AppError(
    "too-many-requests",
    errorCodes.lists.operationPending,
    "a bulk operation of the account is still in progress: send the request again when it has ended",
  );
}

/** Errors: 404 code 10003. */
export async function findOperation(db: Db, accountId: string, id: string): Promise<OperationState> {
  const row = await selectOperation(db, accountId, id);
  if (row !== undefined) return row;
  throw new AppError("not-found", errorCodes.lists.unknownOperation, "could not find bulk operation");
}

/** An operation as the API answers it. */
export function toOperation({ id, status, error, ended_on }: OperationState): object {
  return { id, status, ...(ended_on !== null && { completed: ended_on }), ...(error !== null && { error }) };
}

/** `changeListItems`: what an operation is to do, in a transaction of its own. */
export const changeListItemsTask: Task<
  Context,
  { readonly operationId: string; readonly accountId: string },
  void
> = {
  name: "changeListItems",
  isSmall: () => false,
  isBrief: false,
  run: async (context, caller, { operationId, accountId }) => {
    const now = context.now();
    await unitOfWork(
      context,
      caller,
      async (tx) => {
        await lockAccount(tx, accountId);
        return { scope: { context, now }, owner: { accountId } };
      },
      async (work) => {
        const operation = await selectWaitingOperation(work.tx, operationId);
        if (operation?.change === undefined || operation.change === null) return;
        const list = await selectList(work.tx, accountId, operation.list_id);
        if (list !== undefined) await finish(work, operation, fromJson(operation.change), list);
      },
    );
  },
};

type FinishWork = Pick<ChangeWork, "tx" | "audit"> & { readonly context: Context; readonly now: Date };

async function finish(
  { tx, audit, context, now }: FinishWork,
  { id }: Pick<ListOperationRow, "id">,
  change: ListChange,
  list: ListRow,
): Promise<void> {
  const changed = await changeItems({ newId: context.newId, now }, tx, list, change);
  await updateRow(tx, "list_operations", id, endOf(changed, now));
  if ("error" in changed) return;
  audit({
    action: "list_items_change",
    id: list.id,
    metadata: { operation_id: id, operation: change.kind, ...changed },
  });
}

function endOf(changed: Changed, now: Date): Partial<ListOperationRow> {
  const error = "error" in changed ? changed.error : null;
  return {
    status: error === null ? "completed" : "failed",
    error,
    change: null,
    requested_by: null,
    ended_on: toTimestamp(now),
  };
}

function isSmall({ item_count }: ListRow, change: ListChange): boolean {
  return sizeOf(change) + (change.kind === "replace" ? item_count : 0) <= smallItemsMax;
}

/** Operations that are done side by side: one of an account at most. */
const doneAtOnce = 4;

/**
 * Does the operations that wait, also those that an earlier process left behind: each is done wholly or not
 * at all.
 */
export async function advanceListOperations(context: Context & TaskRunner<Context>): Promise<void> {
  for (;;) {
    const waiting = await selectWaiting(context.db.read, doneAtOnce);
    if (waiting.length === 0) return;
    const done = await Promise.all(waiting.map((operation) => advance(context, operation)));
    // An operation that could not begin waits for the next round.
    if (done.includes(false)) return;
  }
}

async function advance(
  context: Context & TaskRunner<Context>,
  { id, account_id: accountId, requested_by }: Awaited<ReturnType<typeof selectWaiting>>[number],
): Promise<boolean> {
  await context.db.transaction((tx) => updateRow(tx, "list_operations", id, { status: "running" }));
  const caller: TaskCaller = {
    ...(requested_by === null ? nobody : fromJson(requested_by)),
    noteAuditLog: () => undefined,
  };
  try {
    await context.runTask(changeListItemsTask, caller, { operationId: id, accountId });
    return true;
  } catch (error) {
    // Too many wait, or the store does not answer: that passes.
    if (error instanceof AppError && (error.kind === "unavailable" || error.kind === "too-many-requests"))
      return false;
    const ended = endOf({ error: "the operation could not be done; nothing was changed" }, context.now());
    await context.db.transaction((tx) => updateRow(tx, "list_operations", id, ended));
    if (!(error instanceof AppError)) throw error;
    return true;
  }
}

const nobody: Pick<Caller, "user" | "credential" | "address"> = {
  user: undefined,
  credential: { kind: "key" },
  address: "",
};

interface DeletedList {
  readonly accountId: string;
  readonly id: string;
  /** The approximate number of its items. */
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
