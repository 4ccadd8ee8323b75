import type { Account } from "../../../src/resources/accounts/schema.ts";
import { path, type ApiCall } from "./call.ts";

export type { Account };

export const listAccounts = (query: {
  readonly page: number;
  readonly per_page: number;
}): ApiCall<Account[]> => ({ method: "GET", path: "/accounts", query });

export const accountOf = (accountId: string): ApiCall<Account> => ({
  method: "GET",
  path: path`/accounts/${accountId}`,
});
