import { errorCodes } from "../../core/error-codes.ts";
import { invalidIdentifier } from "../../core/error.ts";
import {
  accountList,
  accountRead,
  accountWrite,
  type AccountRead,
  type AccountWrite,
} from "../../operation/account.ts";
import { IdOnly } from "../../operation/schema.ts";
import { fromJson, toJson, toTimestamp } from "../../storage/columns.ts";
import { deleteRow, insertRow, updateRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { UserGroupRow } from "../../storage/schema/accounts.ts";
import type { MembershipContext } from "./change.ts";
import { toPolicies } from "./member.ts";
import { parsePolicies } from "./parse-rights.ts";
import { findResourceGroupsOf } from "./resource-groups.ts";
import { CreateUserGroupBody, EditUserGroupBody, ListUserGroupsQuery, UserGroup } from "./schema.ts";
import { countUserGroups, selectMembershipsOfGroup, selectUserGroups } from "./user-group-store.ts";
import { findUserGroup, policiesOfGroup, refuseAbove, refuseGroupBeyond } from "./user-groups.ts";

const read = "Account Settings Read";
const write = "Account Settings Write";
const path = "/accounts/{account_id}/iam/user_groups";
const item = `${path}/{user_group_id}` as const;
const groupsMax = 500;

export const listUserGroups = accountList({
  name: "listUserGroups",
  summary: "List the user groups of an account",
  path,
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
  path: item,
  permission: read,
  result: UserGroup,
  run: async ({ db, accountId, context: { vendor } }: AccountRead<MembershipContext>, { params }) =>
    describeUserGroup(db, await findUserGroup(db, accountId, params.user_group_id), vendor),
});

/**
 * Errors: as `parsePolicies`, 400 code 1012 for more than 500 groups, 403 code 9109 for policies beyond what the caller may do.
 */
export const createUserGroup = accountWrite({
  name: "createUserGroup",
  summary: "Create a user group, without members",
  method: "POST",
  path,
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
 * It changes what the members of the group may do, at once. What is left out stays; null takes the policies away.
 * Errors: 404 code 1003, as `parsePolicies`, 403 code 9109 for policies beyond what the caller may do, before or after.
 */
export const replaceUserGroup = accountWrite({
  name: "replaceUserGroup",
  summary: "Change the name or the policies of a user group",
  method: "PUT",
  path: item,
  permission: write,
  body: EditUserGroupBody,
  result: UserGroup,
  run: async (
    { tx, accountId, caller, context, now, audit, afterCommit }: AccountWrite<MembershipContext>,
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
    afterCommit(context.forgetCallers);
    return after;
  },
});

/** Its members lose what it gives. Errors: 404 code 1003, 403 code 9109 for policies beyond what the caller may do. */
export const deleteUserGroup = accountWrite({
  name: "deleteUserGroup",
  summary: "Delete a user group; its members stay members of the account",
  method: "DELETE",
  path: item,
  permission: write,
  result: IdOnly,
  run: async (
    { tx, accountId, caller, context, audit, afterCommit }: AccountWrite<MembershipContext>,
    { params: { user_group_id: id } },
  ) => {
    const row = await findUserGroup(tx, accountId, id);
    const members = await selectMembershipsOfGroup(tx, id);
    await refuseGroupBeyond(tx, caller, accountId, { had: policiesOfGroup(row), has: [], members });
    const before = await describeUserGroup(tx, row, context.vendor);
    await deleteRow(tx, "user_groups", id);
    audit({ action: "user_group_delete", id, before, metadata: { members: members.length } });
    afterCommit(context.forgetCallers);
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
