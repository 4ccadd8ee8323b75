import { IdOnly } from "../../operation/schema.ts";
import { Type } from "@sinclair/typebox";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError, invalidBody, invalidIdentifier } from "../../core/error.ts";
import {
  parseResourceGroupScope,
  type ResourceGroupScopeBody,
  type ResourceScope,
} from "../../core/policy/resource-keys.ts";
import { accountRead, accountWrite, type AccountRead, type AccountWrite } from "../../operation/scope.ts";
import { fromJson, toJson, toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { MembershipRow, ResourceGroupRow, UserGroupRow } from "../../storage/schema/accounts.ts";
import { findAccountsOfZones } from "../zones/zones.ts";
import { deleteRow, insertRow, updateRow } from "../../storage/rows.ts";
import type { MembershipContext } from "./change.ts";
import { rightsOf, policiesHidden, refuseRightsBeyond } from "./rights.ts";
import {
  countResourceGroups,
  selectMembershipsWithPolicies,
  selectResourceGroups,
  selectMembershipsOfGroup,
  selectUserGroupsWithPolicies,
} from "./store.ts";
import { findResourceGroupsOf, scopesOf, toResourceGroup, wholeAccountGroup } from "./resource-groups.ts";
import { policiesOfGroup, refuseGroupBeyond } from "./user-groups.ts";
import {
  CreateResourceGroupBody,
  EditResourceGroupBody,
  ListResourceGroupsQuery,
  ResourceGroup,
} from "./schema.ts";

const read = "Account Settings Read";
const write = "Account Settings Write";
const path = "/accounts/{account_id}/iam/resource_groups";
const item = `${path}/{resource_group_id}` as const;
const groupsMax = 1_000;

/** All at once, that of the whole account first. Clients that go on until a page is empty find one. */
export const listResourceGroups = accountRead({
  name: "listResourceGroups",
  summary: "List the resource groups of an account",
  path,
  permission: read,
  query: ListResourceGroupsQuery,
  result: Type.Array(ResourceGroup),
  run: async (
    { db, accountId, context: { vendor } }: AccountRead<MembershipContext>,
    { query: { id, name, page = 1 } },
  ) => {
    if (page !== 1) return [];
    const whole = wholeAccountGroup(accountId, vendor);
    const isAskedFor = (id || whole.id) === whole.id && (name || whole.name) === whole.name;
    const rows = await selectResourceGroups(db, accountId, { id: id || undefined, name: name || undefined });
    return [...(isAskedFor ? [whole] : []), ...rows.map((row) => toResourceGroup(row, vendor))];
  },
});

/** Errors: 404 code 1003. */
export const getResourceGroup = accountRead({
  name: "getResourceGroup",
  summary: "Get a resource group",
  path: item,
  permission: read,
  result: ResourceGroup,
  run: async ({ db, accountId, context: { vendor } }: AccountRead<MembershipContext>, { params }) =>
    params.resource_group_id === accountId
      ? wholeAccountGroup(accountId, vendor)
      : toResourceGroup(await findResourceGroup(db, accountId, params.resource_group_id), vendor),
});

/** Errors: 400 code 1001 for a scope that is none of the account, 1009 for more than 1,000 groups. */
export const createResourceGroup = accountWrite({
  name: "createResourceGroup",
  summary: "Create a resource group",
  method: "POST",
  path,
  permission: write,
  body: CreateResourceGroupBody,
  result: ResourceGroup,
  run: async ({ tx, accountId, context, now, audit }: AccountWrite<MembershipContext>, { body }) => {
    const { vendor } = context;
    const scopes = await parseScope(tx, body.scope, accountId, vendor);
    if ((await countResourceGroups(tx, accountId)) >= groupsMax) {
      throw new AppError(
        "invalid",
        errorCodes.members.tooManyResourceGroups,
        `The account already has its maximum of ${groupsMax} resource groups`,
      );
    }
    const row: ResourceGroupRow = {
      id: context.newId(),
      account_id: accountId,
      name: body.name,
      scopes: toJson(scopes),
      created_on: toTimestamp(now),
    };
    await insertRow(tx, "resource_groups", row);
    const after = toResourceGroup(row, vendor);
    audit({ action: "resource_group_add", id: row.id, after });
    return after;
  },
});

/**
 * Changes what policies of members cover that name the group, at once.
 * Errors: 404 code 1003, 400 code 1001 as `createResourceGroup`, 400 code 1010 for the group of the whole
 * account, 403 code 9109 where a member whose policies name the group may do more than the caller can give,
 * before or after.
 */
export const replaceResourceGroup = accountWrite({
  name: "replaceResourceGroup",
  summary: "Change the name or the scope of a resource group",
  method: "PUT",
  path: item,
  permission: write,
  body: EditResourceGroupBody,
  result: ResourceGroup,
  run: async (
    { tx, accountId, caller, context, audit }: AccountWrite<MembershipContext>,
    { params: { resource_group_id: id }, body },
  ) => {
    const { vendor } = context;
    const row = await findEditable(tx, accountId, id);
    const scopes =
      body.scope === undefined ? row.scopes : toJson(await parseScope(tx, body.scope, accountId, vendor));
    const changed = { ...row, name: body.name ?? row.name, scopes };
    const [before, after] = [toResourceGroup(row, vendor), toResourceGroup(changed, vendor)];
    if (changed.name === row.name && scopes === row.scopes) return before;
    if (scopes !== row.scopes) {
      for (const membership of await findMembersNaming(tx, accountId, id)) {
        const covered = scopesOf(await findResourceGroupsOf(tx, [membership]));
        const rights = rightsOf(membership);
        await refuseRightsBeyond(tx, caller, accountId, {
          had: rights,
          has: rights,
          scopes: [covered, new Map([...covered, [id, fromJson(scopes)]])],
          behind: await policiesHidden(tx, membership),
        });
      }
      for (const group of await findUserGroupsNaming(tx, accountId, id)) {
        const policies = policiesOfGroup(group);
        await refuseGroupBeyond(tx, caller, accountId, {
          had: policies,
          has: policies,
          members: await selectMembershipsOfGroup(tx, group.id),
          changedScopes: new Map([[id, fromJson(scopes)]]),
        });
      }
    }
    await updateRow(tx, "resource_groups", id, { name: changed.name, scopes });
    audit({ action: "resource_group_edit", id, before, after });
    return after;
  },
});

/**
 * Errors: 404 code 1003, 400 code 1008 while a policy of a member or an invite names it, 1010 for that of the
 * account.
 */
export const deleteResourceGroup = accountWrite({
  name: "deleteResourceGroup",
  summary: "Delete a resource group that no policy of a member or user group names",
  method: "DELETE",
  path: item,
  permission: write,
  result: IdOnly,
  run: async (
    { tx, accountId, context, audit }: AccountWrite<MembershipContext>,
    { params: { resource_group_id: id } },
  ) => {
    const before = toResourceGroup(await findEditable(tx, accountId, id), context.vendor);
    const [user = (await findUserGroupsNaming(tx, accountId, id)).at(0)] = await findMembersNaming(
      tx,
      accountId,
      id,
    );
    if (user !== undefined) {
      throw new AppError(
        "invalid",
        errorCodes.members.resourceGroupInUse,
        "A policy of a member, an invite or a user group names the resource group: change it first",
      );
    }
    await deleteRow(tx, "resource_groups", id);
    audit({ action: "resource_group_delete", id, before });
    return { id };
  },
});

async function findResourceGroup(db: Db, accountId: string, id: string): Promise<ResourceGroupRow> {
  const [row] = await selectResourceGroups(db, accountId, { id });
  if (row === undefined) throw invalidIdentifier("resource group", errorCodes.members.unknown);
  return row;
}

async function findEditable(db: Db, accountId: string, id: string): Promise<ResourceGroupRow> {
  if (id !== accountId) return findResourceGroup(db, accountId, id);
  throw new AppError(
    "invalid",
    errorCodes.members.fixedResourceGroup,
    "The resource group of the whole account stays as it is",
  );
}

/** Members and invites whose policies name the group. */
async function findMembersNaming(tx: Db, accountId: string, id: string): Promise<MembershipRow[]> {
  return (await selectMembershipsWithPolicies(tx, accountId)).filter((row) => isNamedBy(row, id));
}

/** User groups whose policies name it. */
async function findUserGroupsNaming(tx: Db, accountId: string, id: string): Promise<UserGroupRow[]> {
  return (await selectUserGroupsWithPolicies(tx, accountId)).filter((row) => isNamedBy(row, id));
}

function isNamedBy({ policies }: Pick<MembershipRow, "policies">, id: string): boolean {
  return (
    policies !== null && fromJson(policies).some(({ resourceGroupIds }) => resourceGroupIds.includes(id))
  );
}

async function parseScope(
  tx: Db,
  body: ResourceGroupScopeBody,
  accountId: string,
  vendor: string,
): Promise<ResourceScope[]> {
  const scopes = parseResourceGroupScope(body, { accountId, vendor });
  const zoneIds = scopes.flatMap((scope) => (scope.type === "zone" ? [scope.id] : []));
  const accounts = await findAccountsOfZones(tx, zoneIds);
  for (const [index, scope] of scopes.entries()) {
    if (scope.type !== "zone" || accounts.get(scope.id) === accountId) continue;
    const pointer = `/scope/objects/${index}/key`;
    throw invalidBody(pointer, "there is no such zone in the account", errorCodes.members.invalid);
  }
  return scopes;
}
