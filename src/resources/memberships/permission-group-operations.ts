import { errorCodes } from "../../core/error-codes.ts";
import { invalidIdentifier } from "../../core/error.ts";
import { findMemberGroup, listedMemberGroups, memberGroups } from "../../core/policy/member-groups.ts";
import { accountList, accountRead, type AccountRead } from "../../operation/account.ts";
import type { MembershipContext } from "./change.ts";
import { toPermissionGroup } from "./member.ts";
import { ListMemberPermissionGroupsQuery, MemberPermissionGroup } from "./schema.ts";

const path = "/accounts/{account_id}/iam/permission_groups";

export const listMemberPermissionGroups = accountList({
  name: "listMemberPermissionGroups",
  summary: "List the permission groups for policies of members",
  path,
  permission: "Account Settings Read",
  query: ListMemberPermissionGroupsQuery,
  result: MemberPermissionGroup,
  list: { orderings: ["name"], perPageMax: 1_000 },
  run: async (
    { context: { vendor } }: AccountRead<MembershipContext>,
    { query: { id, name, label }, page: { page, perPage, direction } },
  ) => {
    const found = (id ? memberGroups.filter((group) => group.id === id) : listedMemberGroups)
      .filter((group) => !name || group.name.toLowerCase() === name.toLowerCase())
      .filter((group) => !label || group.label === label)
      .toSorted((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
    if (direction === "desc") found.reverse();
    const items = found.slice((page - 1) * perPage, page * perPage);
    return { items: items.map((group) => toPermissionGroup(group, vendor)), totalCount: found.length };
  },
});

/** Errors: 404 code 1003. */
export const getMemberPermissionGroup = accountRead({
  name: "getMemberPermissionGroup",
  summary: "Get a permission group for policies of members",
  path: `${path}/{permission_group_id}`,
  permission: "Account Settings Read",
  result: MemberPermissionGroup,
  run: async ({ context: { vendor } }: AccountRead<MembershipContext>, { params }) => {
    const group = findMemberGroup(params.permission_group_id);
    if (group === undefined) throw invalidIdentifier("permission group", errorCodes.members.unknown);
    return toPermissionGroup(group, vendor);
  },
});
