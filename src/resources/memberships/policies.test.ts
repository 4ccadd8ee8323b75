import assert from "node:assert/strict";
import { test } from "node:test";

import { superAdministratorId } from "../../core/policy/roles.ts";
import { onComparedEngines, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { addResourceGroup, groupLabelled, memberPolicy } from "../../../test/support/member-api.ts";
import { addUser, besideServer, storedRows, type TestUser } from "../../../test/support/store.ts";

const administrator = "05784afa30c1afe1440e79d9351c7430";
const membersOf = (app: TestApp): string => `/accounts/${app.owner.accountId}/members`;
const recordsOf = (zoneId: string): string => `/zones/${zoneId}/dns_records`;
const newRecord = { body: { type: "A", name: "@", content: "192.0.2.1" } };

/** Invites a user with the policies, and accepts for it. */
async function join(app: TestApp, user: TestUser, policies: readonly object[]): Promise<string> {
  const invited = await app.request("POST", membersOf(app), { body: { email: user.email, policies } });
  assert.equal(invited.status, 200, invited.text);
  const { id } = invited.body.result;
  const accepted = await app.request("PATCH", `/user/invites/${id}`, {
    headers: user.headers,
    body: { status: "accepted" },
  });
  assert.equal(accepted.status, 200, accepted.text);
  return id as string;
}

async function mayAddRecord(app: TestApp, { headers }: TestUser, zoneId: string): Promise<number> {
  return (await app.request("POST", recordsOf(zoneId), { ...newRecord, headers })).status;
}

onComparedEngines("policies of members", (engine) => {
  test("a member may do what its policies allow, where they allow it, and at once what changes", async (t) => {
    const app = await startTestApp(t, engine);
    const [first, second] = [await app.createZone("first.example"), await app.createZone("second.example")];
    const one = await addResourceGroup(app, "one", [first]);
    const user = await addUser(app, "dora@example.com");
    const id = await join(app, user, [memberPolicy("allow", ["domain_dns"], [one])]);
    assert.deepEqual(
      [await mayAddRecord(app, user, first), await mayAddRecord(app, user, second)],
      [200, 404],
    );
    const { headers } = user;
    const zones = (await app.request("GET", "/zones", { headers })).body.result;
    assert.deepEqual(
      zones.map((zone: { name: string }) => zone.name),
      ["first.example"],
    );
    assert.equal((await app.request("GET", `/accounts/${app.owner.accountId}`, { headers })).status, 403);
    assert.equal(
      (await app.request("PATCH", `/zones/${first}`, { headers, body: { paused: true } })).status,
      403,
    );

    const both = { policies: [memberPolicy("allow", ["domain_dns"], [app.owner.accountId])] };
    assert.equal((await app.request("PUT", `${membersOf(app)}/${id}`, { body: both })).status, 200);
    assert.equal((await app.request("POST", recordsOf(second), { ...newRecord, headers })).status, 200);
    const none = { policies: [memberPolicy("allow", ["domain_admin_readonly"], [one])] };
    assert.equal((await app.request("PUT", `${membersOf(app)}/${id}`, { body: none })).status, 200);
    assert.deepEqual(
      [await mayAddRecord(app, user, first), await mayAddRecord(app, user, second)],
      [403, 404],
    );
  });

  test("a policy that denies takes away what another allows, from the member and from its tokens", async (t) => {
    const app = await startTestApp(t, engine);
    const [open, closed] = [await app.createZone("open.example"), await app.createZone("closed.example")];
    const group = await addResourceGroup(app, "closed", [closed]);
    const user = await addUser(app, "dora@example.com");
    await join(app, user, [
      memberPolicy("allow", ["admin"], [app.owner.accountId]),
      memberPolicy("deny", ["dns_write"], [group]),
    ]);
    const { accountId } = app.owner;
    const token = async (zoneId: string) =>
      app.request("POST", `/accounts/${accountId}/tokens`, {
        headers: user.headers,
        body: {
          name: "t",
          policies: [
            {
              effect: "allow",
              resources: { [`com.cloudflare.api.account.${zoneId}`]: "*" },
              permission_groups: [{ id: groupLabelled("dns_write") }],
            },
          ],
        },
      });
    assert.deepEqual(
      [await mayAddRecord(app, user, open), await mayAddRecord(app, user, closed)],
      [200, 403],
    );
    assert.equal((await app.request("GET", recordsOf(closed), { headers: user.headers })).status, 200);
    assert.deepEqual(
      [
        (await token(`zone.${open}`)).status,
        (await token(`zone.${closed}`)).status,
        (await token(accountId)).status,
      ],
      [200, 403, 403],
    );
  });

  test("roles show as a policy on the whole account, and such a policy as roles", async (t) => {
    const app = await startTestApp(t, engine);
    const { accountId } = app.owner;
    const byRole = await app.request("POST", membersOf(app), {
      body: { email: "a@example.com", roles: [administrator] },
    });
    const byPolicy = await app.request("POST", membersOf(app), {
      body: { email: "b@example.com", policies: [memberPolicy("allow", ["admin"], [accountId])] },
    });
    for (const { body } of [byRole, byPolicy]) {
      const [policy, ...others] = body.result.policies;
      assert.deepEqual(others, []);
      assert.deepEqual(
        policy.permission_groups.map(({ meta }: { meta: { label: string } }) => meta.label),
        ["admin"],
      );
      assert.deepEqual(policy.resource_groups, [
        {
          id: accountId,
          name: `com.cloudflare.api.account.${accountId}`,
          meta: { editable: "false" },
          scope: { key: `com.cloudflare.api.account.${accountId}`, objects: [{ key: "*" }] },
        },
      ]);
      assert.deepEqual(
        body.result.roles.map(({ id }: { id: string }) => id),
        [administrator],
      );
    }
    const rows = await besideServer(app, (tx) => tx.selectFrom("memberships").select("policies").execute());
    assert.ok(rows.every(({ policies }) => policies === null));
  });

  test("a whole member may be sent back with roles or policies changed; nothing changes by sending it as it is", async (t) => {
    const app = await startTestApp(t, engine);
    const group = await addResourceGroup(app, "zones", [await app.createZone("example.com")]);
    const { body } = await app.request("POST", membersOf(app), {
      body: { email: "a@example.com", policies: [memberPolicy("allow", ["domain_dns"], [group])] },
    });
    const path = `${membersOf(app)}/${body.result.id}`;
    assert.deepEqual(
      body.result.roles.map(({ name }: { name: string }) => name),
      ["Domain DNS"],
    );
    const earlier = await storedRows(app);
    const { policies } = body.result;
    for (const same of [
      body.result,
      { policies },
      { policies: [memberPolicy("allow", ["domain_dns"], [group])] },
    ]) {
      const answer = await app.request("PUT", path, { body: same });
      assert.deepEqual(answer.body.result, body.result, answer.text);
    }
    assert.deepEqual(await storedRows(app), earlier);

    const changed = { ...body.result, policies: [memberPolicy("allow", ["domain_admin"], [group])] };
    const [policy] = (await app.request("PUT", path, { body: changed })).body.result.policies;
    assert.equal(policy.permission_groups[0].meta.label, "domain_admin");
    const shown = (await app.request("GET", path)).body.result;
    const asRole = await app.request("PUT", path, { body: { ...shown, roles: [{ id: administrator }] } });
    assert.equal(asRole.body.result.roles[0].id, administrator, asRole.text);
    const both = { roles: [superAdministratorId], policies };
    assert.equal((await app.request("PUT", path, { body: both })).status, 400);
    assert.deepEqual((await app.request("GET", path)).body.result, asRole.body.result);
  });

  test("policies that name what there is not, or what does not fit, are refused with their place", async (t) => {
    const app = await startTestApp(t, engine);
    const { accountId } = app.owner;
    const zones = await addResourceGroup(app, "zones", [await app.createZone("example.com")]);
    const unknown = "0123456789abcdef0123456789abcdef";
    const allow = (label: string, group: string) => memberPolicy("allow", [label], [group]);
    const earlier = await storedRows(app);
    const cases = [
      [{ policies: [allow("admin", zones)] }, 1001, "/policies/0/permission_groups/0/id"],
      [
        { policies: [allow("admin", accountId), allow("billing_write", zones)] },
        1001,
        "/policies/1/permission_groups/0/id",
      ],
      [{ policies: [allow("domain_dns", unknown)] }, 1001, "/policies/0/resource_groups/0/id"],
      [
        { policies: [{ ...allow("admin", accountId), permission_groups: [{ id: unknown }] }] },
        1001,
        "/policies/0/permission_groups/0/id",
      ],
      [{ policies: [{ ...allow("admin", accountId), access: "maybe" }] }, 1003, "/policies/0/access"],
      [
        { policies: [{ ...allow("admin", accountId), resource_groups: [] }] },
        1003,
        "/policies/0/resource_groups",
      ],
      [{ roles: [administrator], policies: [allow("admin", accountId)] }, 1001, "/policies"],
    ] as const;
    for (const [body, code, pointer] of cases) {
      await t.test(JSON.stringify(body).slice(0, 120), async () => {
        const answer = await app.request("POST", membersOf(app), {
          body: { email: "a@example.com", ...body },
        });
        assert.deepEqual(
          [answer.status, answer.body.errors[0]?.code, answer.body.errors[0]?.source?.pointer],
          [400, code, pointer],
        );
      });
    }
    assert.deepEqual(await storedRows(app), earlier);
  });

  test("nobody gives, takes or frees by policies what it may not do itself, in any zone", async (t) => {
    const app = await startTestApp(t, engine);
    const { accountId } = app.owner;
    const zone = await app.createZone("closed.example");
    const closed = await addResourceGroup(app, "closed", [zone]);
    const attacker = await addUser(app, "attacker@example.com");
    const own = await join(app, attacker, [
      memberPolicy("allow", ["all_privileges"], [accountId]),
      memberPolicy("deny", ["dns_write"], [closed]),
    ]);
    const puppet = await addUser(app, "puppet@example.com", { account: accountId, role: "Billing" });
    const { body } = await app.request("GET", membersOf(app));
    const puppetId = body.result.find(({ email }: { email: string }) => email === puppet.email).id;
    const { headers } = attacker;
    const whole = memberPolicy("allow", ["all_privileges"], [accountId]);
    const attempts = [
      ["POST", membersOf(app), { email: "new@example.com", roles: [superAdministratorId] }],
      ["POST", membersOf(app), { email: "new@example.com", policies: [whole] }],
      [
        "POST",
        membersOf(app),
        { email: "new@example.com", policies: [memberPolicy("allow", ["dns_write"], [closed])] },
      ],
      [
        "POST",
        membersOf(app),
        { email: "new@example.com", policies: [memberPolicy("allow", ["domain_dns"], [accountId])] },
      ],
      ["PUT", `${membersOf(app)}/${own}`, { roles: [superAdministratorId] }],
      [
        "PUT",
        `${membersOf(app)}/${own}`,
        { policies: [whole, memberPolicy("deny", ["billing_write"], [accountId])] },
      ],
      [
        "PUT",
        `${membersOf(app)}/${puppetId}`,
        { policies: [memberPolicy("allow", ["dns_admin"], [accountId])] },
      ],
      [
        "PUT",
        `/accounts/${accountId}/iam/resource_groups/${closed}`,
        {
          scope: {
            key: `com.cloudflare.api.account.${accountId}`,
            objects: [{ key: `com.cloudflare.api.account.zone.${await app.createZone("other.example")}` }],
          },
        },
      ],
      ["DELETE", `/accounts/${accountId}/iam/resource_groups/${closed}`, undefined],
    ] as const;
    const earlier = await storedRows(app);
    for (const [method, path, sent] of attempts) {
      const answer = await app.request(method, path, { headers, body: sent });
      const expected = method === "DELETE" ? [400, 1008] : [403, 9109];
      assert.deepEqual(
        [answer.status, answer.body.errors[0]?.code],
        expected,
        `${method} ${path} ${answer.text}`,
      );
    }
    assert.deepEqual(await storedRows(app), earlier);
    // A member may give what it may do.
    const fine = {
      email: "new@example.com",
      policies: [memberPolicy("allow", ["domain_admin_readonly"], [closed])],
    };
    assert.equal((await app.request("POST", membersOf(app), { headers, body: fine })).status, 200);
  });

  test("who holds every role but has policies beside is not the super administrator that has to stay", async (t) => {
    const app = await startTestApp(t, engine);
    const { accountId } = app.owner;
    const zones = await addResourceGroup(app, "zones", [await app.createZone("example.com")]);
    const own = (await app.request("GET", membersOf(app))).body.result[0].id;
    const policies = [
      memberPolicy("allow", ["all_privileges"], [accountId]),
      memberPolicy("deny", ["billing_write"], [accountId]),
      memberPolicy("allow", ["domain_admin"], [zones]),
    ];
    const answer = await app.request("PUT", `${membersOf(app)}/${own}`, { body: { policies } });
    assert.deepEqual([answer.status, answer.body.errors[0]?.code], [400, 1005]);
  });

  test("a membership shows its roles, and as permitted what holds in the whole account", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await app.createZone("example.com");
    const group = await addResourceGroup(app, "zones", [zone]);
    const user = await addUser(app, "dora@example.com");
    await join(app, user, [
      memberPolicy("allow", ["dns_admin"], [app.owner.accountId]),
      memberPolicy("allow", ["domain_cache_purge"], [group]),
    ]);
    const [membership] = (await app.request("GET", "/memberships", { headers: user.headers })).body.result;
    assert.deepEqual(membership.roles, ["DNS", "Cache Domain Purge"]);
    assert.deepEqual(membership.permissions.dns_records, { read: true, write: true });
    assert.deepEqual(membership.permissions.cache_purge, { read: false, write: false });
    const profile = (await app.request("GET", "/user", { headers: user.headers })).body.result;
    const [{ roles, permissions }] = profile.organizations;
    assert.deepEqual(roles, ["DNS", "Cache Domain Purge"]);
    assert.deepEqual(permissions, [
      "#dns_records:edit", "#dns_records:read",
      "#zone:read", "#zone_settings:read",
    ]); // prettier-ignore
  });
});
