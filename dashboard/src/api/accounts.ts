import type { Account, EditAccountBody } from "../../../src/resources/accounts/schema.ts";
import { path, wholeList, type ApiCall } from "./call.ts";

export type { Account };

/** The accounts that the signed-in user may see. */
export const listAccounts: ApiCall<Account[]> = { method: "GET", path: "/accounts", query: wholeList };

export const accountPath = (accountId: string): string => path`/accounts/${accountId}`;

export const accountOf = (accountId: string): ApiCall<Account> => ({
  method: "GET",
  path: accountPath(accountId),
});

export const editAccount = (accountId: string, body: EditAccountBody): ApiCall<Account> => ({
  method: "PATCH",
  path: accountPath(accountId),
  body,
});
