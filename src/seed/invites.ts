import { emailPattern } from "../core/email.ts";
import { errorCodes } from "../core/error-codes.ts";
import { AppError, invalidRequest } from "../core/error.ts";
import { defaultRoleId, findRoleCalled } from "../core/policy/roles.ts";
import type { Context } from "../operation/context.ts";
import { addInvite } from "../resources/memberships/memberships.ts";
import type { Db } from "../storage/tables.ts";
import type { SeedInvite } from "./schema.ts";

interface Names {
  readonly accounts: ReadonlyMap<string, string>;
  readonly invitedBy: string;
}

/**
 * Creates an invite. Errors: 400 with the place in it for an unknown account or role or an invalid e-mail
 * address, and as `addInvite`.
 */
export async function seedInvite(
  context: Context,
  tx: Db,
  { account, email, roles = [defaultRoleId] }: SeedInvite,
  { accounts, invitedBy }: Names,
): Promise<void> {
  const accountId = accounts.get(account);
  if (accountId === undefined) throw invalidInvite("/account", `there is no account \`${account}\``);
  if (!new RegExp(emailPattern).test(email)) throw invalidInvite("/email", "is not an e-mail address");
  if (roles.length === 0) throw invalidInvite("/roles", "must not be empty");
  const roleIds = roles.map((called, index) => {
    const role = findRoleCalled(called);
    if (role === undefined) throw invalidInvite(`/roles/${index}`, `there is no role \`${called}\``);
    return role.id;
  });
  await addInvite(context, tx, {
    accountId,
    email,
    rights: { roleIds: [...new Set(roleIds)] },
    invitedBy,
    grantors: [],
  });
}

function invalidInvite(pointer: string, message: string): AppError {
  return invalidRequest(errorCodes.members.invalid, message, pointer);
}
