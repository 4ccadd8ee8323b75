import assert from "node:assert/strict";
import { test } from "node:test";

import { parsePolicies, type PolicyBody } from "./parse-policies.ts";
import { account, user, zone } from "./permission-groups.ts";

const id = "eb78d65290b24279ba6f44721b3ea3c4";
const onZone = { [`com.cloudflare.api.account.zone.${id}`]: "*" };
const onAccount = { [`com.cloudflare.api.account.${id}`]: "*" };
const zonesOfAccount = { [`com.cloudflare.api.account.${id}`]: { "com.cloudflare.api.account.zone.*": "*" } };

const good: PolicyBody = {
  effect: "allow",
  resources: onZone,
  permission_groups: [{ id: zone("Zone Read").id }, { id: zone("DNS Write").id }],
};

const parse = (bodies: readonly PolicyBody[], acceptIds = false): ReturnType<typeof parsePolicies> =>
  parsePolicies(bodies, { vendor: "cloudflare", acceptIds });

test("policies are read in their order", () => {
  const denied: PolicyBody = {
    effect: "deny",
    resources: zonesOfAccount,
    permission_groups: [{ id: zone("Cache Purge").id }],
  };
  assert.deepEqual(parse([good, denied]), [
    {
      id: undefined,
      effect: "allow",
      resources: [{ type: "zone", id }],
      groupIds: good.permission_groups.map((group) => group.id),
    },
    {
      id: undefined,
      effect: "deny",
      resources: [{ type: "zones-of-account", accountId: id }],
      groupIds: [zone("Cache Purge").id],
    },
  ]);
});

test("an id is accepted only where policies can have one already", () => {
  assert.equal(parse([{ ...good, id }], true)[0]?.id, id);
  assert.throws(() => parse([good, { ...good, id }]), {
    kind: "invalid",
    code: 1001,
    message: "Reusing existing policies is not supported by token creation",
    pointer: "/policies/1/id",
  });
});

test("nothing where something must be is refused", async (t) => {
  const cases: readonly (readonly [readonly PolicyBody[], string])[] = [
    [[], "/policies"],
    [[good, { ...good, resources: {} }], "/policies/1/resources"],
    [[{ ...good, permission_groups: [] }], "/policies/0/permission_groups"],
  ];
  for (const [bodies, pointer] of cases)
    await t.test(pointer, () => {
      assert.throws(() => parse(bodies), { kind: "invalid", code: 1001, pointer }, pointer);
    });
});

test("a group that does not exist is refused", async (t) => {
  for (const unknown of ["0".repeat(32), "", zone("DNS Read").id.toUpperCase(), "__proto__"])
    await t.test(JSON.stringify(unknown), () => {
      const permission_groups = [{ id: zone("Zone Read").id }, { id: unknown }];
      assert.throws(() => parse([{ ...good, permission_groups }]), {
        kind: "invalid",
        code: 1001,
        message: "Invalid body `policies/0/permission_groups/1/id`: there is no such permission group",
        pointer: "/policies/0/permission_groups/1/id",
      });
    });
});

test("a group must fit every resource of its policy; a zone group fits accounts too", () => {
  const onUser = { [`com.cloudflare.api.user.${id}`]: "*" };
  const fits = [
    [onZone, zone("Zone WAF Read")],
    [zonesOfAccount, zone("Zone WAF Read")],
    [onAccount, account("Account WAF Read")],
    [onUser, user("API Tokens Read")],
  ] as const;
  for (const [resources] of fits) {
    for (const [itsResources, group] of fits) {
      const bodies: PolicyBody[] = [{ ...good, resources, permission_groups: [{ id: group.id }] }];
      const isZones = group.scope === "zone" && resources !== onUser;
      if (resources === itsResources || isZones) assert.ok(parse(bodies));
      else {
        assert.throws(() => parse(bodies), {
          kind: "invalid",
          code: 1001,
          message: `Failed common permission check against resources. (Permission group: "${group.name}")`,
          pointer: "/policies/0/permission_groups/0/id",
        });
      }
    }
  }
  const onBoth = { ...onZone, ...onAccount };
  assert.ok(parse([{ ...good, resources: onBoth }]));
  const permission_groups = [{ id: zone("Zone Read").id }, { id: account("Account WAF Read").id }];
  assert.throws(() => parse([good, { ...good, resources: onBoth, permission_groups }]), {
    message: 'Failed common permission check against resources. (Permission group: "Account WAF Read")',
    pointer: "/policies/1/permission_groups/1/id",
  });
});
