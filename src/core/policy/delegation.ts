import { decide, type Resource } from "./evaluate.ts";
import type { Grants, Policy } from "./grants.ts";
import { account, findPermissionGroup, permissionGroups } from "./permission-groups.ts";
import { reachOf, type ResourceScope } from "./resource-keys.ts";

/**
 * The users whose rights bound what a credential hands on in an account: in tokens, in roles. Each of them has to have
 * what is handed on, at that moment. Empty: the operator on the host, bounded by the account alone. Null: nobody knows
 * who, so nothing can be handed on.
 */
export type Grantors = readonly string[] | null;

const delegatingGroupIds = new Set([
  account("Account API Tokens Write").id,
  account("Account Settings Write").id,
]);

/** Whether policies let their holder give rights to others: by making tokens, or by giving roles to members. */
export function canDelegate(policies: readonly Pick<Policy, "effect" | "groupIds">[]): boolean {
  return policies.some(
    ({ effect, groupIds }) => effect === "allow" && groupIds.some((id) => delegatingGroupIds.has(id)),
  );
}

/** The grantors of what two parties decided together: nobody hands on by it what either lacks. */
export function combineGrantors(one: Grantors, other: Grantors): Grantors {
  if (one === null || other === null) return null;
  return [...new Set([...one, ...other])].toSorted();
}

/** Whether all that `other` allows in the account as a whole is allowed by `grants` too. */
export function coversGrants(grants: Grants, other: Grants, accountId: string): boolean {
  return permissionGroups
    .filter(({ scope }) => scope !== "user")
    .every((group) => {
      const resource: Resource =
        group.scope === "account"
          ? { type: "account", id: accountId }
          : { type: "zones-of-account", accountId };
      return !decide(other, group, resource).allowed || decide(grants, group, resource).allowed;
    });
}

/** Whether all that the policies allow in the account is allowed by `grants` too. A zone is found by its id. */
export function coversPolicies(
  grants: Grants,
  accountId: string,
  policies: readonly Pick<Policy, "effect" | "resources" | "groupIds">[],
  accountOfZone: ReadonlyMap<string, string>,
): boolean {
  return policies.every(({ effect, resources, groupIds }) => {
    if (effect === "deny") return true;
    const groups = groupIds.flatMap((id) => findPermissionGroup(id) ?? []);
    return resources.every((scope) =>
      groups.every((group) => {
        const reach = reachOf(scope, group.scope);
        // A group that does not fit the resource gives nothing, and so nothing is asked for.
        if (reach === undefined) return true;
        return decide(grants, group, resourceIn(accountId, reach, accountOfZone)).allowed;
      }),
    );
  });
}

/** A wildcard of an account's token stays within the account. */
function resourceIn(
  accountId: string,
  scope: ResourceScope,
  accountOfZone: ReadonlyMap<string, string>,
): Resource {
  switch (scope.type) {
    case "user":
      return scope;
    case "account":
      return { type: "account", id: accountId };
    case "zones-of-account":
      return { type: "zones-of-account", accountId };
    case "zone":
      return scope.id === "*"
        ? { type: "zones-of-account", accountId }
        : { type: "zone", id: scope.id, accountId: accountOfZone.get(scope.id) ?? accountId };
  }
}
