import type { Caller } from "../../core/caller.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { coversPolicies } from "../../core/policy/delegation.ts";
import { expandMemberPolicies, type ScopesOfGroups } from "../../core/policy/member-policies.ts";
import type { Policy } from "../../core/policy/grants.ts";
import { coversRole, findRole, type Role } from "../../core/policy/roles.ts";
import { fromJson } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { MembershipRow } from "../../storage/schema/accounts.ts";
import { findGrantsOfGrantors, grantsToDelegate } from "./delegation.ts";
import { policiesOfRow, rightsOf, type MemberRights } from "./member-rights.ts";
import { findResourceGroupsOf, scopesOf } from "./resource-groups.ts";
import { withUserGroups } from "./user-group-policies.ts";
import { selectBelongings } from "./user-group-store.ts";

interface RightsChange {
  readonly had: MemberRights;
  readonly has: MemberRights;
  /** Of the resource groups that either names: what they cover before, and after. */
  readonly scopes: readonly ScopesOfGroups[];
  /** What the member has besides by user groups, where the change gives or takes it too. */
  readonly behind?: readonly Policy[];
}

/**
 * Refuses to grant or revoke rights beyond what the caller's grantors have now. Policies that deny are
 * ignored here, so that nobody gains rights by removing one. To be called in a transaction that locks the
 * account. Errors: as `grantsToDelegate`, 403 code 9109 for rights beyond.
 */
export async function refuseRightsBeyond(
  tx: Db,
  { grantors }: Pick<Caller, "grantors">,
  accountId: string,
  { had, has, scopes, behind = [] }: RightsChange,
): Promise<void> {
  const grants = await grantsToDelegate(tx, grantors, accountId);
  const [before, after] = [new Set(rolesIn(had)), new Set(rolesIn(has))];
  // Beside policies, what stays is given anew.
  const areRoles = "roleIds" in had && "roleIds" in has;
  const roles = areRoles ? before.symmetricDifference(after) : before.union(after);
  for (const role of roles) {
    if (!coversRole(grants, role, accountId))
      throw beyondRights(`all that the role \`${role.name}\` permits`);
  }
  if (!coversPolicies(grants, accountId, behind, new Map())) {
    throw beyondRights("all that the user groups of the member allow");
  }
  for (const rights of [had, has]) {
    if ("roleIds" in rights) continue;
    for (const covered of scopes) {
      const policies = expandMemberPolicies(rights.policies, accountId, covered);
      if (!coversPolicies(grants, accountId, policies, new Map()))
        throw beyondRights("all that the policies allow");
    }
  }
}

/** What a membership has by its user groups, as far as policies of its own may hide it. */
export async function policiesHidden(tx: Db, row: MembershipRow): Promise<Policy[]> {
  const rights = rightsOf(row);
  const hides = "policies" in rights && rights.policies.some(({ access }) => access === "deny");
  return hides ? policiesBehind(tx, row) : [];
}

/** What a membership has by its user groups. */
export async function policiesBehind(tx: Db, row: MembershipRow): Promise<Policy[]> {
  const [{ groupPolicies } = { groupPolicies: [] }] = await withUserGroups(tx, [row]);
  const groups = await findResourceGroupsOf(tx, [{ policies: null, groupPolicies }]);
  return expandMemberPolicies(groupPolicies, row.account_id, scopesOf(groups));
}

function rolesIn(rights: MemberRights): Role[] {
  return "roleIds" in rights ? rights.roleIds.flatMap((id) => findRole(id) ?? []) : [];
}

/** 403 code 9109. */
export function beyondRights(needed: string): AppError {
  return new AppError("forbidden", errorCodes.permissions.unauthorized, `Requires ${needed}`);
}

/**
 * Whether those who sent an invite, and those who put it into user groups, may still give what it gives. In a transaction that
 * locks the account.
 */
export async function isStillCovered(tx: Db, row: MembershipRow): Promise<boolean> {
  const own = policiesOfRow({ ...row, groupPolicies: [] }, await findResourceGroupsOf(tx, [row]));
  // An invite without grantors was sent by an early version.
  if (row.grantors !== null && !(await areCovered(tx, row.account_id, row.grantors, own))) return false;
  for (const { grantors, policies } of await selectBelongings(tx, [row.id])) {
    if (policies === null) continue;
    const groups = await findResourceGroupsOf(tx, [{ policies }]);
    const given = expandMemberPolicies(fromJson(policies), row.account_id, scopesOf(groups));
    if (!(await areCovered(tx, row.account_id, grantors, given))) return false;
  }
  return true;
}

async function areCovered(
  tx: Db,
  accountId: string,
  grantors: MembershipRow["grantors"],
  policies: readonly Policy[],
): Promise<boolean> {
  const grants = await findGrantsOfGrantors(tx, grantors === null ? null : fromJson(grantors), accountId);
  return grants !== undefined && coversPolicies(grants, accountId, policies, new Map());
}
