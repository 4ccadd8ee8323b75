import type { Policy } from "./grants.ts";
import { findMemberGroup } from "./member-groups.ts";
import type { ResourceScope } from "./resource-keys.ts";

/** A policy of a member: some permission groups on some resource groups. */
export interface MemberPolicy {
  readonly id: string;
  readonly access: "allow" | "deny";
  /** Ids of `memberGroups`. */
  readonly permissionGroupIds: readonly string[];
  /** Resource groups of the account; the account's own id stands for all of it. */
  readonly resourceGroupIds: readonly string[];
}

/** The resources that resource groups cover, by the ids of the groups. */
export type ScopesOfGroups = ReadonlyMap<string, readonly ResourceScope[]>;

export function expandMemberPolicies(
  policies: readonly MemberPolicy[],
  accountId: string,
  scopes: ScopesOfGroups,
): Policy[] {
  return policies.map(({ id, access, permissionGroupIds, resourceGroupIds }) => ({
    id,
    effect: access,
    resources: resourceGroupIds.flatMap((groupId) =>
      groupId === accountId ? [{ type: "account", id: accountId } as const] : (scopes.get(groupId) ?? []),
    ),
    groupIds: [
      ...new Set(
        permissionGroupIds.flatMap(
          (groupId) => findMemberGroup(groupId)?.groups.map((group) => group.id) ?? [],
        ),
      ),
    ],
  }));
}

/** The ids of the equivalent roles, if there is one policy that allows only roles on the whole account. */
export function rolesInPlaceOf(policies: readonly MemberPolicy[], accountId: string): string[] | undefined {
  const [policy, ...others] = policies;
  if (policy === undefined || others.length > 0 || policy.access === "deny") return undefined;
  if (policy.resourceGroupIds.some((id) => id !== accountId)) return undefined;
  const ids = policy.permissionGroupIds.flatMap((id) => findMemberGroup(id)?.role?.id ?? []);
  return ids.length === policy.permissionGroupIds.length ? ids : undefined;
}
