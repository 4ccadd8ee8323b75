import { isDeepStrictEqual } from "node:util";

import { errorCodes } from "../../core/error-codes.ts";
import { invalidBody, invalidRequest } from "../../core/error.ts";
import { accountAccess } from "../../core/policy/permission-groups.ts";
import { visibleAccounts } from "../../core/policy/visibility.ts";
import { accountRead, accountWrite, type AccountWrite, collectionList } from "../../operation/scope.ts";
import { toFlag } from "../../storage/columns.ts";
import { findAccount, refuseWithoutSecondFactor, toAccount } from "./accounts.ts";
import { Account, EditAccountBody, ListAccountsQuery, ReplaceAccountBody } from "./schema.ts";
import { selectAccounts } from "./store.ts";
import { updateRow } from "../../storage/rows.ts";

/** The accounts that the caller has access to. Errors: 400 code 1001 for a token of an account. */
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
      throw invalidRequest(
        errorCodes.accounts.usersOnly,
        "List accounts endpoint does not support account owned tokens.",
      );
    }
    const readable = visibleAccounts(caller.grants, accountAccess);
    const { items, totalCount } = await selectAccounts(db, readable, { name: query.name || undefined }, page);
    return { items: items.map(toAccount), totalCount };
  },
});

export const getAccount = accountRead({
  name: "getAccount",
  summary: "Get an account",
  path: "/accounts/{account_id}",
  permission: "any role",
  result: Account,
  run: async ({ db, accountId }) => toAccount(await findAccount(db, accountId)),
});

/** Settings that are left out stay. */
export const replaceAccount = accountWrite({
  name: "replaceAccount",
  summary: "Change the name and the settings of an account",
  method: "PUT",
  path: "/accounts/{account_id}",
  permission: "Account Settings Write",
  body: ReplaceAccountBody,
  result: Account,
  run: (work: AccountWrite, { body }) => changeAccount(work, body),
});

export const editAccount = accountWrite({
  name: "editAccount",
  summary: "Change the name or a setting of an account",
  method: "PATCH",
  path: "/accounts/{account_id}",
  permission: "Account Settings Write",
  body: EditAccountBody,
  result: Account,
  run: (work: AccountWrite, { body }) => changeAccount(work, body),
});

/**
 * Errors: 400 code 1003 for another type, and for `enforce_twofactor` of a caller without a second factor.
 */
async function changeAccount(
  { tx, accountId, caller, audit }: AccountWrite,
  { name, type, settings }: EditAccountBody,
): Promise<Account> {
  const row = await findAccount(tx, accountId);
  const before = toAccount(row);
  if (type !== undefined && type !== before.type) throw invalidBody("/type", "cannot be changed");
  const change = {
    ...(name !== undefined && { name, name_folded: name.toLowerCase() }),
    ...(settings?.abuse_contact_email !== undefined && { abuse_contact_email: settings.abuse_contact_email }),
    ...(settings?.enforce_twofactor !== undefined && {
      enforces_two_factor: toFlag(settings.enforce_twofactor),
    }),
  };
  const after = toAccount({ ...row, ...change });
  if (isDeepStrictEqual(before, after)) return before;
  if (after.settings.enforce_twofactor !== before.settings.enforce_twofactor)
    await refuseWithoutSecondFactor(tx, caller);
  await updateRow(tx, "accounts", accountId, change);
  audit({ action: "account_edit", id: accountId, before, after });
  return after;
}
