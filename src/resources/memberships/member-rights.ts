import type { Policy } from "../../core/policy/grants.ts";
import { findMemberGroup, groupOfRole } from "../../core/policy/member-groups.ts";
import {
  expandMemberPolicies,
  rolesInPlaceOf,
  type MemberPolicy,
  type ScopesOfGroups,
} from "../../core/policy/member-policies.ts";
import { findRole, policiesOfRoles, superAdministratorId, type Role } from "../../core/policy/roles.ts";
import { fromJson, toJson } from "../../storage/columns.ts";
import type { MembershipRow } from "../../storage/schema/accounts.ts";
import { scopesOf, type ResourceGroups } from "./resource-groups.ts";
import type { OfUserGroups } from "./user-group-policies.ts";

/** What a member may do: roles in the whole account, or policies. */
export type MemberRights =
  | { readonly roleIds: readonly string[] }
  | { readonly policies: readonly MemberPolicy[] };

type RightsColumns = Pick<MembershipRow, "roles" | "policies">;

export function rightsOf({ roles, policies }: RightsColumns): MemberRights {
  return policies === null ? { roleIds: fromJson(roles) } : { policies: fromJson(policies) };
}

/** Policies that say no more than roles are kept as roles. */
export function toRightsColumns(rights: MemberRights, accountId: string): RightsColumns {
  const roleIds = "roleIds" in rights ? rights.roleIds : rolesInPlaceOf(rights.policies, accountId);
  if (roleIds !== undefined) return { roles: toJson([...roleIds]), policies: null };
  return { roles: toJson([]), policies: "policies" in rights ? toJson([...rights.policies]) : null };
}

/** The policies of a member in the form that is evaluated. */
function expandRights(accountId: string, rights: MemberRights, scopes: ScopesOfGroups): Policy[] {
  return "roleIds" in rights
    ? policiesOfRoles(accountId, rights.roleIds)
    : expandMemberPolicies(rights.policies, accountId, scopes);
}

/**
 * The same for a stored membership, with what it has by its user groups. What these deny does not bind super administrators,
 * so that no account locks itself out.
 */
export function policiesOfRow(
  row: RightsColumns & Pick<MembershipRow, "account_id"> & OfUserGroups,
  groups: ResourceGroups,
): Policy[] {
  const { account_id: accountId, groupPolicies } = row;
  const isBound = !fromJson(row.roles).includes(superAdministratorId);
  const scopes = scopesOf(groups);
  return [
    ...expandRights(accountId, rightsOf(row), scopes),
    ...expandMemberPolicies(
      groupPolicies.filter(({ access }) => isBound || access === "allow"),
      accountId,
      scopes,
    ),
  ];
}

/** The roles of a member. A permission group of a policy that is no role shows as one, with its own id. */
export function rolesShown(row: RightsColumns): Role[] {
  const rights = rightsOf(row);
  if ("roleIds" in rights) return rights.roleIds.flatMap((id) => findRole(id) ?? []);
  const allowed = rights.policies.filter(({ access }) => access === "allow");
  const groups = new Set(allowed.flatMap(({ permissionGroupIds }) => permissionGroupIds));
  return [...groups].flatMap((id) => {
    const group = findMemberGroup(id);
    return group?.role ?? group ?? [];
  });
}

/** The policies of a member. Roles show as one policy on the whole account, with the id of the membership. */
export function policiesShown(row: RightsColumns & Pick<MembershipRow, "id" | "account_id">): MemberPolicy[] {
  const rights = rightsOf(row);
  if ("policies" in rights) return [...rights.policies];
  const permissionGroupIds = rolesShown(row).map((role) => groupOfRole(role).id);
  return [{ id: row.id, access: "allow", permissionGroupIds, resourceGroupIds: [row.account_id] }];
}
