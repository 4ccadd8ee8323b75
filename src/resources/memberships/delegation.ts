import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import type { Grantors } from "../../core/policy/delegation.ts";
import { compilePolicies, limitGrants, type Grants } from "../../core/policy/grants.ts";
import { policiesOfAccount, policiesOfUser, type RolesInAccount } from "../../core/policy/roles.ts";
import { fromJson } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import { selectAcceptedMemberships, selectMembershipsOfUsers } from "./store.ts";

/** What a user or a token may do, and the accounts that it reaches, the oldest first. */
export interface Rights {
  readonly grants: Grants;
  readonly accountIds: readonly string[];
}

/** The user's roles in each account in which it has an accepted membership, the oldest first. */
export async function listRolesOfUser(db: Db, userId: string): Promise<RolesInAccount[]> {
  const rows = await selectAcceptedMemberships(db, userId);
  return rows.map((row) => ({ accountId: row.account_id, roleIds: fromJson(row.roles) }));
}

/** What a user may do by its roles in accounts. */
export async function rightsOfUser(db: Db, userId: string): Promise<Rights> {
  const memberships = await listRolesOfUser(db, userId);
  return {
    grants: compilePolicies(policiesOfUser(userId, memberships)),
    accountIds: memberships.map(({ accountId }) => accountId),
  };
}

/** What an account may do: everything in itself. */
export function rightsOfAccount(accountId: string): Rights {
  return { grants: compilePolicies(policiesOfAccount(accountId)), accountIds: [accountId] };
}

/**
 * What the grantors may hand on in an account now: what each of them may do there. Nobody gives or takes more by
 * tokens, roles or invites, whatever credential it uses. To be called in a transaction that locks the account.
 * Errors: 403 code 9109 where a grantor is unknown or no longer a member.
 */
export async function grantsToDelegate(tx: Db, grantors: Grantors, accountId: string): Promise<Grants> {
  const grants = await findGrantsOfGrantors(tx, grantors, accountId);
  if (grants !== undefined) return grants;
  throw new AppError(
    "forbidden",
    errorCodes.permissions.unauthorized,
    "The member who made this token is unknown or has left the account. " +
      "Until a super administrator rolls it, it cannot change tokens or members",
  );
}

/** As `grantsToDelegate`; undefined where a grantor is unknown or no longer a member. */
export async function findGrantsOfGrantors(
  db: Db,
  grantors: Grantors,
  accountId: string,
): Promise<Grants | undefined> {
  if (grantors === null) return undefined;
  const rows = await selectMembershipsOfUsers(db, accountId, grantors);
  if (rows.length < grantors.length) return undefined;
  return rows
    .map(({ user_id, roles }) =>
      compilePolicies(policiesOfUser(user_id ?? "", [{ accountId, roleIds: fromJson(roles) }])),
    )
    .reduce((bound, grants) => limitGrants(grants, bound), rightsOfAccount(accountId).grants);
}
