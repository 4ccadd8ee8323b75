import type { ScopesOfGroups } from "../../core/policy/member-policies.ts";
import { printResourceGroupScope } from "../../core/policy/resource-keys.ts";
import { fromJson } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { MembershipRow, ResourceGroupRow } from "../../storage/schema/accounts.ts";
import { selectResourceGroupsById, type OfUserGroups } from "./store.ts";
import type { ResourceGroup } from "./schema.ts";

/** Resource groups by their ids. The one of a whole account is stored nowhere. */
export type ResourceGroups = ReadonlyMap<string, ResourceGroupRow>;

export async function findResourceGroupsOf(
  db: Db,
  rows: readonly (Pick<MembershipRow, "policies"> & Partial<OfUserGroups>)[],
): Promise<ResourceGroups> {
  const named = rows.flatMap(({ policies, groupPolicies = [] }) => {
    const own = policies === null ? [] : fromJson(policies);
    return [...own, ...groupPolicies].flatMap(({ resourceGroupIds }) => resourceGroupIds);
  });
  const found = await selectResourceGroupsById(db, [...new Set(named)]);
  return new Map(found.map((row) => [row.id, row]));
}

export function scopesOf(groups: ResourceGroups): ScopesOfGroups {
  return new Map(Array.from(groups, ([id, { scopes }]) => [id, fromJson(scopes)]));
}

/** The group of all that belongs to an account, which has the id of the account. */
export function wholeAccountGroup(accountId: string, vendor: string): ResourceGroup {
  return {
    id: accountId,
    name: `com.${vendor}.api.account.${accountId}`,
    meta: { editable: "false" },
    scope: printResourceGroupScope([{ type: "account", id: accountId }], { accountId, vendor }),
  };
}

export function toResourceGroup(row: ResourceGroupRow, vendor: string): ResourceGroup {
  const { id, name, scopes, account_id: accountId } = row;
  return {
    id,
    name,
    meta: { editable: "true" },
    scope: printResourceGroupScope(fromJson(scopes), { accountId, vendor }),
  };
}
