import type { List } from "../../../src/resources/lists/schema.ts";
import { accountPath } from "./accounts.ts";
import { type ApiCall } from "./call.ts";

export type { List };

export const listsPath = (accountId: string): string => `${accountPath(accountId)}/rules/lists`;

export const listLists = (accountId: string): ApiCall<List[]> => ({
  method: "GET",
  path: listsPath(accountId),
});
