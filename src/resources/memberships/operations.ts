import { Type } from "@sinclair/typebox";

import { errorCodes } from "../../core/error-codes.ts";
import { invalidIdentifier, invalidRequest } from "../../core/error.ts";
import { findRole, roles } from "../../core/policy/roles.ts";
import {
  accountList,
  accountRead,
  accountWrite,
  type AccountRead,
  type AccountWrite,
  userList,
  userRead,
  userWrite,
  type UserWrite,
} from "../../operation/scope.ts";
import { IdOnly } from "../../operation/schema.ts";
import {
  answerInvite,
  changeMembership,
  findMembership,
  ownedBy,
  type MembershipContext,
  addInvite,
  findInvite,
  sentBy,
  toInvite,
} from "./change.ts";
import {
  grantsToDelegate,
  rightsOf,
  toRightsColumns,
  parseRights,
  policiesBehind,
  policiesHidden,
  refuseRightsBeyond,
} from "./rights.ts";
import {
  describeMember,
  describeMembers,
  describeMembership,
  describeMemberships,
  toRole,
  toPermissionGroup,
} from "./member.ts";
import { findResourceGroupsOf, scopesOf } from "./resource-groups.ts";
import {
  AddMemberBody,
  AnswerInviteBody,
  EditMemberBody,
  Invite,
  ListMembershipsQuery,
  ListMembersQuery,
  ListRolesQuery,
  Member,
  Membership,
  Role,
  ListMemberPermissionGroupsQuery,
  MemberPermissionGroup,
} from "./schema.ts";
import { selectInvites, selectMemberships } from "./store.ts";
import { findMemberGroup, listedMemberGroups, memberGroups } from "../../core/policy/member-groups.ts";

const read = "Account Settings Read";
const write = "Account Settings Write";

const nothing = { roleIds: [] };

export const listMembers = accountList({
  name: "listMembers",
  summary: "List the members of an account, and who is invited",
  path: "/accounts/{account_id}/members",
  permission: read,
  query: ListMembersQuery,
  result: Member,
  list: {
    orderings: ["user.email", "user.first_name", "user.last_name", "status"],
    perPageMax: 1_000,
  },
  run: async ({ db, accountId, context }: AccountRead<MembershipContext>, { query: { status }, page }) => {
    const { items, totalCount } = await selectMemberships(db, { accountId }, { status }, page);
    return { items: await describeMembers(db, items, context.vendor), totalCount };
  },
});

/**
 * Invites an e-mail address, whether or not it has a user. Errors: as `addInvite` and `parseRights`, 400 code
 * 1001 for `status` accepted, 403 code 9109 for rights beyond the caller's own.
 */
export const addMember = accountWrite({
  name: "addMember",
  summary: "Invite somebody to be a member of an account",
  method: "POST",
  path: "/accounts/{account_id}/members",
  permission: write,
  body: AddMemberBody,
  result: Member,
  run: async ({ tx, accountId, caller, context, audit }: AccountWrite<MembershipContext>, { body }) => {
    if (body.status === "accepted") {
      const rule = "A member is invited, and accepts the invite: `status` must be pending";
      throw invalidRequest(errorCodes.members.invalid, rule, "/status");
    }
    const { rights, groups } = await parseRights(context, tx, accountId, body);
    await refuseRightsBeyond(tx, caller, accountId, {
      had: nothing,
      has: rights,
      scopes: [scopesOf(groups)],
    });
    const id = await addInvite(context, tx, {
      accountId,
      email: body.email,
      rights,
      invitedBy: caller.user?.email ?? null,
      grantors: caller.grantors,
    });
    const after = await describeMember(tx, await findMembership(tx, { accountId }, id), context.vendor);
    audit({ action: "invite_send", id, after });
    return after;
  },
});

/** Errors: 404 code 1003. */
export const getMember = accountRead({
  name: "getMember",
  summary: "Get a member of an account",
  path: "/accounts/{account_id}/members/{member_id}",
  permission: read,
  result: Member,
  run: async ({ db, accountId, context }: AccountRead<MembershipContext>, { params }) =>
    describeMember(db, await findMembership(db, { accountId }, params.member_id), context.vendor),
});

/**
 * Works on open invites too. Errors: as `parseRights` and `changeMembership`, 403 code 9109 as `addMember`.
 */
export const editMember = accountWrite({
  name: "editMember",
  summary: "Give a member of an account other roles or policies",
  method: "PUT",
  path: "/accounts/{account_id}/members/{member_id}",
  permission: write,
  body: EditMemberBody,
  result: Member,
  run: async (work: AccountWrite<MembershipContext>, { params, body }) => {
    const { tx, accountId, caller, context } = work;
    const row = await changeMembership(work, { accountId }, params.member_id, {
      action: "member_edit",
      become: async (before) => {
        const { rights, groups } = await parseRights(context, tx, accountId, body, before);
        const scopes = scopesOf(new Map([...(await findResourceGroupsOf(tx, [before])), ...groups]));
        const change = {
          had: rightsOf(before),
          has: rights,
          scopes: [scopes],
          behind: await policiesHidden(tx, before),
        };
        const columns = toRightsColumns(rights, accountId);
        if (columns.roles === before.roles && columns.policies === before.policies) {
          await grantsToDelegate(tx, caller.grantors, accountId);
          return {};
        }
        await refuseRightsBeyond(tx, caller, accountId, change);
        if (before.status !== "pending") return columns;
        // Changing an invite counts as sending it again.
        await refuseRightsBeyond(tx, caller, accountId, {
          ...change,
          had: nothing,
          behind: await policiesBehind(tx, before),
        });
        return { ...columns, ...sentBy(caller.grantors) };
      },
    });
    return describeMember(tx, row, context.vendor);
  },
});

/** Errors: as `changeMembership`, 403 code 9109 for rights beyond the caller's own. */
export const removeMember = accountWrite({
  name: "removeMember",
  summary: "Remove a member of an account, or take an invite back",
  method: "DELETE",
  path: "/accounts/{account_id}/members/{member_id}",
  permission: write,
  result: IdOnly,
  run: async (work: AccountWrite<MembershipContext>, { params: { member_id: id } }) => {
    const { tx, accountId, caller } = work;
    await changeMembership(work, { accountId }, id, {
      action: "member_remove",
      become: async (before) => {
        await refuseRightsBeyond(tx, caller, accountId, {
          had: rightsOf(before),
          has: nothing,
          scopes: [scopesOf(await findResourceGroupsOf(tx, [before]))],
          behind: await policiesBehind(tx, before),
        });
        return "removed";
      },
    });
    return { id };
  },
});

/** Not paginated: clients that read on until a page is empty get an empty second page. */
export const listRoles = accountRead({
  name: "listRoles",
  summary: "List the roles that members of an account can have",
  path: "/accounts/{account_id}/roles",
  permission: read,
  query: ListRolesQuery,
  result: Type.Array(Role),
  run: async (_work, { query: { page = 1 } }) => (page === 1 ? roles.map(toRole) : []),
});

/** Errors: 404 code 1003. */
export const getRole = accountRead({
  name: "getRole",
  summary: "Get a role",
  path: "/accounts/{account_id}/roles/{role_id}",
  permission: read,
  result: Role,
  run: async (_work, { params }) => {
    const role = findRole(params.role_id);
    if (role === undefined) throw invalidIdentifier("role", errorCodes.members.unknown);
    return toRole(role);
  },
});

/** Includes answered and expired ones, the newest first; not paginated. */
export const listInvites = userRead({
  name: "listInvites",
  summary: "List the caller's invites to accounts",
  path: "/user/invites",
  permission: "Memberships Read",
  result: Type.Array(Invite),
  run: async ({ db, user, now }) => {
    const rows = await selectInvites(db, ownedBy(user));
    return rows.map((row) => toInvite(row, now));
  },
});

/** Errors: 404 code 1003. */
export const getInvite = userRead({
  name: "getInvite",
  summary: "Get one of the caller's invites",
  path: "/user/invites/{invite_id}",
  permission: "Memberships Read",
  result: Invite,
  run: async ({ db, user, now }, { params }) =>
    toInvite(await findInvite(db, ownedBy(user), params.invite_id), now),
});

/** Errors: 404 code 1003, and as `answerInvite`. */
export const editInvite = userWrite({
  name: "editInvite",
  summary: "Accept or reject an invite",
  method: "PATCH",
  path: "/user/invites/{invite_id}",
  permission: "Memberships Write",
  body: AnswerInviteBody,
  result: Invite,
  run: async (work: UserWrite<MembershipContext>, { params: { invite_id: id }, body }) => {
    await findInvite(work.tx, ownedBy(work.user), id);
    return toInvite(await answerInvite(work, id, body), work.now);
  },
});

/** Includes invites to the caller. */
export const listMemberships = userList({
  name: "listMemberships",
  summary: "List the caller's memberships",
  path: "/memberships",
  permission: { usersOnly: "Memberships Read" },
  query: ListMembershipsQuery,
  result: Membership,
  list: { orderings: ["account.name", "id", "status"], perPageMax: 1_000 },
  run: async ({ db, user }, { query, page }) => {
    const accountName = (query["account.name"] ?? query.name) || undefined;
    const filter = { accountName, status: query.status };
    const { items, totalCount } = await selectMemberships(db, ownedBy(user), filter, page);
    return { items: await describeMemberships(db, items), totalCount };
  },
});

/** Errors: 404 code 1003. */
export const getMembership = userRead({
  name: "getMembership",
  summary: "Get one of the caller's memberships",
  path: "/memberships/{membership_id}",
  permission: { usersOnly: "Memberships Read" },
  result: Membership,
  run: async ({ db, user }, { params }) =>
    describeMembership(db, await findMembership(db, ownedBy(user), params.membership_id)),
});

/** Errors: as `answerInvite`. */
export const replaceMembership = userWrite({
  name: "replaceMembership",
  summary: "Accept or reject an invite by its membership",
  method: "PUT",
  path: "/memberships/{membership_id}",
  permission: { usersOnly: "Memberships Write" },
  body: AnswerInviteBody,
  result: Membership,
  run: async (work: UserWrite<MembershipContext>, { params, body }) =>
    describeMembership(work.tx, await answerInvite(work, params.membership_id, body)),
});

/** Also drops an invite. Errors: as `changeMembership`. */
export const deleteMembership = userWrite({
  name: "deleteMembership",
  summary: "Leave an account",
  method: "DELETE",
  path: "/memberships/{membership_id}",
  permission: { usersOnly: "Memberships Write" },
  result: IdOnly,
  run: async (work: UserWrite<MembershipContext>, { params: { membership_id: id } }) => {
    await changeMembership(work, ownedBy(work.user), id, {
      action: "member_leave",
      become: async () => "removed",
    });
    return { id };
  },
});

const permissionGroupsPath = "/accounts/{account_id}/iam/permission_groups";

export const listMemberPermissionGroups = accountList({
  name: "listMemberPermissionGroups",
  summary: "List the permission groups for policies of members",
  path: permissionGroupsPath,
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
  path: `${permissionGroupsPath}/{permission_group_id}`,
  permission: "Account Settings Read",
  result: MemberPermissionGroup,
  run: async ({ context: { vendor } }: AccountRead<MembershipContext>, { params }) => {
    const group = findMemberGroup(params.permission_group_id);
    if (group === undefined) throw invalidIdentifier("permission group", errorCodes.members.unknown);
    return toPermissionGroup(group, vendor);
  },
});
