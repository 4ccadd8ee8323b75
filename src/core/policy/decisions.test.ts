import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { decide, hasAnyPermission, type Resource } from "./evaluate.ts";
import { compilePolicies, limitGrants, type Policy } from "./grants.ts";
import type { PermissionGroup } from "./permission-groups.ts";
import {
  anyGroup,
  anyPolicies,
  anyResource,
  groups,
  namedIds,
} from "../../../test/support/arbitraries/policies.ts";
import type { ResourceScope } from "./resource-keys.ts";
import { isVisibleZone, visibleAccounts, visibleZones, type IdSet } from "./visibility.ts";

/*
 * The rules once more, as docs/decisions/0010-rights-of-credentials.md, 0011 and 0014 state them: every
 * policy is walked for every question, nothing is compiled.
 */

const ids = new Map(groups.map((group) => [group.id, group]));

function naiveReason(policies: readonly Policy[], group: PermissionGroup, resource: Resource): string {
  const matching = policies.filter((policy) => policy.resources.some((scope) => covers(scope, resource)));
  if (!appliesTo(group, resource)) return "implicit-deny";
  const denying = matching.find(
    ({ effect, groupIds }) => effect === "deny" && groupIds.some((id) => isOrReads(ids.get(id), group)),
  );
  if (denying !== undefined) return `explicit-deny by ${denying.id}`;
  const allowing = matching.find(
    ({ effect, groupIds }) => effect === "allow" && groupIds.some((id) => isOrReads(group, ids.get(id))),
  );
  return allowing === undefined ? "implicit-deny" : `explicit-allow by ${allowing.id}`;
}

function covers(scope: ResourceScope, resource: Resource): boolean {
  switch (scope.type) {
    case "zone":
      return (
        (resource.type === "zone" && ["*", resource.id].includes(scope.id)) ||
        (resource.type === "zones-of-account" && scope.id === "*")
      );
    case "zones-of-account":
      return (
        (resource.type === "zone" || resource.type === "zones-of-account") &&
        ["*", resource.accountId].includes(scope.accountId)
      );
    case "account":
      // Its own groups on the account, zone groups on all of its zones: `appliesTo` says which is which.
      if (resource.type === "user") return false;
      return ["*", resource.type === "account" ? resource.id : resource.accountId].includes(scope.id);
    case "user":
      return resource.type === "user" && resource.id === scope.id;
  }
}

function appliesTo({ scope }: PermissionGroup, { type }: Resource): boolean {
  return scope === (type === "zones-of-account" ? "zone" : type);
}

/** Is `one` the group `other`, or the Read of the Write `other`? */
function isOrReads(one: PermissionGroup | undefined, other: PermissionGroup | undefined): boolean {
  if (one === undefined || other === undefined || one.scope !== other.scope) return false;
  const readName = other.name.endsWith(" Write")
    ? `${other.name.slice(0, -" Write".length)} Read`
    : undefined;
  return one.name === other.name || one.name === readName;
}

function naiveIsAllowed(
  policySets: readonly Policy[][],
  group: PermissionGroup,
  resource: Resource,
): boolean {
  return policySets.every((policies) => naiveReason(policies, group, resource).startsWith("explicit-allow"));
}

function naiveHasAny(policySets: readonly Policy[][], resource: Resource): boolean {
  return groups.some((group) => naiveIsAllowed(policySets, group, resource));
}

function naiveShows(policySets: readonly Policy[][], resource: Resource): boolean {
  const zoneRead = groups.find(({ name }) => name === "Zone Read");
  assert.ok(zoneRead);
  return (
    naiveHasAny(policySets, resource) &&
    !policySets.some((policies) => naiveReason(policies, zoneRead, resource).startsWith("explicit-deny"))
  );
}

function isIn({ mode, ids: named }: IdSet, id: string): boolean {
  return named.includes(id) === (mode === "only");
}

const everyId = [...namedIds, "3"];

describe("decisions", () => {
  test("agree with the rules as they are written", () => {
    const seen = new Map<string, number>();
    const property = fc.property(anyPolicies, anyGroup, anyResource, (policies, group, resource) => {
      const { allowed, reason, policyId } = decide(compilePolicies(policies), group, resource);
      assert.equal(
        policyId === undefined ? reason : `${reason} by ${policyId}`,
        naiveReason(policies, group, resource),
      );
      assert.equal(allowed, reason === "explicit-allow");
      seen.set(reason, (seen.get(reason) ?? 0) + 1);
    });
    fc.assert(property, { numRuns: 100_000 });
    for (const reason of ["explicit-deny", "explicit-allow", "implicit-deny"]) {
      assert.ok((seen.get(reason) ?? 0) > 5000, `${reason}: ${seen.get(reason)}`);
    }
  });

  test("of a token are bound by its owner's", () => {
    const property = fc.property(
      anyPolicies,
      anyPolicies,
      anyResource,
      (policies, ownerPolicies, resource) => {
        const [token, owner] = [compilePolicies(policies), compilePolicies(ownerPolicies)];
        const limited = limitGrants(token, owner);
        for (const group of groups) {
          const decision = decide(limited, group, resource);
          assert.equal(decision.allowed, naiveIsAllowed([policies, ownerPolicies], group, resource));
          const [own, bound] = [decide(token, group, resource), decide(owner, group, resource)];
          assert.deepEqual(decision, own.allowed && !bound.allowed ? bound : own);
        }
        assert.equal(hasAnyPermission(token, resource), naiveHasAny([policies], resource));
        assert.equal(hasAnyPermission(limited, resource), naiveHasAny([policies, ownerPolicies], resource));
      },
    );
    fc.assert(property, { numRuns: 10_000 });
  });
});

describe("what shows", () => {
  test("of zones is what the rules say of each, one by one and as a filter", () => {
    const property = fc.property(fc.array(anyPolicies, { minLength: 1, maxLength: 2 }), (policySets) => {
      const grants = policySets.map(compilePolicies).reduce(limitGrants);
      const { others, named } = visibleZones(grants);
      for (const id of everyId) {
        const entries = named.filter(({ zoneIds }) => zoneIds.includes(id));
        assert.ok(entries.length <= 1);
        for (const accountId of everyId) {
          const resource = { type: "zone", id, accountId } as const;
          const shows = naiveShows(policySets, resource);
          assert.equal(isVisibleZone(grants, resource), shows);
          assert.equal(isIn(entries[0]?.accounts ?? others, accountId), shows);
        }
      }
    });
    fc.assert(property, { numRuns: 10_000 });
  });

  test("of accounts is what a group is allowed on", () => {
    const property = fc.property(
      fc.array(anyPolicies, { minLength: 1, maxLength: 2 }),
      anyGroup,
      (policySets, group) => {
        const set = visibleAccounts(policySets.map(compilePolicies).reduce(limitGrants), group);
        for (const id of everyId) {
          assert.equal(isIn(set, id), naiveIsAllowed(policySets, group, { type: "account", id }));
        }
      },
    );
    fc.assert(property, { numRuns: 10_000 });
  });
});
