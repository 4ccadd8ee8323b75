import type { Policy } from "../../core/policy/grants.ts";
import {
  account,
  permissionGroups,
  user,
  zone,
  type PermissionGroup,
  printScope,
} from "../../core/policy/permission-groups.ts";
import { groupScopeOf, printResources, type ResourceScope } from "../../core/policy/resource-keys.ts";
import type { CreateTokenBody, ListPermissionGroupsQuery, TokenPermissionGroup } from "./schema.ts";
import type { TokenOwner } from "./token.ts";

export const tokenTemplates = ["create-tokens", "edit-dns", "read-all", "all"] as const;

/** Presets: create tokens only, edit the DNS records of all zones, read everything, do everything. */
type TokenTemplate = (typeof tokenTemplates)[number];

export function policiesOfTemplate(
  template: TokenTemplate,
  owner: TokenOwner,
  vendor: string,
): CreateTokenBody["policies"] {
  return templateGrants(template, owner).map(({ resources, groupIds }) => ({
    effect: "allow",
    resources: printResources(resources, vendor),
    permission_groups: groupIds.map((id) => ({ id })),
  }));
}

export function templateGrants(
  template: TokenTemplate,
  owner: TokenOwner,
): Pick<Policy, "resources" | "groupIds">[] {
  const includes = groupsOf(template, owner);
  return scopesOf(owner).flatMap((scope) => {
    const groups = permissionGroups.filter((group) => group.scope === groupScopeOf(scope) && includes(group));
    return groups.length === 0 ? [] : [{ resources: [scope], groupIds: groups.map(({ id }) => id) }];
  });
}

function groupsOf(template: TokenTemplate, owner: TokenOwner): (group: PermissionGroup) => boolean {
  switch (template) {
    case "create-tokens": {
      const makes = "userId" in owner ? user("API Tokens Write") : account("Account API Tokens Write");
      return (group) => group === makes;
    }
    case "edit-dns":
      return (group) => group === zone("DNS Write");
    case "read-all":
      return ({ name }) => /\bRead\b/.test(name);
    case "all":
      return () => true;
  }
}

function scopesOf(owner: TokenOwner): ResourceScope[] {
  if ("accountId" in owner) {
    return [
      { type: "account", id: owner.accountId },
      { type: "zones-of-account", accountId: owner.accountId },
    ];
  }
  return [
    { type: "account", id: "*" },
    { type: "zone", id: "*" },
    { type: "user", id: owner.userId },
  ];
}

/** By name; not paginated. */
export function listPermissionGroups(
  query: ListPermissionGroupsQuery,
  vendor: string,
): TokenPermissionGroup[] {
  const names = query.name === undefined ? [] : spellings(query.name);
  return permissionGroups
    .map((group) => ({ id: group.id, name: group.name, scopes: [printScope(group.scope, vendor)] }))
    .filter((group) => !query.name || names.includes(group.name.toLowerCase()))
    .filter((group) => !query.scope || group.scopes.includes(query.scope));
}

/** A name, and the same percent-decoded once more: some clients encode it twice. */
function spellings(name: string): string[] {
  const once = name.toLowerCase();
  try {
    return [once, decodeURIComponent(name).toLowerCase()];
  } catch {
    return [once];
  }
}
