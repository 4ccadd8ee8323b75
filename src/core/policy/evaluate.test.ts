import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { decide, hasAnyPermission, type Resource } from "./evaluate.ts";
import { compilePolicies, limitGrants, type Policy } from "./grants.ts";
import { account, user, zone, type PermissionGroup } from "./permission-groups.ts";
import type { ResourceScope } from "./resource-keys.ts";

const zoneOne = { type: "zone", id: "zone-1", accountId: "account-1" } as const;
const zoneTwo = { type: "zone", id: "zone-2", accountId: "account-1" } as const;
const foreignZone = { type: "zone", id: "zone-3", accountId: "account-2" } as const;
const accountOne = { type: "account", id: "account-1" } as const;

const everyZone: ResourceScope = { type: "zone", id: "*" };
const onlyZoneOne: ResourceScope = { type: "zone", id: "zone-1" };
const zonesOfAccountOne: ResourceScope = { type: "zones-of-account", accountId: "account-1" };

function policy(
  id: string,
  effect: Policy["effect"],
  groups: readonly PermissionGroup[],
  ...resources: ResourceScope[]
): Policy {
  return { id, effect, resources, groupIds: groups.map((group) => group.id) };
}

function reasons(policies: readonly Policy[], group: PermissionGroup, ...resources: Resource[]): string[] {
  const grants = compilePolicies(policies);
  return resources.map((resource) => decide(grants, group, resource).reason);
}

describe("decide", () => {
  test("what no policy names is denied", () => {
    assert.deepEqual(decide(compilePolicies([]), zone("DNS Read"), zoneOne), {
      allowed: false,
      reason: "implicit-deny",
      policyId: undefined,
    });
    const allowed = [policy("p", "allow", [zone("DNS Read")], onlyZoneOne)];
    assert.deepEqual(reasons(allowed, zone("DNS Read"), zoneOne, zoneTwo), [
      "explicit-allow",
      "implicit-deny",
    ]);
    assert.deepEqual(reasons(allowed, zone("Zone Read"), zoneOne), ["implicit-deny"]);
  });

  test("a deny beats every allow, wherever it stands and however general it is", () => {
    const group = zone("Cache Purge");
    const scopes = [everyZone, zonesOfAccountOne, onlyZoneOne];
    for (const denied of scopes) {
      for (const allowed of scopes) {
        const policies = [policy("a", "allow", [group], allowed), policy("d", "deny", [group], denied)];
        for (const ordered of [policies, policies.toReversed()]) {
          assert.deepEqual(decide(compilePolicies(ordered), group, zoneOne), {
            allowed: false,
            reason: "explicit-deny",
            policyId: "d",
          });
        }
      }
    }
  });

  test("a decision names the first policy that makes it", () => {
    const group = zone("DNS Read");
    const policies = [
      policy("of-account", "allow", [zone("DNS Write")], zonesOfAccountOne),
      policy("every", "allow", [group], everyZone),
      policy("one", "allow", [group], onlyZoneOne),
    ];
    assert.equal(decide(compilePolicies(policies), group, zoneOne).policyId, "of-account");
    assert.equal(decide(compilePolicies(policies.toReversed()), group, zoneOne).policyId, "one");
    assert.equal(decide(compilePolicies(policies), group, foreignZone).policyId, "every");
  });

  test("an allowed Write grants the Read of the same name and type, and nothing else", () => {
    const policies = [policy("p", "allow", [zone("DNS Write")], everyZone)];
    assert.deepEqual(reasons(policies, zone("DNS Read"), zoneOne), ["explicit-allow"]);
    assert.deepEqual(reasons(policies, zone("Zone DNS Settings Read"), zoneOne), ["implicit-deny"]);
    const read = [policy("p", "allow", [zone("DNS Read")], everyZone)];
    assert.deepEqual(reasons(read, zone("DNS Write"), zoneOne), ["implicit-deny"]);
  });

  test("a denied Write leaves the Read, a denied Read takes the Write too", () => {
    const write = policy("a", "allow", [zone("DNS Write")], everyZone);
    const writeDenied = [write, policy("d", "deny", [zone("DNS Write")], onlyZoneOne)];
    assert.deepEqual(reasons(writeDenied, zone("DNS Write"), zoneOne, zoneTwo), [
      "explicit-deny",
      "explicit-allow",
    ]);
    assert.deepEqual(reasons(writeDenied, zone("DNS Read"), zoneOne, zoneTwo), [
      "explicit-allow",
      "explicit-allow",
    ]);
    const readDenied = [write, policy("d", "deny", [zone("DNS Read")], onlyZoneOne)];
    for (const group of [zone("DNS Read"), zone("DNS Write")]) {
      assert.deepEqual(reasons(readDenied, group, zoneOne, zoneTwo), ["explicit-deny", "explicit-allow"]);
    }
  });

  test("all zones of an account are those of that account, the ones yet to be made included", () => {
    const group = zone("Zone Write");
    const yetToBeMade = { type: "zones-of-account", accountId: "account-1" } as const;
    const elsewhere = { type: "zones-of-account", accountId: "account-2" } as const;
    const all: Resource[] = [zoneOne, foreignZone, yetToBeMade, elsewhere];
    const allowed = (resource: ResourceScope): boolean[] =>
      reasons([policy("p", "allow", [group], resource)], group, ...all).map((it) => it === "explicit-allow");
    assert.deepEqual(allowed(zonesOfAccountOne), [true, false, true, false]);
    assert.deepEqual(allowed(everyZone), [true, true, true, true]);
    assert.deepEqual(allowed({ type: "zones-of-account", accountId: "*" }), [true, true, true, true]);
    assert.deepEqual(allowed(onlyZoneOne), [true, false, false, false]);
  });

  test("a group applies only to resources of its type", () => {
    const all: ResourceScope[] = [
      everyZone,
      { type: "account", id: "account-1" },
      { type: "user", id: "user-1" },
    ];
    const resources = [zoneOne, accountOne, { type: "user", id: "user-1" }] as const;
    const groups = [zone("Zone WAF Read"), account("Account WAF Read"), user("User Details Read")];
    const policies = [policy("p", "allow", groups, ...all)];
    assert.deepEqual(
      groups.map((group) => reasons(policies, group, ...resources)),
      [
        ["explicit-allow", "implicit-deny", "implicit-deny"],
        ["implicit-deny", "explicit-allow", "implicit-deny"],
        ["implicit-deny", "implicit-deny", "explicit-allow"],
      ],
    );
  });

  test("a zone group on an account is one on all of its zones, the ones yet to be made included", () => {
    const group = zone("Zone Write");
    const yetToBeMade = { type: "zones-of-account", accountId: "account-1" } as const;
    const elsewhere = { type: "zones-of-account", accountId: "account-2" } as const;
    const all: Resource[] = [zoneOne, zoneTwo, yetToBeMade, foreignZone, elsewhere, accountOne];
    const ruled = (effect: Policy["effect"], id: string): string[] =>
      reasons([policy("p", effect, [group], { type: "account", id })], group, ...all);
    const [yes, no, not] = ["explicit-allow", "explicit-deny", "implicit-deny"];
    assert.deepEqual(ruled("allow", "account-1"), [yes, yes, yes, not, not, not]);
    assert.deepEqual(ruled("allow", "*"), [yes, yes, yes, yes, yes, not]);
    assert.deepEqual(ruled("deny", "account-1"), [no, no, no, not, not, not]);
    assert.deepEqual(ruled("deny", "*"), [no, no, no, no, no, not]);
  });

  test("an account group on an account does not reach its zones, and a group on its zones not the account", () => {
    const same = [zone("Access: Apps and Policies Read"), account("Access: Apps and Policies Read")] as const;
    const onAccount = [policy("p", "allow", [same[1]], { type: "account", id: "account-1" })];
    assert.deepEqual(reasons(onAccount, same[0], zoneOne), ["implicit-deny"]);
    assert.deepEqual(reasons(onAccount, same[1], accountOne), ["explicit-allow"]);
    const onZones = [policy("p", "allow", same, zonesOfAccountOne)];
    assert.deepEqual(reasons(onZones, same[0], zoneOne), ["explicit-allow"]);
    assert.deepEqual(reasons(onZones, same[1], accountOne), ["implicit-deny"]);
  });

  test("a group that does not exist grants nothing", () => {
    const policies = [{ ...policy("p", "allow", [], everyZone), groupIds: ["0".repeat(32)] }];
    assert.equal(hasAnyPermission(compilePolicies(policies), zoneOne), false);
  });
});

describe("a token within its owner's rights", () => {
  const token = compilePolicies([policy("token", "allow", [zone("DNS Write")], everyZone)]);
  const owner = compilePolicies([
    policy("owner", "allow", [zone("DNS Write"), zone("Zone Write")], zonesOfAccountOne),
    policy("owner-denies", "deny", [zone("DNS Write")], { type: "zone", id: "zone-2" }),
  ]);
  const limited = limitGrants(token, owner);

  test("is allowed what both allow, and nothing else", () => {
    const cases: readonly (readonly [PermissionGroup, Resource, string, string | undefined])[] = [
      [zone("DNS Write"), zoneOne, "explicit-allow", "token"],
      [zone("DNS Write"), zoneTwo, "explicit-deny", "owner-denies"],
      [zone("DNS Write"), foreignZone, "implicit-deny", undefined],
      [zone("Zone Read"), zoneOne, "implicit-deny", undefined],
    ];
    for (const [group, resource, reason, policyId] of cases) {
      const expected = { allowed: reason === "explicit-allow", reason, policyId };
      assert.deepEqual(decide(limited, group, resource), expected);
    }
  });

  test("a resource on which they share no permission is as none", () => {
    assert.equal(hasAnyPermission(limited, zoneTwo), true, "DNS Read is left");
    assert.equal(hasAnyPermission(limited, foreignZone), false);
  });
});
