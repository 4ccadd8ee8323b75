import { findMemberGroup, type MemberGroup } from "../../core/policy/member-groups.ts";
import type { MemberPolicy } from "../../core/policy/member-policies.ts";
import { printScope } from "../../core/policy/permission-groups.ts";
import type { Db } from "../../storage/tables.ts";
import { policiesShown, rolesShown } from "./member-rights.ts";
import {
  findResourceGroupsOf,
  toResourceGroup,
  wholeAccountGroup,
  type ResourceGroups,
} from "./resource-groups.ts";
import { toRole } from "./roles.ts";
import type { Member, MemberPermissionGroup } from "./schema.ts";
import type { FullMembership } from "./store.ts";

/** A membership as its account sees it. `vendor` is the brand segment of keys. */
export async function describeMember(db: Db, row: FullMembership, vendor: string): Promise<Member> {
  return toMember(row, await findResourceGroupsOf(db, [row]), vendor);
}

/** The same for several at once. */
export async function describeMembers(
  db: Db,
  rows: readonly FullMembership[],
  vendor: string,
): Promise<Member[]> {
  const groups = await findResourceGroupsOf(db, rows);
  return rows.map((row) => toMember(row, groups, vendor));
}

/** A permission group as it is answered. */
export function toPermissionGroup(group: MemberGroup, vendor: string): MemberPermissionGroup {
  const { id, name, description, label, scope } = group;
  return { id, name, meta: { description, editable: "false", label, scopes: printScope(scope, vendor) } };
}

function toMember(row: FullMembership, groups: ResourceGroups, vendor: string): Member {
  const user = toMemberUser(row);
  return {
    id: row.id,
    user,
    status: row.status,
    api_access_enabled: null,
    email: user.email,
    policies: toPolicies(policiesShown(row), { accountId: row.account_id, groups, vendor }),
    roles: rolesShown(row).map(toRole),
  };
}

/** Of somebody who is no member, an account sees the address that it invited, and not whether anybody has it. */
function toMemberUser(row: FullMembership): Member["user"] {
  const { email_folded, holder_email, holder_id: id, first_name, last_name, second_factor_since } = row;
  if (row.status !== "accepted") {
    return {
      id: null,
      first_name: null,
      last_name: null,
      email: email_folded,
      two_factor_authentication_enabled: false,
    };
  }
  return {
    id,
    first_name,
    last_name,
    email: holder_email ?? email_folded,
    two_factor_authentication_enabled: second_factor_since !== null,
  };
}

interface PolicyContext {
  readonly accountId: string;
  readonly groups: ResourceGroups;
  readonly vendor: string;
}

/** Policies as they are answered. */
export function toPolicies(
  policies: readonly MemberPolicy[],
  { accountId, groups, vendor }: PolicyContext,
): Member["policies"] {
  return policies.map(({ id, access, permissionGroupIds, resourceGroupIds }) => ({
    id,
    access,
    permission_groups: permissionGroupIds.flatMap((groupId) => {
      const group = findMemberGroup(groupId);
      return group === undefined ? [] : toPermissionGroup(group, vendor);
    }),
    resource_groups: resourceGroupIds.flatMap((groupId) => {
      const group = groups.get(groupId);
      if (group !== undefined) return toResourceGroup(group, vendor);
      return groupId === accountId ? wholeAccountGroup(groupId, vendor) : [];
    }),
  }));
}
