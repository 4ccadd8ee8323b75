import type { Static } from "@sinclair/typebox";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { type ListKind, exceededByList, hasKind } from "../../core/lists/kinds.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { insertRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { ListRow } from "../../storage/schema/lists.ts";
import { changeItems } from "./list-operations.ts";
import { readItems } from "./items.ts";
import { findListKinds, planOfAccount, type ListContext } from "./lists.ts";
import type { CreateListBody, ListItemsBody } from "./schema.ts";
import { selectListCounts } from "./store.ts";

interface NewListWork {
  readonly tx: Db;
  readonly accountId: string;
  readonly context: Omit<ListContext, "wakeListOperations">;
  readonly now: Date;
}

/**
 * Adds a list without items to an account that the transaction has locked. Errors: 400 code 10009 for a name
 * that the account has, 10013 above the quota of the plan, 10014 for its kind.
 */
export async function addList(
  work: NewListWork,
  { name, kind, description }: Static<typeof CreateListBody>,
): Promise<ListRow> {
  const { tx, accountId, context, now } = work;
  await refuseQuota(work, kind);
  if ((await findListKinds(tx, accountId, [name])).has(name)) {
    throw new AppError("invalid", errorCodes.lists.exists, `a list named ${name} already exists`, {
      pointer: "/name",
    });
  }
  const created_on = toTimestamp(now);
  const row: ListRow = {
    id: context.newId(),
    account_id: accountId,
    kind,
    name,
    description: description ?? null,
    item_count: 0,
    items_version: 0,
    created_on,
    modified_on: created_on,
  };
  await insertRow(tx, "lists", row);
  return row;
}

/**
 * Gives a new list its items. Errors: 400 codes 10010 to 10012 with a pointer, 10013 for more than the plan
 * has.
 */
export async function fillList(
  { tx, accountId, context, now }: NewListWork,
  list: ListRow,
  sent: Static<typeof ListItemsBody>,
): Promise<void> {
  const items = await readItems(list.kind, sent);
  const plan = await planOfAccount(tx, context, accountId);
  const changed = await changeItems({ newId: context.newId, now }, tx, list, { kind: "append", items, plan });
  if ("error" in changed) throw new AppError("invalid", errorCodes.lists.quotaReached, changed.error);
}

async function refuseQuota(
  { tx, accountId, context }: Pick<NewListWork, "tx" | "accountId" | "context">,
  kind: ListKind,
): Promise<void> {
  const plan = await planOfAccount(tx, context, accountId);
  if (!hasKind(plan, kind)) {
    throw new AppError(
      "invalid",
      errorCodes.lists.enterpriseOnly,
      `lists of kind ${kind} need an Enterprise plan`,
      { pointer: "/kind" },
    );
  }
  const exceeded = exceededByList(plan, kind, await selectListCounts(tx, accountId));
  if (exceeded === undefined) return;
  const kinds = exceeded.kinds.join(", ");
  const message = `the account already has its maximum of ${exceeded.listsMax} lists of kind ${kinds}`;
  throw new AppError("invalid", errorCodes.lists.quotaReached, message, { pointer: "/kind" });
}
