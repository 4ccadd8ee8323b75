import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { coversPolicies } from "./grantors.ts";
import { decide } from "./evaluate.ts";
import { compilePolicies } from "./grants.ts";
import { anyPolicies, groups, namedIds } from "../../../test/support/arbitraries/policies.ts";

const accountGroups = groups.filter(({ scope }) => scope !== "user");

test("a policy on an account is covered by who has its groups on the account and on all of its zones", () => {
  const seen = { covered: 0, beyond: 0 };
  const property = fc.property(
    anyPolicies,
    fc.constantFrom(...namedIds),
    fc.constantFrom("*", "itself"),
    fc.subarray([...accountGroups], { minLength: 1, maxLength: 3 }),
    (bound, accountId, named, handedOn) => {
      const grants = compilePolicies(bound);
      const policy = {
        effect: "allow",
        resources: [{ type: "account", id: named === "*" ? "*" : accountId }],
        groupIds: handedOn.map(({ id }) => id),
      } as const;
      const isCovered = coversPolicies(grants, accountId, [policy], new Map());
      // `new` is a zone that no policy names.
      const zones = ["new", ...namedIds].map((id) => ({ type: "zone", id, accountId }) as const);
      const hasAll = handedOn.every((group) =>
        group.scope === "zone"
          ? zones.every((zone) => decide(grants, group, zone).allowed) &&
            decide(grants, group, { type: "zones-of-account", accountId }).allowed
          : decide(grants, group, { type: "account", id: accountId }).allowed,
      );
      assert.equal(isCovered, hasAll);
      seen[isCovered ? "covered" : "beyond"] += 1;
    },
  );
  fc.assert(property, { numRuns: 20_000 });
  assert.ok(seen.covered > 500 && seen.beyond > 500, JSON.stringify(seen));
});
