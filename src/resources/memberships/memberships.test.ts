import assert from "node:assert/strict";
import { before, test } from "node:test";

import { onComparedEngines, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { account as accountGroup } from "../../core/policy/permission-groups.ts";
import { addAccount, addUser } from "../../../test/support/store.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";

const startedOn = "2026-01-02T03:04:05.678000Z";

const settings = {
  enforce_twofactor: false,
  api_access_enabled: null,
  access_approval_expiry: null,
  use_account_custom_ns_by_default: false,
  default_nameservers: "cloudflare.standard",
  abuse_contact_email: null,
};

onComparedEngines("listMemberships", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  before(async () => {
    app = await startTestApp(suite, engine);
  });

  test("a membership shows its account, roles and what they grant", async () => {
    const { status, body } = await app.request("GET", "/memberships");
    assert.equal(status, 200);
    const [{ id, permissions, ...membership }] = body.result;
    assert.match(id, /^[0-9a-f]{32}$/);
    assert.equal(
      JSON.stringify(membership),
      JSON.stringify({
        status: "accepted",
        account: {
          id: app.owner.accountId,
          name: "Zoneward",
          type: "standard",
          settings,
          created_on: startedOn,
        },
        api_access_enabled: null,
        roles: ["Super Administrator - All Privileges"],
      }),
    );
    assert.deepEqual(Object.keys(permissions), [
      "analytics", "billing", "cache_purge", "dns", "dns_records", "lb", "logs", "organization", "ssl", "waf",
      "zone_settings", "zones",
    ]); // prettier-ignore
    for (const [block, grant] of Object.entries(permissions)) {
      assert.deepEqual(grant, { read: true, write: block !== "analytics" }, block);
    }
    assert.deepEqual(Object.keys(body.result[0]), [
      "id", "status", "account", "api_access_enabled", "roles", "permissions",
    ]); // prettier-ignore
  });

  test("a status that there is not is 400 and names those that there are", async () => {
    const { status, body } = await app.request("GET", "/memberships?status=bogus");
    assert.equal(status, 400);
    assert.deepEqual(body.errors, [
      {
        code: 1003,
        message: "Invalid query parameter `status`: must be one of: accepted, pending, rejected",
        source: { pointer: "/status" },
      },
    ]);
  });
});

onComparedEngines("listMemberships of more accounts", (engine) => {
  test("memberships are listed in every status, filtered and sorted", async (t) => {
    const app = await startTestApp(t, engine);
    await addAccount(app, "Foreign");
    await addAccount(app, "Invited", "pending");
    await addAccount(app, "Left", "rejected");
    await addAccount(app, "alpha", "accepted");
    const cases = [
      ["", ["alpha", "Invited", "Left", "Zoneward"]],
      ["?direction=DESC", ["Zoneward", "Left", "Invited", "alpha"]],
      ["?status=pending", ["Invited"]],
      ["?status=rejected", ["Left"]],
      ["?status=accepted", ["alpha", "Zoneward"]],
      ["?name=ALPHA", ["alpha"]],
      ["?account.name=left", ["Left"]],
      ["?account[name]=left", ["Left"]],
      ["?account.name=left&name=alpha", ["Left"]],
      ["?account.name=left&status=accepted", []],
      ["?name=Foreign", []],
    ] as const;
    for (const [query, names] of cases) {
      await t.test(`query ${query}`, async () => {
        const { status, body } = await app.request("GET", `/memberships${query}`);
        assert.equal(status, 200, query);
        assert.deepEqual(
          body.result.map(({ account }: { account: { name: string } }) => account.name),
          names,
          query,
        );
      });
    }
    const byStatus = (await app.request("GET", "/memberships?order=status")).body.result;
    assert.deepEqual(
      byStatus.map(({ status }: { status: string }) => status),
      ["accepted", "accepted", "pending", "rejected"],
    );
    const { permissions } = (await app.request("GET", "/memberships?status=pending")).body.result[0];
    for (const grant of Object.values(permissions)) assert.deepEqual(grant, { read: false, write: false });
  });
});

onComparedEngines("replaceMembership", (engine) => {
  test("an invite is answered by its membership too, once", async (t) => {
    const app = await startTestApp(t, engine);
    const { headers, email } = await addUser(app, "dora@example.com");
    const invited = await app.request("POST", `/accounts/${app.owner.accountId}/members`, {
      body: { email, roles: ["f0a6c7b1d5e48f60db5c9d0e1f2a3b45"] },
    });
    const path = `/memberships/${invited.body.result.id}`;
    const pending = (await app.request("GET", path, { headers })).body.result;
    assert.deepEqual([pending.status, pending.permissions.dns_records.read], ["pending", false]);
    const accepted = await app.request("PUT", path, { headers, body: { status: "accepted" } });
    assert.deepEqual([accepted.status, accepted.body.result.status], [200, "accepted"]);
    assert.deepEqual(accepted.body.result.permissions.dns_records, { read: true, write: true });
    assert.equal((await app.request("GET", path, { headers })).text, accepted.text);
    const again = await app.request("PUT", path, { headers, body: { status: "rejected" } });
    assert.deepEqual([again.status, again.body.errors[0]?.code], [400, 1006]);
    assert.equal((await app.request("GET", path, { headers })).text, accepted.text);
    assert.equal((await app.request("GET", path)).status, 404);
    assert.equal((await app.request("DELETE", path)).status, 404);
    const left = await app.request("DELETE", path, { headers });
    assert.deepEqual([left.status, left.body.result], [200, { id: pending.id }]);
    assert.deepEqual((await app.request("GET", "/memberships", { headers })).body.result, []);
  });

  test("a token of an account has no memberships: 400 code 9106, and no invites", async (t) => {
    const app = await startTestApp(t, engine);
    const { accountId } = app.owner;
    const made = await app.request("POST", `/accounts/${accountId}/tokens`, {
      body: {
        name: "of the account",
        policies: [
          {
            effect: "allow",
            resources: { [`com.cloudflare.api.account.${accountId}`]: "*" },
            permission_groups: [{ id: accountGroup("Account Settings Write").id }],
          },
        ],
      },
    });
    const headers = { authorization: `Bearer ${made.body.result.value}` };
    const [{ id }] = (await app.request("GET", "/memberships")).body.result;
    const cases = [
      ["GET", "/memberships", 400, 9106],
      ["GET", `/memberships/${id}`, 400, 9106],
      ["PUT", `/memberships/${id}`, 400, 9106],
      ["DELETE", `/memberships/${id}`, 400, 9106],
      ["GET", "/user/invites", 403, 9109],
      ["PATCH", `/user/invites/${id}`, 403, 9109],
    ] as const;
    for (const [method, path, status, code] of cases) {
      await t.test(`${method} ${path}`, async () => {
        const answer = await app.request(method, path, { headers });
        assert.deepEqual([answer.status, answer.body.errors[0]?.code], [status, code], path);
      });
    }
    const body = { email: "dora@example.com", roles: ["f0a6c7b1d5e48f60db5c9d0e1f2a3b45"] };
    const invited = await app.request("POST", `/accounts/${accountId}/members`, { headers, body });
    assert.equal(invited.status, 200, invited.text);
    const dora = await addUser(app, body.email);
    const [invite] = (await app.request("GET", "/user/invites", { headers: dora.headers })).body.result;
    assert.equal(invite.invited_by, null);
  });
});
