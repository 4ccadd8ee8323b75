import {
  findPermissionGroup,
  withIncludedGroups,
  withIncludingGroups,
  type GroupScope,
  type PermissionGroup,
} from "./permission-groups.ts";
import { reachOf, type ResourceScope } from "./resource-keys.ts";

export interface Policy {
  readonly id: string;
  readonly effect: "allow" | "deny";
  readonly resources: readonly ResourceScope[];
  readonly groupIds: readonly string[];
}

export interface Decision {
  readonly allowed: boolean;
  readonly reason: "explicit-deny" | "explicit-allow" | "implicit-deny";
  /** The first policy that decided; undefined for an implicit deny. */
  readonly policyId: string | undefined;
}

/** Compiled policies. Every layer must allow a right: the token's, then its owner's. */
export interface Grants {
  readonly layers: readonly Layer[];
}

/** The policies of one token or one user, by the type of resource. */
export interface Layer {
  readonly user: Index;
  readonly account: Index;
  readonly zone: Index;
}

export interface Index {
  readonly every: Rulings;
  readonly ofAccount: ReadonlyMap<string, Rulings>;
  readonly one: ReadonlyMap<string, Rulings>;
}

export type Rulings = ReadonlyMap<string, Ruling>;

export interface Ruling {
  readonly decision: Decision;
  /** Index of its policy. */
  readonly position: number;
}

/**
 * Compiles the policies of one token or user. Unknown groups, and those that do not fit a resource, have no
 * effect.
 */
export function compilePolicies(policies: readonly Policy[]): Grants {
  return {
    layers: [
      {
        user: compileIndex(policies, "user"),
        account: compileIndex(policies, "account"),
        zone: compileIndex(policies, "zone"),
      },
    ],
  };
}

/** The permissions of a token within those of its owner (docs/decisions/0010-rights-of-credentials.md). */
export function limitGrants(token: Grants, owner: Grants): Grants {
  return { layers: [...token.layers, ...owner.layers] };
}

export function strongerRuling(one: Ruling | undefined, other: Ruling | undefined): Ruling | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  if (one.decision.allowed !== other.decision.allowed) return one.decision.allowed ? other : one;
  return one.position <= other.position ? one : other;
}

/** The ids that policies name, in groups: every layer has the same rulings on all ids of a group. */
export function alikeIds(layers: readonly ReadonlyMap<string, Rulings>[]): string[][] {
  const numbers = new Map<Rulings | undefined, number>();
  const numberOf = (rulings: Rulings | undefined): number => {
    const number = numbers.get(rulings) ?? numbers.size;
    numbers.set(rulings, number);
    return number;
  };
  const ids = new Set(layers.flatMap((layer) => [...layer.keys()]));
  return [...Map.groupBy(ids, (id) => layers.map((layer) => numberOf(layer.get(id))).join()).values()];
}

function compileIndex(policies: readonly Policy[], scope: GroupScope): Index {
  const every: number[] = [];
  const ofAccount = new Map<string, number[]>();
  const one = new Map<string, number[]>();
  for (const [position, { resources }] of policies.entries()) {
    for (const resource of resources) {
      const reach = reachOf(resource, scope);
      if (reach === undefined) continue;
      const [id, positions] =
        reach.type === "zones-of-account" ? [reach.accountId, ofAccount] : [reach.id, one];
      if (id === "*") every.push(position);
      else positions.set(id, [...(positions.get(id) ?? []), position]);
    }
  }

  // Zones with the same policies, possibly thousands, share a table.
  const shared = new Map<string, Rulings>();
  const rulingsOf = (positions: readonly number[]): Rulings => {
    const key = positions.join();
    const rulings = shared.get(key) ?? compileRulings(policies, positions, scope);
    shared.set(key, rulings);
    return rulings;
  };
  const byId = (positions: ReadonlyMap<string, readonly number[]>): Index["one"] =>
    new Map(Array.from(positions, ([id, places]) => [id, rulingsOf(places)]));
  return { every: rulingsOf(every), ofAccount: byId(ofAccount), one: byId(one) };
}

function compileRulings(
  policies: readonly Policy[],
  positions: readonly number[],
  scope: GroupScope,
): Rulings {
  const rulings = new Map<string, Ruling>();
  for (const position of positions) {
    const policy = policies[position];
    if (policy === undefined) continue;
    const ruling = { decision: decisionOf(policy), position };
    for (const groupId of policy.groupIds) {
      for (const group of affectedGroups(policy.effect, findPermissionGroup(groupId))) {
        if (group.scope !== scope) continue;
        rulings.set(group.id, strongerRuling(rulings.get(group.id), ruling) ?? ruling);
      }
    }
  }
  return rulings;
}

function decisionOf({ id, effect }: Policy): Decision {
  return effect === "allow"
    ? { allowed: true, reason: "explicit-allow", policyId: id }
    : { allowed: false, reason: "explicit-deny", policyId: id };
}

/** Allowing *Write* includes *Read*; denying *Read* includes *Write*. */
function affectedGroups(
  effect: Policy["effect"],
  group: PermissionGroup | undefined,
): readonly PermissionGroup[] {
  if (group === undefined) return [];
  return effect === "allow" ? withIncludedGroups(group) : withIncludingGroups(group);
}
