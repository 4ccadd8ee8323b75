import { Type, type Static } from "@sinclair/typebox";

import { errorCodes } from "../../core/error-codes.ts";
import { invalidIdentifier, invalidBody } from "../../core/error.ts";
import {
  accountList,
  accountRead,
  accountWrite,
  type AccountRead,
  type AccountWrite,
} from "../../operation/scope.ts";
import { IdOnly } from "../../operation/schema.ts";
import { fromJson, toJson, toTimestamp } from "../../storage/columns.ts";
import { deleteRow, insertRow, updateRow, deleteRows, insertRows } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { UserGroupRow, MembershipRow } from "../../storage/schema/accounts.ts";
import type { MembershipContext } from "./change.ts";
import { toPolicies } from "./member.ts";
import { parsePolicies } from "./rights.ts";
import { findResourceGroupsOf } from "./resource-groups.ts";
import {
  CreateUserGroupBody,
  EditUserGroupBody,
  ListUserGroupsQuery,
  UserGroup,
  ListUserGroupMembersQuery,
  UserGroupMember,
  UserGroupMemberDetails,
  UserGroupMembersBody,
} from "./schema.ts";
import {
  countUserGroups,
  selectMembershipsOfGroup,
  selectUserGroups,
  selectBelongings,
  selectOpenMemberships,
  selectUserGroupMember,
  selectUserGroupMembers,
  type FullUserGroupMember,
} from "./store.ts";
import { findUserGroup, policiesOfGroup, refuseAbove, refuseGroupBeyond } from "./user-groups.ts";

const read = "Account Settings Read";
const write = "Account Settings Write";
const groupsPath = "/accounts/{account_id}/iam/user_groups";
const groupPath = `${groupsPath}/{user_group_id}` as const;
const groupsMax = 500;

export const listUserGroups = accountList({
  name: "listUserGroups",
  summary: "List the user groups of an account",
  path: groupsPath,
  permission: read,
  query: ListUserGroupsQuery,
  result: UserGroup,
  list: { orderings: ["name"], perPageMax: 1_000 },
  run: async (
    { db, accountId, context: { vendor } }: AccountRead<MembershipContext>,
    { query: { id, name, fuzzyName }, page },
  ) => {
    const filter = {
      id: id || undefined,
      name: name || undefined,
      part: fuzzyName?.toLowerCase() || undefined,
    };
    const { items, totalCount } = await selectUserGroups(db, accountId, filter, page);
    return { items: await describeUserGroups(db, items, vendor), totalCount };
  },
});

/** Errors: 404 code 1003. */
export const getUserGroup = accountRead({
  name: "getUserGroup",
  summary: "Get a user group",
  path: groupPath,
  permission: read,
  result: UserGroup,
  run: async ({ db, accountId, context: { vendor } }: AccountRead<MembershipContext>, { params }) =>
    describeUserGroup(db, await findUserGroup(db, accountId, params.user_group_id), vendor),
});

/**
 * Errors: as `parsePolicies`, 400 code 1012 for more than 500 groups, 403 code 9109 for policies beyond what
 * the caller may do.
 */
export const createUserGroup = accountWrite({
  name: "createUserGroup",
  summary: "Create a user group, without members",
  method: "POST",
  path: groupsPath,
  permission: write,
  body: CreateUserGroupBody,
  result: UserGroup,
  run: async ({ tx, accountId, caller, context, now, audit }: AccountWrite<MembershipContext>, { body }) => {
    const policies =
      body.policies && (await parsePolicies(context, tx, accountId, body.policies, [])).policies;
    await refuseGroupBeyond(tx, caller, accountId, { had: [], has: policies ?? [], members: [] });
    refuseAbove((await countUserGroups(tx, accountId)) + 1, groupsMax, "User groups of an account");
    const created_on = toTimestamp(now);
    const row: UserGroupRow = {
      id: context.newId(),
      account_id: accountId,
      name: body.name,
      name_folded: body.name.toLowerCase(),
      policies: policies == null ? null : toJson(policies),
      created_on,
      modified_on: created_on,
    };
    await insertRow(tx, "user_groups", row);
    const after = await describeUserGroup(tx, row, context.vendor);
    audit({ action: "user_group_add", id: row.id, after });
    return after;
  },
});

/**
 * Changes what the members of the group may do, at once. Fields left out stay; null takes the policies away.
 * Errors: 404 code 1003, as `parsePolicies`, 403 code 9109 for policies beyond what the caller may do, before
 * or after.
 */
export const replaceUserGroup = accountWrite({
  name: "replaceUserGroup",
  summary: "Change the name or the policies of a user group",
  method: "PUT",
  path: groupPath,
  permission: write,
  body: EditUserGroupBody,
  result: UserGroup,
  run: async (
    { tx, accountId, caller, context, now, audit }: AccountWrite<MembershipContext>,
    { params: { user_group_id: id }, body },
  ) => {
    const row = await findUserGroup(tx, accountId, id);
    const had = policiesOfGroup(row);
    const policies =
      body.policies && (await parsePolicies(context, tx, accountId, body.policies, had)).policies;
    const change = {
      name: body.name ?? row.name,
      policies: policies === undefined ? row.policies : policies === null ? null : toJson(policies),
    };
    const before = await describeUserGroup(tx, row, context.vendor);
    if (change.name === row.name && change.policies === row.policies) return before;
    if (change.policies !== row.policies) {
      const members = await selectMembershipsOfGroup(tx, id);
      await refuseGroupBeyond(tx, caller, accountId, { had, has: policies ?? [], members });
    }
    const changed = {
      ...change,
      name_folded: change.name.toLowerCase(),
      modified_on: toTimestamp(now),
    };
    await updateRow(tx, "user_groups", id, changed);
    const after = await describeUserGroup(tx, { ...row, ...changed }, context.vendor);
    audit({ action: "user_group_edit", id, before, after });
    return after;
  },
});

/**
 * Its members lose what it gives. Errors: 404 code 1003, 403 code 9109 for policies beyond what the caller
 * may do.
 */
export const deleteUserGroup = accountWrite({
  name: "deleteUserGroup",
  summary: "Delete a user group; its members stay members of the account",
  method: "DELETE",
  path: groupPath,
  permission: write,
  result: IdOnly,
  run: async (
    { tx, accountId, caller, context, audit }: AccountWrite<MembershipContext>,
    { params: { user_group_id: id } },
  ) => {
    const row = await findUserGroup(tx, accountId, id);
    const members = await selectMembershipsOfGroup(tx, id);
    await refuseGroupBeyond(tx, caller, accountId, { had: policiesOfGroup(row), has: [], members });
    const before = await describeUserGroup(tx, row, context.vendor);
    await deleteRow(tx, "user_groups", id);
    audit({ action: "user_group_delete", id, before, metadata: { members: members.length } });
    return { id };
  },
});

async function describeUserGroup(db: Db, row: UserGroupRow, vendor: string): Promise<UserGroup> {
  const [shown] = await describeUserGroups(db, [row], vendor);
  if (shown === undefined) throw invalidIdentifier("user group", errorCodes.members.unknown);
  return shown;
}

async function describeUserGroups(
  db: Db,
  rows: readonly UserGroupRow[],
  vendor: string,
): Promise<UserGroup[]> {
  const groups = await findResourceGroupsOf(db, rows);
  return rows.map(({ id, account_id: accountId, name, policies, created_on, modified_on }) => ({
    id,
    name,
    ...(policies !== null && { policies: toPolicies(fromJson(policies), { accountId, groups, vendor }) }),
    created_on,
    modified_on,
  }));
}

const membersPath = "/accounts/{account_id}/iam/user_groups/{user_group_id}/members";
const memberPath = `${membersPath}/{member_id}` as const;
/** A request of a member with as many groups reads all of their policies. */
const groupsOfMemberMax = 20;
const membersMax = 1_000;

export const listUserGroupMembers = accountList({
  name: "listUserGroupMembers",
  summary: "List the members of a user group",
  path: membersPath,
  permission: read,
  query: ListUserGroupMembersQuery,
  result: UserGroupMember,
  list: { orderings: ["email"], perPageMax: 1_000 },
  run: async (
    { db, accountId }: AccountRead<MembershipContext>,
    { params: { user_group_id: id }, query: { fuzzyEmail }, page },
  ) => {
    await findUserGroup(db, accountId, id);
    const part = fuzzyEmail?.toLowerCase() || undefined;
    const { items, totalCount } = await selectUserGroupMembers(db, id, { part }, page);
    return { items: items.map(toUserGroupMember), totalCount };
  },
});

/** Errors: 404 code 1003. */
export const getUserGroupMember = accountRead({
  name: "getUserGroupMember",
  summary: "Get a member of a user group",
  path: memberPath,
  permission: read,
  result: UserGroupMemberDetails,
  run: async (
    { db, accountId }: AccountRead<MembershipContext>,
    { params: { user_group_id: id, member_id: memberId } },
  ) => {
    await findUserGroup(db, accountId, id);
    const row = await findUserGroupMember(db, id, memberId);
    return {
      ...toUserGroupMember(row),
      created_at: row.joined_on,
      // Of somebody who is only invited an account sees the address alone.
      ...(row.status === "accepted" && {
        user: {
          id: row.holder_id,
          email: emailShown(row),
          first_name: row.first_name,
          last_name: row.last_name,
        },
      }),
    };
  },
});

/** Errors: as `changeMembers`. */
export const addUserGroupMembers = accountWrite({
  name: "addUserGroupMembers",
  summary: "Add members of the account to a user group",
  method: "POST",
  path: membersPath,
  permission: write,
  body: UserGroupMembersBody,
  result: Type.Array(UserGroupMember),
  run: async (work: AccountWrite<MembershipContext>, { params: { user_group_id: id }, body }) =>
    changeMembers(work, id, idsIn(body), (members, sent) => [...members, ...sent]),
});

/** Errors: as `changeMembers`. */
export const replaceUserGroupMembers = accountWrite({
  name: "replaceUserGroupMembers",
  summary: "Replace the members of a user group",
  method: "PUT",
  path: membersPath,
  permission: write,
  body: UserGroupMembersBody,
  result: Type.Array(UserGroupMember),
  run: async (work: AccountWrite<MembershipContext>, { params: { user_group_id: id }, body }) =>
    changeMembers(work, id, idsIn(body), (_, sent) => sent),
});

/** Errors: as `changeMembers`, 404 code 1003 for one that is not in the group. */
export const removeUserGroupMember = accountWrite({
  name: "removeUserGroupMember",
  summary: "Remove a member from a user group; it stays a member of the account",
  method: "DELETE",
  path: memberPath,
  permission: write,
  result: UserGroupMember,
  run: async (
    work: AccountWrite<MembershipContext>,
    { params: { user_group_id: id, member_id: memberId } },
  ) => {
    await findUserGroup(work.tx, work.accountId, id);
    const removed = toUserGroupMember(await findUserGroupMember(work.tx, id, memberId));
    await changeMembers(work, id, [], (members) => members.filter((member) => member !== memberId));
    return removed;
  },
});

const idsIn = (body: Static<typeof UserGroupMembersBody>): string[] => body.map(({ id }) => id);

/**
 * Changes who belongs to a group, and with it what they may do, at once. Errors: 404 code 1003 for an unknown
 * group, 400 code 1001 for an id of no member of the account, 1012 for more than 1,000 members or a member of
 * more than 20 groups, 403 code 9109 where the group gives more than the caller may do, or denies what those
 * who come or go may do beyond the caller.
 */
async function changeMembers(
  { tx, accountId, caller, now, audit }: AccountWrite<MembershipContext>,
  groupId: string,
  sent: readonly string[],
  become: (memberIds: readonly string[], sent: readonly string[]) => readonly string[],
): Promise<UserGroupMember[]> {
  const group = await findUserGroup(tx, accountId, groupId);
  const earlier = await selectMembershipsOfGroup(tx, groupId);
  const had = new Set(earlier.map(({ id }) => id));
  const has = new Set(become([...had], sent));
  const added = await findMembersToAdd(tx, accountId, [...has.difference(had)], sent);
  const removed = earlier.filter(({ id }) => !has.has(id));
  const before = await listAll(tx, groupId);
  if (added.length + removed.length === 0) return before;
  refuseAbove(has.size, membersMax, "Members of a user group");
  const policies = policiesOfGroup(group);
  await refuseGroupBeyond(tx, caller, accountId, {
    had: policies,
    has: policies,
    members: [...added, ...removed],
  });
  const grantors = caller.grantors === null ? null : toJson([...caller.grantors]);
  for (const { id } of removed) {
    await deleteRows(tx, "user_group_members", { user_group_id: groupId, membership_id: id });
  }
  await insertRows(
    tx,
    "user_group_members",
    added.map(({ id }) => ({
      user_group_id: groupId,
      membership_id: id,
      grantors,
      created_on: toTimestamp(now),
    })),
  );
  await refuseTooManyGroups(tx, added);
  const after = await listAll(tx, groupId);
  audit({ action: "user_group_members_edit", id: groupId, before, after, metadata: { name: group.name } });
  return after;
}

async function findMembersToAdd(
  tx: Db,
  accountId: string,
  ids: readonly string[],
  sent: readonly string[],
): Promise<MembershipRow[]> {
  const rows = await selectOpenMemberships(tx, accountId, ids);
  const found = new Set(rows.map(({ id }) => id));
  const missing = ids.find((id) => !found.has(id));
  if (missing !== undefined) {
    const code = errorCodes.members.invalid;
    throw invalidBody(`/${sent.indexOf(missing)}/id`, "there is no such member of the account", code);
  }
  return rows;
}

async function refuseTooManyGroups(tx: Db, added: readonly MembershipRow[]): Promise<void> {
  const belongings = await selectBelongings(
    tx,
    added.map(({ id }) => id),
  );
  for (const one of Map.groupBy(belongings, ({ membership_id }) => membership_id).values()) {
    refuseAbove(one.length, groupsOfMemberMax, "User groups of a member");
  }
}

async function findUserGroupMember(db: Db, groupId: string, id: string): Promise<FullUserGroupMember> {
  const row = await selectUserGroupMember(db, groupId, id);
  if (row === undefined) throw invalidIdentifier("member", errorCodes.members.unknown);
  return row;
}

async function listAll(db: Db, groupId: string): Promise<UserGroupMember[]> {
  const all = { page: 1, perPage: membersMax, order: "email", direction: "asc" } as const;
  return (await selectUserGroupMembers(db, groupId, {}, all)).items.map(toUserGroupMember);
}

function toUserGroupMember(row: FullUserGroupMember): UserGroupMember {
  return { id: row.id, email: emailShown(row), status: row.status };
}

function emailShown({ status, email_folded, holder_email }: FullUserGroupMember): string {
  return status === "accepted" ? (holder_email ?? email_folded) : email_folded;
}
