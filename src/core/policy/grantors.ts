import { decide, type Resource } from "./evaluate.ts";
import { alikeIds, type Grants, type Policy } from "./grants.ts";
import {
  account,
  accountAccess,
  findPermissionGroup,
  permissionGroups,
  type PermissionGroup,
} from "./permission-groups.ts";
import { reachOf, type ResourceScope } from "./resource-keys.ts";

/**
 * The users whose rights limit what a credential can delegate in an account by tokens and roles: each must
 * have what is delegated, at that moment. Empty: the operator on the host, limited by the account alone.
 * Null: unknown, so that nothing can be delegated.
 */
export type Grantors = readonly string[] | null;

const delegatingGroupIds = new Set([
  account("Account API Tokens Write").id,
  account("Account Settings Write").id,
]);

/** Whether policies let their holder give rights to others by tokens or roles. */
export function canDelegate(policies: readonly Pick<Policy, "effect" | "groupIds">[]): boolean {
  return policies.some(
    ({ effect, groupIds }) => effect === "allow" && groupIds.some((id) => delegatingGroupIds.has(id)),
  );
}

/** The grantors of a joint decision: what either lacks cannot be delegated. */
export function combineGrantors(one: Grantors, other: Grantors): Grantors {
  if (one === null || other === null) return null;
  return [...new Set([...one, ...other])].toSorted();
}

/** Whether `grants` allow everything that `other` allows in the whole account. */
export function coversGrants(grants: Grants, other: Grants, accountId: string): boolean {
  const zones: readonly Resource[] = [
    { type: "zones-of-account", accountId },
    ...oneOfEachKind(grants, other).map((id) => ({ type: "zone", id, accountId }) as const),
  ];
  const resourcesOf = ({ scope }: PermissionGroup): readonly Resource[] =>
    scope === "account" ? [{ type: "account", id: accountId }] : zones;
  return [...permissionGroups, accountAccess]
    .filter(({ scope }) => scope !== "user")
    .every((group) =>
      resourcesOf(group).every(
        (resource) => !decide(other, group, resource).allowed || decide(grants, group, resource).allowed,
      ),
    );
}

/**
 * Whether the grants allow a group in all of an account: on itself, or on every zone that it has and will
 * have.
 */
export function allowsThroughout(grants: Grants, group: PermissionGroup, accountId: string): boolean {
  if (group.scope === "account") return decide(grants, group, { type: "account", id: accountId }).allowed;
  if (!decide(grants, group, { type: "zones-of-account", accountId }).allowed) return false;
  const named = namedZonesOf.get(grants) ?? oneOfEachKind(grants);
  namedZonesOf.set(grants, named);
  return named.every((id) => decide(grants, group, { type: "zone", id, accountId }).allowed);
}

/** Cached, as policies may name thousands of zones. */
const namedZonesOf = new WeakMap<Grants, readonly string[]>();

/** The id of one zone of each kind that policies name, all alike within a kind. */
function oneOfEachKind(...all: readonly Grants[]): string[] {
  const layers = all.flatMap((grants) => grants.layers.map(({ zone }) => zone.one));
  return alikeIds(layers).flatMap(([id]) => id ?? []);
}

/**
 * Whether `grants` allow everything that the policies allow in the account. `accountOfZone` is by zone id.
 */
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
        // A group that does not fit the resource grants nothing.
        if (reach === undefined) return true;
        // A wildcard of an account's token stays within the account.
        if (reach.type === "account" || reach.type === "zones-of-account" || isEveryZone(reach))
          return allowsThroughout(grants, group, accountId);
        const resource: Resource =
          reach.type === "user"
            ? reach
            : { type: "zone", id: reach.id, accountId: accountOfZone.get(reach.id) ?? accountId };
        return decide(grants, group, resource).allowed;
      }),
    );
  });
}

function isEveryZone(reach: ResourceScope): boolean {
  return reach.type === "zone" && reach.id === "*";
}
