import {
  parseResources,
  printResources,
  reachOf,
  type ResourceScope,
} from "../../../../src/core/policy/resource-keys.ts";
import type {
  CreateTokenBody,
  Token,
  TokenPermissionGroup,
} from "../../../../src/resources/tokens/schema.ts";

/** The resources of a policy, as people choose them: a form of docs/contract/tokens.md#resource-keys. */
export type Extent = "all-zones" | "zones-of-accounts" | "zones" | "all-accounts" | "accounts" | "user";

/** The type of resource that a permission group applies to. */
type GroupType = "zone" | "account" | "user";
const groupTypes: readonly GroupType[] = ["account", "zone", "user"];

export const groupTypeOf: Readonly<Record<Extent, GroupType>> = {
  "all-zones": "zone",
  "zones-of-accounts": "zone",
  zones: "zone",
  "all-accounts": "account",
  accounts: "account",
  user: "user",
};

export interface PolicyDraft {
  /** The id of a policy that the token has already: sent along, the policy stays. */
  readonly id?: string;
  readonly effect: "allow" | "deny";
  readonly extent: Extent;
  /** Ids of zones or accounts, where the extent has a choice of them. */
  readonly ids: readonly string[];
  readonly groupIds: readonly string[];
}

export interface TokenDraft {
  readonly name: string;
  readonly policies: readonly PolicyDraft[];
  /** Ranges in CIDR notation. */
  readonly allowFrom: readonly string[];
  readonly denyFrom: readonly string[];
  /** ISO 8601, UTC, whole seconds; empty for none. */
  readonly notBefore: string;
  readonly expiresOn: string;
}

export const emptyPolicy: PolicyDraft = { effect: "allow", extent: "all-zones", ids: [], groupIds: [] };

/** A policy of a token of an account: what is said of everything is said of the account. */
export function withinAccount(policy: PolicyDraft, accountId: string | undefined): PolicyDraft {
  const extent = extentsInAccount[policy.extent];
  if (accountId === undefined || extent === undefined) return policy;
  return { ...policy, extent, ids: [accountId] };
}

const extentsInAccount: { readonly [Name in Extent]?: Extent } = {
  "all-zones": "zones-of-accounts",
  "zones-of-accounts": "zones-of-accounts",
  "all-accounts": "accounts",
  accounts: "accounts",
};

/** Facts of the server and its users that keys of resources name. */
interface KeyContext {
  /** The brand segment of resource keys. */
  readonly vendor: string;
  readonly userId: string;
}

/** The brand segment that the server's keys have, read from what it says of its permission groups. */
export function vendorOf(groups: readonly TokenPermissionGroup[]): string {
  return /^com\.([^.]+)\.api\./.exec(groups[0]?.scopes[0] ?? "")?.[1] ?? "cloudflare";
}

/** The permission groups that apply to resources of a type. */
export function groupsOfType(
  groups: readonly TokenPermissionGroup[],
  type: GroupType,
): readonly TokenPermissionGroup[] {
  const ending = { zone: ".api.account.zone", account: ".api.account", user: ".api.user" }[type];
  return groups.filter(({ scopes }) => scopes.some((scope) => scope.endsWith(ending)));
}

export function bodyOf(draft: TokenDraft, { vendor, userId }: KeyContext): CreateTokenBody {
  const { allowFrom, denyFrom, notBefore, expiresOn } = draft;
  return {
    name: draft.name.trim(),
    policies: draft.policies.map(({ id, effect, extent, ids, groupIds }) => ({
      ...(id !== undefined && { id }),
      effect,
      resources: { ...printResources(scopesOf(extent, ids, userId), vendor) } as Record<string, string>,
      permission_groups: groupIds.map((groupId) => ({ id: groupId })),
    })),
    ...(notBefore !== "" && { not_before: notBefore }),
    ...(expiresOn !== "" && { expires_on: expiresOn }),
    ...((allowFrom.length > 0 || denyFrom.length > 0) && {
      condition: {
        "request.ip": {
          ...(allowFrom.length > 0 && { in: [...allowFrom] }),
          ...(denyFrom.length > 0 && { not_in: [...denyFrom] }),
        },
      },
    }),
  };
}

function scopesOf(extent: Extent, ids: readonly string[], userId: string): readonly ResourceScope[] {
  switch (extent) {
    case "all-zones":
      return [{ type: "zone", id: "*" }];
    case "zones-of-accounts":
      return ids.map((accountId) => ({ type: "zones-of-account", accountId }));
    case "zones":
      return ids.map((id) => ({ type: "zone", id }));
    case "all-accounts":
      return [{ type: "account", id: "*" }];
    case "accounts":
      return ids.map((id) => ({ type: "account", id }));
    case "user":
      return [{ type: "user", id: userId }];
  }
}

/**
 * A token as a draft. A policy on resources of several kinds becomes several, each with the groups that apply to its
 * kind: they grant the same, and the first has its id. Zone groups on an account become a policy on its zones. Kinds to
 * which none applies, and on which it so says nothing, are left out. `accountId` is of the account whose token it is.
 */
export function draftOf(
  token: Token,
  groups: readonly TokenPermissionGroup[],
  accountId?: string,
): TokenDraft {
  const range = token.condition?.["request.ip"] ?? token.condition?.request_ip;
  return {
    name: token.name,
    policies: token.policies
      .flatMap((policy) => policyDrafts(policy, groups))
      .map((policy) => withinAccount(policy, accountId)),
    allowFrom: range?.in ?? [],
    denyFrom: range?.not_in ?? [],
    notBefore: token.not_before ?? "",
    expiresOn: token.expires_on ?? "",
  };
}

function policyDrafts(
  { id, effect, resources, permission_groups }: Token["policies"][number],
  groups: readonly TokenPermissionGroup[],
): readonly PolicyDraft[] {
  const granted = new Set(permission_groups.map((group) => group.id));
  const byExtent = new Map<Extent, string[]>();
  for (const scope of parseResources(resources, vendorOf(groups), [])) {
    for (const type of groupTypes) {
      const reach = reachOf(scope, type);
      if (reach === undefined) continue;
      const { extent, ids } = extentOf(reach);
      byExtent.set(extent, [...new Set([...(byExtent.get(extent) ?? []), ...ids])]);
    }
  }
  const [first, ...others] = [...byExtent].flatMap(([extent, extentIds]): PolicyDraft[] => {
    const groupIds = groupsOfType(groups, groupTypeOf[extent])
      .map((group) => group.id)
      .filter((groupId) => granted.has(groupId));
    return groupIds.length === 0 ? [] : [{ effect, extent, ids: extentIds, groupIds }];
  });
  return first === undefined ? [] : [{ id, ...first }, ...others];
}

function extentOf(scope: ResourceScope): Pick<PolicyDraft, "extent" | "ids"> {
  switch (scope.type) {
    case "user":
      return { extent: "user", ids: [] };
    case "account":
      return scope.id === "*" ? { extent: "all-accounts", ids: [] } : { extent: "accounts", ids: [scope.id] };
    case "zone":
      return scope.id === "*" ? { extent: "all-zones", ids: [] } : { extent: "zones", ids: [scope.id] };
    case "zones-of-account":
      return scope.accountId === "*"
        ? { extent: "all-zones", ids: [] }
        : { extent: "zones-of-accounts", ids: [scope.accountId] };
  }
}

/** The reason why a draft cannot be sent, if there is one. */
export function gapOf({ name, policies }: TokenDraft): string | undefined {
  if (name.trim() === "") return "The token needs a name.";
  if (policies.length === 0) return "The token needs a policy.";
  if (policies.some(({ groupIds }) => groupIds.length === 0)) return "Every policy needs a permission.";
  const needsIds = (extent: Extent): boolean =>
    extent === "zones" || extent === "accounts" || extent === "zones-of-accounts";
  if (policies.some(({ extent, ids }) => needsIds(extent) && ids.length === 0))
    return "Every policy needs resources.";
  return undefined;
}
