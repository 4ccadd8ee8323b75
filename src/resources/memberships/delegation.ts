import { errorCodes } from "../../core/error-codes.ts";
import { forbidden } from "../../core/error.ts";
import type { Grantors } from "../../core/policy/delegation.ts";
import { compilePolicies, limitGrants, type Grants } from "../../core/policy/grants.ts";
import type { Policy } from "../../core/policy/grants.ts";
import { policiesOfAccount, policiesOfUser } from "../../core/policy/roles.ts";
import { selectRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import { policiesOfRow } from "./member-rights.ts";
import { findResourceGroupsOf } from "./resource-groups.ts";
import { countWithSecondFactor, selectMembershipsInForce, selectMembershipsOfUsers } from "./store.ts";
import { withUserGroups } from "./user-group-policies.ts";

/** The permissions of a user or a token, and the accounts that it reaches, the oldest first. */
export interface Rights {
  readonly grants: Grants;
  readonly accountIds: readonly string[];
}

interface RightsInAccount {
  readonly accountId: string;
  readonly policies: readonly Policy[];
}

/** What a user may do in each account of which it is a member, the oldest first. */
export async function listRightsOfUser(db: Db, userId: string): Promise<RightsInAccount[]> {
  const rows = await withUserGroups(db, await selectMembershipsInForce(db, userId));
  const groups = await findResourceGroupsOf(db, rows);
  return rows.map((row) => ({ accountId: row.account_id, policies: policiesOfRow(row, groups) }));
}

/** The permissions that a user has by its memberships. */
export async function rightsOfUser(db: Db, userId: string): Promise<Rights> {
  const memberships = await listRightsOfUser(db, userId);
  const policies = policiesOfUser(
    userId,
    memberships.flatMap((membership) => membership.policies),
  );
  return {
    grants: compilePolicies(policies),
    accountIds: memberships.map(({ accountId }) => accountId),
  };
}

/** An account may do everything in itself. */
export function rightsOfAccount(accountId: string): Rights {
  return { grants: compilePolicies(policiesOfAccount(accountId)), accountIds: [accountId] };
}

/**
 * What a token of an account may do at most: nothing while the account is closed to members without a second factor and
 * somebody who made the token has none, or is unknown.
 */
export async function rightsOfAccountToken(db: Db, accountId: string, grantors: Grantors): Promise<Rights> {
  const isClosed = await isClosedTo(db, accountId, grantors);
  return isClosed ? { grants: compilePolicies([]), accountIds: [] } : rightsOfAccount(accountId);
}

async function isClosedTo(db: Db, accountId: string, grantors: Grantors): Promise<boolean> {
  const account = await selectRow(db, "accounts", { id: accountId });
  if (account?.enforces_two_factor !== 1) return false;
  return grantors === null || (await countWithSecondFactor(db, grantors)) < grantors.length;
}

/**
 * The permissions that all grantors have in an account now. Tokens, roles and invites never give more than these,
 * whatever credential is used. Call it in a transaction that has locked the account.
 * Errors: 403 code 9109 where a grantor is unknown, no longer a member, or one without the second factor that the account
 * demands.
 */
export async function grantsToDelegate(tx: Db, grantors: Grantors, accountId: string): Promise<Grants> {
  const grants = await findGrantsOfGrantors(tx, grantors, accountId);
  if (grants !== undefined) return grants;
  throw forbidden(
    errorCodes.permissions.unauthorized,
    "The member who made this token is unknown, has left the account, or lacks the second factor that it demands. " +
      "Until a super administrator rolls it, it cannot change tokens or members",
  );
}

/** As `grantsToDelegate`; undefined where that throws. */
export async function findGrantsOfGrantors(
  db: Db,
  grantors: Grantors,
  accountId: string,
): Promise<Grants | undefined> {
  if (grantors === null) return undefined;
  const rows = await withUserGroups(db, await selectMembershipsOfUsers(db, accountId, grantors));
  if (rows.length < grantors.length) return undefined;
  const groups = await findResourceGroupsOf(db, rows);
  return rows
    .map((row) => compilePolicies(policiesOfUser(row.user_id ?? "", policiesOfRow(row, groups))))
    .reduce((bound, grants) => limitGrants(grants, bound), rightsOfAccount(accountId).grants);
}
