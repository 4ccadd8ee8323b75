import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { account } from "../../core/policy/permission-groups.ts";
import { visibleAccounts } from "../../core/policy/visibility.ts";
import { accountRead, accountWrite } from "../../operation/account.ts";
import { collectionList } from "../../operation/collection.ts";
import { findAccount, toAccount } from "./accounts.ts";
import { Account, ListAccountsQuery, ReplaceAccountBody } from "./schema.ts";
import { selectAccounts, updateAccountName } from "./store.ts";

/** The accounts whose settings the caller may read. Errors: 400 code 1001 for a token of an account. */
export const listAccounts = collectionList({
  name: "listAccounts",
  summary: "List the accounts of which the caller is a member",
  path: "/accounts",
  permission: "listed",
  query: ListAccountsQuery,
  result: Account,
  list: { orderings: ["name", "id"], perPageMax: 1_000 },
  run: async ({ db, caller }, { query, page }) => {
    if (caller.user === undefined) {
      throw new AppError(
        "invalid",
        errorCodes.accounts.usersOnly,
        "List accounts endpoint does not support account owned tokens.",
      );
    }
    const readable = visibleAccounts(caller.grants, account("Account Settings Read"));
    const { items, totalCount } = await selectAccounts(db, readable, { name: query.name || undefined }, page);
    return { items: items.map(toAccount), totalCount };
  },
});

export const getAccount = accountRead({
  name: "getAccount",
  summary: "Get an account",
  path: "/accounts/{account_id}",
  permission: "Account Settings Read",
  result: Account,
  run: async ({ db, accountId }) => toAccount(await findAccount(db, accountId)),
});

/** Its settings cannot be changed. */
export const replaceAccount = accountWrite({
  name: "replaceAccount",
  summary: "Rename an account",
  method: "PUT",
  path: "/accounts/{account_id}",
  permission: "Account Settings Write",
  body: ReplaceAccountBody,
  result: Account,
  run: async ({ tx, accountId, audit }, { body: { name } }) => {
    const row = await findAccount(tx, accountId);
    const changed = { ...row, name, name_folded: name.toLowerCase() };
    const [before, after] = [toAccount(row), toAccount(changed)];
    if (name === row.name) return before;
    await updateAccountName(tx, changed);
    audit({ action: "account_edit", resource: { type: "account", id: accountId }, before, after });
    return after;
  },
});

export const accountOperations = [listAccounts, getAccount, replaceAccount] as const;
