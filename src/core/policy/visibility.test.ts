import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { compilePolicies, limitGrants, type Grants, type Policy } from "./grants.ts";
import { account, zone, type PermissionGroup } from "./permission-groups.ts";
import type { ResourceScope } from "./resource-keys.ts";
import { visibleAccounts, visibleZones } from "./visibility.ts";

const none = { mode: "only", ids: [] } as const;
const all = { mode: "except", ids: [] } as const;

const everyZone: ResourceScope = { type: "zone", id: "*" };
const zoneOf = (id: string): ResourceScope => ({ type: "zone", id });
const zonesOf = (accountId: string): ResourceScope => ({ type: "zones-of-account", accountId });

type Rule = readonly [Policy["effect"], readonly PermissionGroup[], ...ResourceScope[]];

function grantsOf(...rules: Rule[]): Grants {
  return compilePolicies(
    rules.map(([effect, groups, ...resources], index) => ({
      id: `policy ${index}`,
      effect,
      resources,
      groupIds: groups.map(({ id }) => id),
    })),
  );
}

describe("visibleZones", () => {
  test("without policies there are none", () => {
    assert.deepEqual(visibleZones(grantsOf()), { others: none, named: [] });
  });

  test("any permission is enough", () => {
    const groups = [zone("Cache Purge")];
    assert.deepEqual(visibleZones(grantsOf(["allow", groups, everyZone])), { others: all, named: [] });
    assert.deepEqual(visibleZones(grantsOf(["allow", groups, zonesOf("a"), zonesOf("b")])), {
      others: { mode: "only", ids: ["a", "b"] },
      named: [],
    });
    assert.deepEqual(visibleZones(grantsOf(["allow", groups, zoneOf("1")], ["allow", groups, zoneOf("2")])), {
      others: none,
      named: [{ zoneIds: ["1", "2"], accounts: all }],
    });
  });

  test("a zone on which all that is allowed is denied does not show", () => {
    const allowed: Rule = ["allow", [zone("DNS Write")], everyZone];
    const withoutIt = { others: all, named: [{ zoneIds: ["1"], accounts: none }] };
    const everything = { others: all, named: [] };
    assert.deepEqual(visibleZones(grantsOf(allowed, ["deny", [zone("DNS Read")], zoneOf("1")])), withoutIt);
    // The Read that the allowed Write grants is left.
    assert.deepEqual(visibleZones(grantsOf(allowed, ["deny", [zone("DNS Write")], zoneOf("1")])), everything);
    const purge: Rule = ["allow", [zone("Cache Purge")], everyZone];
    assert.deepEqual(visibleZones(grantsOf(purge, ["deny", [zone("Cache Purge")], zoneOf("1")])), withoutIt);
  });

  test("a denied Zone Read hides a zone, whatever else is allowed on it", () => {
    const grants = grantsOf(
      ["allow", [zone("DNS Write")], everyZone],
      ["deny", [zone("Zone Read")], zonesOf("a"), zoneOf("1")],
    );
    assert.deepEqual(visibleZones(grants), {
      others: { mode: "except", ids: ["a"] },
      named: [{ zoneIds: ["1"], accounts: none }],
    });
  });

  test("what shows of a named zone can hang on the account it is in", () => {
    const groups = [zone("Cache Purge")];
    const grants = grantsOf(["allow", groups, zoneOf("1")], ["deny", groups, zonesOf("a")]);
    assert.deepEqual(visibleZones(grants), {
      others: none,
      named: [{ zoneIds: ["1"], accounts: { mode: "except", ids: ["a"] } }],
    });
  });

  test("a token shows no zone that its owner may not reach", () => {
    const token = grantsOf(["allow", [zone("DNS Write")], everyZone]);
    const owner = grantsOf(["allow", [zone("DNS Read"), zone("Zone Write")], zonesOf("a"), zonesOf("b")]);
    assert.deepEqual(visibleZones(limitGrants(token, owner)).others, { mode: "only", ids: ["a", "b"] });
  });
});

describe("visibleAccounts", () => {
  test("are those on which the group is allowed", () => {
    const group = account("Account Settings Read");
    const every: Rule = ["allow", [account("Account Settings Write")], { type: "account", id: "*" }];
    const denied: Rule = ["deny", [group], { type: "account", id: "a" }];
    const one: Rule = ["allow", [group], { type: "account", id: "b" }];
    assert.deepEqual(visibleAccounts(grantsOf(every), group), all);
    assert.deepEqual(visibleAccounts(grantsOf(every, denied), group), { mode: "except", ids: ["a"] });
    assert.deepEqual(visibleAccounts(grantsOf(one, denied), group), { mode: "only", ids: ["b"] });
    assert.deepEqual(visibleAccounts(grantsOf(["allow", [group], zonesOf("a")]), group), none);
  });
});
