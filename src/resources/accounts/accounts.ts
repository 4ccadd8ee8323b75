import type { Caller } from "../../core/caller.ts";
import { AppError } from "../../core/error.ts";
import type { Page, PageRequest } from "../../core/page.ts";
import { account } from "../../core/policy/permission-groups.ts";
import { visibleAccounts } from "../../core/policy/visibility.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { AccountRow, Db } from "../../storage/tables.ts";
import { recordChanges } from "../../operation/audit.ts";
import type { Context } from "../../operation/context.ts";
import type { Account, ListAccountsQuery, ReplaceAccountBody } from "./schema.ts";
import {
  lockAccountRow,
  insertAccount,
  selectAccount,
  selectAccounts,
  selectAccountsByName,
  updateAccountName,
} from "./store.ts";

export { Account } from "./schema.ts";

/** The accounts whose settings the caller may read. Errors: 400 code 1001 for a token of an account. */
export async function listAccounts(
  { db }: Context,
  caller: Caller,
  query: ListAccountsQuery,
  page: PageRequest<"name" | "id">,
): Promise<Page<Account>> {
  if (caller.user === undefined) {
    throw new AppError("invalid", 1001, "List accounts endpoint does not support account owned tokens.");
  }
  const readable = visibleAccounts(caller.grants, account("Account Settings Read"));
  const filter = { name: query.name || undefined };
  const { items, totalCount } = await selectAccounts(db.read, readable, filter, page);
  return { items: items.map(toAccount), totalCount };
}

/** Errors: 404 code 1001. */
export async function getAccount({ db }: Context, id: string): Promise<Account> {
  return toAccount(await findAccount(db.read, id));
}

/** Renames an account; its settings cannot be changed. Errors: 404 code 1001. */
export async function replaceAccount(
  context: Context,
  caller: Caller,
  id: string,
  { name }: ReplaceAccountBody,
): Promise<Account> {
  return context.db.transaction(async (tx) => {
    await lockAccount(tx, id);
    const row = await findAccount(tx, id);
    const changed: AccountRow = { ...row, name, name_folded: name.toLowerCase() };
    const [before, after] = [toAccount(row), toAccount(changed)];
    if (name === row.name) return before;
    await updateAccountName(tx, changed);
    await recordChanges(context, tx, caller, [
      {
        action: "account_edit",
        owner: { accountId: id },
        resource: { type: "account", id },
        before,
        after,
      },
    ]);
    return after;
  });
}

/** Makes an account without members; part of the caller's transaction. Answers its id. */
export async function addAccount(
  { now, newId }: Pick<Context, "now" | "newId">,
  tx: Db,
  { name }: { readonly name: string },
): Promise<string> {
  const id = newId();
  await insertAccount(tx, { id, name, name_folded: name.toLowerCase(), created_on: toTimestamp(now()) });
  return id;
}

/** Errors: 404 code 1001. */
export async function findAccount(db: Db, id: string): Promise<AccountRow> {
  const row = await selectAccount(db, id);
  if (row === undefined) throw new AppError("not-found", 1001, "Invalid account identifier");
  return row;
}

/**
 * The account of an id, or of a name in any case.
 * Errors: 404 code 1001, also for a name that more than one account has.
 */
export async function findAccountCalled(db: Db, idOrName: string): Promise<AccountRow> {
  const byId = await selectAccount(db, idOrName);
  if (byId !== undefined) return byId;
  const [row, ...others] = await selectAccountsByName(db, idOrName);
  if (row === undefined) throw new AppError("not-found", 1001, `There is no account \`${idOrName}\``);
  if (others.length === 0) return row;
  throw new AppError("not-found", 1001, `More than one account is called \`${idOrName}\`: give its id`);
}

/** Locks the account until the transaction ends, so that no other one changes it or its members. */
export async function lockAccount(tx: Db, id: string): Promise<void> {
  await lockAccountRow(tx, id);
}

/** The same for every account: what they would switch on does not exist here. */
const accountSettings: Account["settings"] = {
  enforce_twofactor: false,
  api_access_enabled: null,
  access_approval_expiry: null,
  use_account_custom_ns_by_default: false,
  default_nameservers: "cloudflare.standard",
  abuse_contact_email: null,
};

/** The account as it is answered, by itself and in a membership. */
export function toAccount(row: Pick<AccountRow, "id" | "name" | "created_on">): Account {
  return {
    id: row.id,
    name: row.name,
    type: "standard",
    settings: accountSettings,
    created_on: row.created_on,
  };
}
