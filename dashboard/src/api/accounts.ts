import type { Account } from "../../../src/resources/accounts/schema.ts";
import { path, wholeList, type ApiCall } from "./call.ts";

export type { Account };

/** The accounts that the signed-in user may see. */
export const listAccounts: ApiCall<Account[]> = { method: "GET", path: "/accounts", query: wholeList };

export const accountPath = (accountId: string): string => path`/accounts/${accountId}`;

export const accountOf = (accountId: string): ApiCall<Account> => ({
  method: "GET",
  path: accountPath(accountId),
});
