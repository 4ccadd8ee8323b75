import type { Caller } from "../../core/caller.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { coversPolicies } from "../../core/policy/delegation.ts";
import { expandMemberPolicies, type ScopesOfGroups } from "../../core/policy/member-policies.ts";
import { coversRole, findRole, type Role } from "../../core/policy/roles.ts";
import { fromJson } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { MembershipRow } from "../../storage/tables/accounts.ts";
import { findGrantsOfGrantors, grantsToDelegate } from "./delegation.ts";
import { policiesOfRow, type MemberRights } from "./member-rights.ts";
import { findResourceGroupsOf } from "./resource-groups.ts";

interface RightsChange {
  readonly had: MemberRights;
  readonly has: MemberRights;
  /** Of the resource groups that either names: what they cover before, and after. */
  readonly scopes: readonly ScopesOfGroups[];
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
  { had, has, scopes }: RightsChange,
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
  for (const rights of [had, has]) {
    if ("roleIds" in rights) continue;
    for (const covered of scopes) {
      const policies = expandMemberPolicies(rights.policies, accountId, covered);
      if (!coversPolicies(grants, accountId, policies, new Map()))
        throw beyondRights("all that the policies allow");
    }
  }
}

function rolesIn(rights: MemberRights): Role[] {
  return "roleIds" in rights ? rights.roleIds.flatMap((id) => findRole(id) ?? []) : [];
}

function beyondRights(needed: string): AppError {
  return new AppError("forbidden", errorCodes.permissions.unauthorized, `Requires ${needed}`);
}

/** Whether those who sent an invite may still give what it gives. In a transaction that locks the account. */
export async function isStillCovered(tx: Db, row: MembershipRow): Promise<boolean> {
  // The invite was sent by the version before.
  if (row.grantors === null) return true;
  const grants = await findGrantsOfGrantors(tx, fromJson(row.grantors), row.account_id);
  if (grants === undefined) return false;
  const policies = policiesOfRow(row, await findResourceGroupsOf(tx, [row]));
  return coversPolicies(grants, row.account_id, policies, new Map());
}
