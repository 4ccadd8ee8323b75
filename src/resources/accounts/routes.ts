import { listed, onAccount } from "../../core/policy/permission.ts";
import { listRoute, route, type Route } from "../../http/route.ts";
import type { Context } from "../../operation/context.ts";
import { getAccount, listAccounts, replaceAccount } from "./accounts.ts";
import { Account, ListAccountsQuery, ReplaceAccountBody } from "./schema.ts";

export function accountRoutes(context: Context): Route[] {
  return [
    listRoute({
      operation: "listAccounts",
      summary: "List the accounts of which the caller is a member",
      path: "/accounts",
      permission: listed,
      query: ListAccountsQuery,
      result: Account,
      list: { orderings: ["name", "id"], perPageMax: 1_000 },
      handle: ({ caller, query, page }) => listAccounts(context, caller, query, page),
    }),
    route({
      operation: "getAccount",
      summary: "Get an account",
      method: "GET",
      path: "/accounts/{account_id}",
      permission: onAccount("Account Settings Read"),
      result: Account,
      handle: async ({ params }) => ({ result: await getAccount(context, params.account_id) }),
    }),
    route({
      operation: "replaceAccount",
      summary: "Rename an account",
      method: "PUT",
      path: "/accounts/{account_id}",
      permission: onAccount("Account Settings Write"),
      body: ReplaceAccountBody,
      result: Account,
      handle: async ({ caller, params, body }) => ({
        result: await replaceAccount(context, caller, params.account_id, body),
      }),
    }),
  ];
}
