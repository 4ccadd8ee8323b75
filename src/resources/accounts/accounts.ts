import { errorCodes } from "../../core/error-codes.ts";
import { AppError, invalidIdentifier } from "../../core/error.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { AccountRow, Db } from "../../storage/tables.ts";
import type { Context } from "../../operation/context.ts";
import type { Account } from "./schema.ts";
import { insertAccount, selectAccount, selectAccountsByName } from "./store.ts";

export { Account } from "./schema.ts";

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
  if (row === undefined) throw invalidIdentifier("account");
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
  if (row === undefined)
    throw new AppError("not-found", errorCodes.accounts.unknown, `There is no account \`${idOrName}\``);
  if (others.length === 0) return row;
  throw new AppError(
    "not-found",
    errorCodes.accounts.unknown,
    `More than one account is called \`${idOrName}\`: give its id`,
  );
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
