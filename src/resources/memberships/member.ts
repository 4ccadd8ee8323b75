import { blocksOfRoles, type Role as RoleTerms, blocksWhere } from "../../core/policy/roles.ts";
import type { Role, Member, MemberPermissionGroup, Membership } from "./schema.ts";
import { findMemberGroup, type MemberGroup } from "../../core/policy/member-groups.ts";
import type { MemberPolicy } from "../../core/policy/member-policies.ts";
import { printScope, type PermissionGroup } from "../../core/policy/permission-groups.ts";
import type { Db } from "../../storage/tables.ts";
import { policiesShown, rolesShown, policiesOfRow } from "./rights.ts";
import {
  findResourceGroupsOf,
  toResourceGroup,
  wholeAccountGroup,
  type ResourceGroups,
} from "./resource-groups.ts";
import { type FullMembership, withUserGroups, type OfUserGroups } from "./store.ts";
import { allowsThroughout } from "../../core/policy/grantors.ts";
import { compilePolicies } from "../../core/policy/grants.ts";
import { toAccount } from "../accounts/accounts.ts";

export function toRole(role: RoleTerms): Role {
  return {
    id: role.id,
    name: role.name,
    description: role.description,
    permissions: Object.fromEntries(
      blocksOfRoles([role]).map(({ block, read, write }) => [block, { read, write, edit: write }]),
    ),
  };
}

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

/**
 * The user of a member. An account sees only the address that it invited of somebody who is no member, and
 * not whether anybody has it.
 */
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

/** Memberships as their user sees them. */
export async function describeMemberships(
  db: Db,
  memberships: readonly FullMembership[],
): Promise<Membership[]> {
  const rows = await withUserGroups(db, memberships);
  const groups = await findResourceGroupsOf(db, rows);
  return rows.map((row) => toMembership(row, groups));
}

export async function describeMembership(db: Db, row: FullMembership): Promise<Membership> {
  const [shown] = await describeMemberships(db, [row]);
  return shown as Membership;
}

/** The permissions of a membership in the whole account: nothing before it is accepted. */
export function permittedIn(
  row: FullMembership & OfUserGroups,
  groups: ResourceGroups,
): (group: PermissionGroup) => boolean {
  const grants = compilePolicies(row.status === "accepted" ? policiesOfRow(row, groups) : []);
  return (group) => allowsThroughout(grants, group, row.account_id);
}

function toMembership(row: FullMembership & OfUserGroups, groups: ResourceGroups): Membership {
  const permitted = blocksWhere(permittedIn(row, groups));
  return {
    id: row.id,
    status: row.status,
    account: toAccount({
      id: row.account_id,
      name: row.account_name,
      type: row.account_type,
      abuse_contact_email: row.account_abuse_contact_email,
      enforces_two_factor: row.account_enforces_two_factor,
      created_on: row.account_created_on,
    }),
    api_access_enabled: null,
    roles: rolesShown(row).map(({ name }) => name),
    permissions: Object.fromEntries(permitted.map(({ block, read, write }) => [block, { read, write }])),
  };
}
