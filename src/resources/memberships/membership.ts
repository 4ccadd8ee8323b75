import { allowsThroughout } from "../../core/policy/delegation.ts";
import { compilePolicies } from "../../core/policy/grants.ts";
import type { PermissionGroup } from "../../core/policy/permission-groups.ts";
import { blocksWhere } from "../../core/policy/roles.ts";
import type { Db } from "../../storage/tables.ts";
import { toAccount } from "../accounts/accounts.ts";
import { policiesOfRow, rolesShown } from "./member-rights.ts";
import { findResourceGroupsOf, type ResourceGroups } from "./resource-groups.ts";
import type { Membership } from "./schema.ts";
import type { FullMembership } from "./store.ts";
import { withUserGroups, type OfUserGroups } from "./user-group-policies.ts";

/** Memberships as their user sees them. */
export async function describeMemberships(
  db: Db,
  memberships: readonly FullMembership[],
): Promise<Membership[]> {
  const rows = await withUserGroups(db, memberships);
  const groups = await findResourceGroupsOf(db, rows);
  return rows.map((row) => toMembership(row, groups));
}

/** The same for one. */
export async function describeMembership(db: Db, row: FullMembership): Promise<Membership> {
  const [shown] = await describeMemberships(db, [row]);
  return shown as Membership;
}

/** What a membership permits in the whole account: nothing before it is accepted. */
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
