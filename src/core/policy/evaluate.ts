import {
  strongerRuling,
  type Decision,
  type Grants,
  type Index,
  type Layer,
  type Rulings,
} from "./grants.ts";
import type { PermissionGroup } from "./permission-groups.ts";

/** The object of a request. `zones-of-account` stands for a zone to be created in the account. */
export type Resource =
  | { readonly type: "zone"; readonly id: string; readonly accountId: string }
  | { readonly type: "zones-of-account"; readonly accountId: string }
  | { readonly type: "account"; readonly id: string }
  | { readonly type: "user"; readonly id: string };

const implicitDeny: Decision = { allowed: false, reason: "implicit-deny", policyId: undefined };

/**
 * Whether `group` is allowed on `resource`: an explicit deny wins over an explicit allow, and the default is
 * to deny. An allowed *Write* group includes its *Read* group; a denied *Read* group includes its *Write*
 * group (docs/decisions/0011-policy-evaluation.md). A token is limited by its owner.
 */
export function decide(grants: Grants, group: PermissionGroup, resource: Resource): Decision {
  return decideById(grants, group.id, resource);
}

/** Whether any group is allowed on the resource; otherwise it is answered as unknown. */
export function hasAnyPermission(grants: Grants, resource: Resource): boolean {
  const [layer] = grants.layers;
  if (layer === undefined) return false;
  const index = indexFor(layer, resource);
  const isAnyAllowed = (rulings: Rulings | undefined): boolean =>
    rulings !== undefined &&
    rulings
      .entries()
      .some(([groupId, { decision }]) => decision.allowed && decideById(grants, groupId, resource).allowed);
  return (
    isAnyAllowed(index.every) ||
    isAnyAllowed(ofAccount(index, resource)) ||
    isAnyAllowed(one(index, resource))
  );
}

/** Whether a policy of the token or of its owner denies the group. */
export function isDenied({ layers }: Grants, group: PermissionGroup, resource: Resource): boolean {
  return layers.some((layer) => decideInLayer(layer, group.id, resource).reason === "explicit-deny");
}

function decideById({ layers }: Grants, groupId: string, resource: Resource): Decision {
  let answer = implicitDeny;
  for (const layer of layers) {
    const decision = decideInLayer(layer, groupId, resource);
    if (!decision.allowed) return decision;
    if (answer === implicitDeny) answer = decision;
  }
  return answer;
}

function decideInLayer(layer: Layer, groupId: string, resource: Resource): Decision {
  const index = indexFor(layer, resource);
  const general = strongerRuling(index.every.get(groupId), ofAccount(index, resource)?.get(groupId));
  return strongerRuling(general, one(index, resource)?.get(groupId))?.decision ?? implicitDeny;
}

function indexFor(layer: Layer, { type }: Resource): Index {
  return type === "zones-of-account" ? layer.zone : layer[type];
}

function ofAccount(index: Index, resource: Resource): Rulings | undefined {
  return "accountId" in resource ? index.ofAccount.get(resource.accountId) : undefined;
}

function one(index: Index, resource: Resource): Rulings | undefined {
  return "id" in resource ? index.one.get(resource.id) : undefined;
}

/**
 * Whether a zone group is allowed on any zone of the caller's accounts: the gateway belongs to no zone but
 * needs a zone permission. Zones that policies name count whether they exist or not.
 */
export function isAllowedOnAnyZone(
  grants: Grants,
  group: PermissionGroup,
  accountIds: readonly string[],
): boolean {
  const isGeneral = accountIds.some(
    (accountId) => decide(grants, group, { type: "zones-of-account", accountId }).allowed,
  );
  if (isGeneral) return true;
  const named = grants.layers.flatMap(({ zone }) => [...zone.one.keys()]);
  return named.some((id) =>
    accountIds.some((accountId) => decide(grants, group, { type: "zone", id, accountId }).allowed),
  );
}
