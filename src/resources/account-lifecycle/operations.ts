import type { Caller } from "../../core/policy/caller.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { accountCreationDenied, invalidRequest } from "../../core/error.ts";
import { superAdministratorId } from "../../core/policy/roles.ts";
import { accountWrite, type AccountWrite, userWrite, type UserWrite } from "../../operation/scope.ts";
import type { Context } from "../../operation/context.ts";
import { IdOnly } from "../../operation/schema.ts";
import { deleteRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import {
  Account,
  addAccount,
  CreateAccountBody,
  findAccount,
  refuseWithoutSecondFactor,
  toAccount,
} from "../accounts/accounts.ts";
import { addMembership, listRightsOfUser } from "../memberships/memberships.ts";
import { findOwner } from "../users/users.ts";
import { countInAccount } from "./store.ts";

/** The context of operations that create and delete accounts. */
export interface AccountLifecycleContext extends Context {
  readonly createAccounts: "nobody" | "owner";
}

/** Its creator is its super administrator. Errors: 403 code 1002. */
export const createAccount = userWrite({
  name: "createAccount",
  summary: "Create an account, for the owner",
  method: "POST",
  path: "/accounts",
  permission: { newAccount: "Memberships Write" },
  body: CreateAccountBody,
  result: Account,
  run: async (
    { tx, user, caller, context, audit }: UserWrite<AccountLifecycleContext>,
    { body: { name, type, settings } },
  ) => {
    await refuseAnyoneElse(context, tx, caller);
    const abuseContactEmail = settings?.abuse_contact_email;
    const enforcesTwoFactor = settings?.enforce_twofactor;
    if (enforcesTwoFactor === true) await refuseWithoutSecondFactor(tx, caller);
    const row = await addAccount(context, tx, { name, type, abuseContactEmail, enforcesTwoFactor });
    await addMembership(context, tx, { accountId: row.id, user, roleIds: [superAdministratorId] });
    const after = toAccount(row);
    const entry = { action: "account_add", id: row.id, after } as const;
    audit(entry, { ...entry, owner: { accountId: row.id } });
    return after;
  },
});

/**
 * Also deletes its members, invites, tokens and account-wide rules; refused while it has zones. Its audit log
 * is kept as long as that of any account. Errors: 403 code 1002, 400 code 1004 for an account with zones, 400
 * code 1005 for the last one of the owner.
 */
export const deleteAccount = accountWrite({
  name: "deleteAccount",
  summary: "Delete an account that has no zones, for the owner",
  method: "DELETE",
  path: "/accounts/{account_id}",
  permission: "Account Settings Write",
  result: IdOnly,
  run: async ({ tx, accountId, caller, context, audit }: AccountWrite<AccountLifecycleContext>) => {
    const userId = await refuseAnyoneElse(context, tx, caller);
    const before = toAccount(await findAccount(tx, accountId));
    const { zones, ...metadata } = await countInAccount(tx, accountId);
    if (zones > 0) {
      throw invalidRequest(
        errorCodes.accounts.notEmpty,
        `The account still has ${zones} ${zones === 1 ? "zone" : "zones"}: delete them first`,
      );
    }
    const others = (await listRightsOfUser(tx, userId)).filter((one) => one.accountId !== accountId);
    if (others.length === 0) {
      throw invalidRequest(errorCodes.accounts.lastOfOwner, "The last account of the owner has to stay");
    }
    await deleteRow(tx, "accounts", accountId);
    audit({ action: "account_delete", id: accountId, owner: { userId }, before, metadata });
    return { id: accountId };
  },
});

/** Returns the id of the caller. Throws unless that is the owner. */
async function refuseAnyoneElse(
  { createAccounts }: AccountLifecycleContext,
  tx: Db,
  { user }: Caller,
): Promise<string> {
  const owner = createAccounts === "owner" ? await findOwner(tx) : undefined;
  if (owner === undefined || owner.id !== user?.id) throw accountCreationDenied();
  return owner.id;
}
