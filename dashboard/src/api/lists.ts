import type { ListItemValue } from "../../../src/core/lists/items.ts";
import type { ListKind } from "../../../src/core/lists/kinds.ts";
import type { List } from "../../../src/resources/lists/schema.ts";
import { accountPath } from "./accounts.ts";
import { ApiError } from "./api-error.ts";
import { path, type ApiCall } from "./call.ts";
import { send } from "./send.ts";

export type { List, ListKind };

/** An item of a list, as it is answered. */
export type ListItem = ListItemValue & {
  readonly id: string;
  readonly comment?: string;
  readonly modified_on: string;
};

/** An item as it is sent. */
export type NewListItem = ListItemValue & { readonly comment?: string };

export const listsPath = (accountId: string): string => `${accountPath(accountId)}/rules/lists`;

export const listPath = (accountId: string, listId: string): string =>
  listsPath(accountId) + path`/${listId}`;

export const listLists = (accountId: string): ApiCall<List[]> => ({
  method: "GET",
  path: listsPath(accountId),
});

export const listOf = (accountId: string, listId: string): ApiCall<List> => ({
  method: "GET",
  path: listPath(accountId, listId),
});

export const createList = (
  accountId: string,
  body: { readonly name: string; readonly kind: ListKind; readonly description?: string },
): ApiCall<List> => ({ method: "POST", path: listsPath(accountId), body });

export const deleteList = (accountId: string, listId: string): ApiCall<{ id: string }> => ({
  method: "DELETE",
  path: listPath(accountId, listId),
});

export const itemsPath = (accountId: string, listId: string): string =>
  `${listPath(accountId, listId)}/items`;

/** A page of the items; `cursor` is that of the page before. */
export const listItems = (
  accountId: string,
  listId: string,
  query: { readonly search?: string | undefined; readonly cursor?: string; readonly per_page: number },
): ApiCall<ListItem[]> => ({ method: "GET", path: itemsPath(accountId, listId), query });

export const createItems = (
  accountId: string,
  listId: string,
  body: readonly NewListItem[],
): ApiCall<ListChange> => ({ method: "POST", path: itemsPath(accountId, listId), body });

export const deleteItems = (
  accountId: string,
  listId: string,
  ids: readonly string[],
): ApiCall<ListChange> => ({
  method: "DELETE",
  path: itemsPath(accountId, listId),
  body: { items: ids.map((id) => ({ id })) },
});

/** A change of items, which is made after it was answered. */
export interface ListChange {
  readonly operation_id: string;
}

interface ListOperation {
  readonly status: "pending" | "running" | "completed" | "failed";
  /** Why it failed. */
  readonly error?: string;
}

const listOperation = (accountId: string, id: string): ApiCall<ListOperation> => ({
  method: "GET",
  path: listsPath(accountId) + path`/bulk_operations/${id}`,
});

const pollMs = 250;

/** Sends a change of items, and waits until it is made. Throws `ApiError` for a refusal and for a failure. */
export async function changeItems(accountId: string, call: ApiCall<ListChange>): Promise<void> {
  const { result } = await send(call);
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- it is asked again until it is over
    const { result: operation } = await send(listOperation(accountId, result.operation_id));
    if (operation.status === "completed") return;
    if (operation.status === "failed")
      throw new ApiError(200, [{ code: 0, message: operation.error ?? "The items were not changed." }]);
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
