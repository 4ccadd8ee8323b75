import * as fc from "fast-check";

import type { Resource } from "../../../src/core/policy/evaluate.ts";
import type { Policy } from "../../../src/core/policy/grants.ts";
import { account, user, zone, type PermissionGroup } from "../../../src/core/policy/permission-groups.ts";
import type { ResourceScope } from "../../../src/core/policy/resource-keys.ts";

/** A world so small that policies and requests often meet. */
export const groups: readonly PermissionGroup[] = [
  zone("Zone Read"),
  zone("Zone Write"),
  zone("DNS Read"),
  zone("DNS Write"),
  zone("Cache Purge"),
  zone("Analytics Read"),
  zone("Access: Apps and Policies Read"),
  zone("Access: Apps and Policies Write"),
  account("Access: Apps and Policies Read"),
  account("Access: Apps and Policies Write"),
  account("Account Analytics Read"),
  user("API Tokens Read"),
  user("API Tokens Write"),
];

export const namedIds = ["1", "2"] as const;
const scopeId = fc.constantFrom("*", ...namedIds);

const scopes = {
  account: fc.record({ type: fc.constant("account"), id: scopeId }),
  zone: fc.oneof(
    fc.record({ type: fc.constant("zone"), id: scopeId }),
    fc.record({ type: fc.constant("zones-of-account"), accountId: scopeId }),
  ),
  user: fc.record({ type: fc.constant("user"), id: fc.constantFrom("1", "2") }),
} as const satisfies Record<string, fc.Arbitrary<ResourceScope>>;

/** Also of groups and resources that do not fit each other, as well as groups that do not exist. */
export const anyPolicies: fc.Arbitrary<Policy[]> = policiesOf(
  fc.oneof({ weight: 3, arbitrary: scopes.zone }, { weight: 2, arbitrary: scopes.account }, scopes.user),
  fc.constantFrom(...groups.map(({ id }) => id), "unknown"),
);

/** Resources that fit a group of each type: zone groups also fit accounts, and there reach all of their zones. */
const fittingScopes = { ...scopes, zone: fc.oneof(scopes.zone, scopes.account) } as const;

/** Policies of groups that fit their resources. */
export const fittingPolicies: fc.Arbitrary<Policy[]> = withIds(
  fc.array(
    fc.oneof(
      ...(["zone", "account", "user"] as const).map((scope) =>
        policyOf(
          fittingScopes[scope],
          fc.constantFrom(...groups.filter((group) => group.scope === scope).map(({ id }) => id)),
        ),
      ),
    ),
    { maxLength: 6 },
  ),
);

export const anyGroup: fc.Arbitrary<PermissionGroup> = fc.constantFrom(...groups);

/** A zone of the ids that policies name, or of one that none does. */
const anyZone = fc.record({
  type: fc.constant("zone"),
  id: fc.constantFrom(...namedIds, "3"),
  accountId: fc.constantFrom(...namedIds, "3"),
});

export const anyResource: fc.Arbitrary<Resource> = fc.oneof(
  { weight: 3, arbitrary: anyZone },
  fc.record({ type: fc.constant("zones-of-account"), accountId: fc.constantFrom(...namedIds, "3") }),
  fc.record({ type: fc.constant("account"), id: fc.constantFrom(...namedIds, "3") }),
  fc.record({ type: fc.constant("user"), id: fc.constantFrom("1", "2", "3") }),
);

type PolicyBody = Omit<Policy, "id">;

function policiesOf(
  scope: fc.Arbitrary<ResourceScope>,
  groupId: fc.Arbitrary<string>,
): fc.Arbitrary<Policy[]> {
  return withIds(fc.array(policyOf(scope, groupId), { maxLength: 6 }));
}

function policyOf(
  scope: fc.Arbitrary<ResourceScope>,
  groupId: fc.Arbitrary<string>,
): fc.Arbitrary<PolicyBody> {
  return fc.record({
    effect: fc.constantFrom("allow", "deny"),
    resources: fc.array(scope, { minLength: 1, maxLength: 3 }),
    groupIds: fc.array(groupId, { minLength: 1, maxLength: 6 }),
  });
}

function withIds(policies: fc.Arbitrary<PolicyBody[]>): fc.Arbitrary<Policy[]> {
  return policies.map((bodies) => bodies.map((body, index) => ({ id: `policy ${index}`, ...body })));
}
