import assert from "node:assert/strict";
import { test } from "node:test";

import { decide } from "../../core/policy/evaluate.ts";
import { compilePolicies } from "../../core/policy/grants.ts";
import {
  account as accountGroup,
  accountAccess,
  permissionGroups,
  zone,
} from "../../core/policy/permission-groups.ts";
import { roles as allRoles, superAdministratorId } from "../../core/policy/roles.ts";
import { operations } from "../../server/operations.ts";
import { onComparedEngines, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { addToken, addUser } from "../../../test/support/store.ts";
import { policy } from "../../../test/support/token-api.ts";

const everyZoneGroup = permissionGroups.filter(({ scope }) => scope === "zone").map(({ id }) => id);
const allZones = { type: "zone", id: "*" } as const;

async function memberId(app: TestApp, email: string): Promise<string> {
  const { result } = (await app.request("GET", `/accounts/${app.owner.accountId}/members`)).body;
  return result.find(({ user }: { user: { email: string } }) => user.email === email).id;
}

onComparedEngines("a membership that ends", (engine) => {
  test("takes key and tokens of the user out of the account at the next request", async (t) => {
    const app = await startTestApp(t, engine);
    const account = app.owner.accountId;
    const zoneId = await app.createZone("example.com");
    for (const [index, end] of (["remove", "leave", "demote"] as const).entries()) {
      const dora = await addUser(app, `dora${index}@example.com`, { account, role: "Administrator" });
      const token = await addToken(app, dora.id, [{ resources: [allZones], groupIds: everyZoneGroup }]);
      const statuses = async (): Promise<number[]> =>
        Promise.all(
          [dora.headers, token].map(
            async (headers) => (await app.request("GET", `/zones/${zoneId}/dns_records`, { headers })).status,
          ),
        );
      assert.deepEqual(await statuses(), [200, 200]);
      const id = await memberId(app, dora.email);
      const path = `/accounts/${account}/members/${id}`;
      const billing = "d8e4a5f9b3c26d4ebf3a7b8c9d0e1f23";
      const ended =
        end === "remove"
          ? await app.request("DELETE", path)
          : end === "leave"
            ? await app.request("DELETE", `/memberships/${id}`, { headers: dora.headers })
            : await app.request("PUT", path, { body: { roles: [billing] } });
      assert.equal(ended.status, 200, ended.text);
      assert.deepEqual(await statuses(), [404, 404], end);
    }
  });
});

onComparedEngines("a role", (engine) => {
  test("bounds the key of its member and every token of its member", async (t) => {
    const app = await startTestApp(t, engine);
    const account = app.owner.accountId;
    const zoneId = await app.createZone("example.com");
    const reader = await addUser(app, "reader@example.com", { account, role: "administrator read only" });
    const dns = await addUser(app, "dns@example.com", { account, role: "DNS" });
    const token = await addToken(app, dns.id, [
      { resources: [allZones], groupIds: [zone("Zone Write").id, zone("DNS Write").id] },
    ]);
    const record = { type: "A", name: "www", content: "192.0.2.1", ttl: 300 };
    const cases = [
      [reader.headers, "GET", `/zones/${zoneId}`, undefined, 200],
      [reader.headers, "PATCH", `/zones/${zoneId}`, { paused: true }, 403],
      [reader.headers, "POST", `/zones/${zoneId}/dns_records`, record, 403],
      [reader.headers, "PUT", `/accounts/${account}`, { name: "Mine" }, 403],
      [reader.headers, "POST", "/zones", { name: "new.example", account: { id: account } }, 403],
      [token, "POST", `/zones/${zoneId}/dns_records`, record, 200],
      [token, "PATCH", `/zones/${zoneId}`, { paused: true }, 403],
      [token, "DELETE", `/zones/${zoneId}`, undefined, 403],
      [token, "POST", "/zones", { name: "new.example", account: { id: account } }, 403],
    ] as const;
    for (const [headers, method, path, body, status] of cases) {
      await t.test(JSON.stringify([method, path, body]).slice(0, 120), async () => {
        const answer = await app.request(method, path, { headers, body });
        assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`);
      });
    }
    const { result } = (await app.request("GET", `/zones/${zoneId}`)).body;
    assert.equal(result.paused, false);
    assert.equal((await app.request("GET", "/zones")).body.result_info?.total_count, 1);
  });

  test("lets nobody but a super administrator change who belongs to the account", async (t) => {
    const app = await startTestApp(t, engine);
    const account = app.owner.accountId;
    const { result: roles } = (await app.request("GET", `/accounts/${account}/roles`)).body;
    const path = `/accounts/${account}/members`;
    for (const [index, { id, name }] of roles.entries()) {
      const user = await addUser(app, `user${index}@example.com`, { account, role: id });
      const body = { email: `invited${index}@example.com`, roles: [id] };
      const { status } = await app.request("POST", path, { headers: user.headers, body });
      assert.equal(status, index === 0 ? 200 : 403, name);
    }
    const pending = (await app.request("GET", `${path}?status=pending`)).body.result_info?.total_count;
    assert.equal(pending, 1);
  });
});

onComparedEngines("the role Minimal Account Access", (engine) => {
  test("permits to get its account and nothing else in it, and no token of its member may more", async (t) => {
    const app = await startTestApp(t, engine);
    const account = app.owner.accountId;
    const member = await addUser(app, "member@example.com", { account, role: "Minimal Account Access" });
    const groupIds = permissionGroups.filter(({ scope }) => scope === "account").map(({ id }) => id);
    const token = await addToken(app, member.id, [
      { resources: [{ type: "account", id: account }], groupIds },
    ]);
    const inAccount = operations.filter(
      ({ access }) => typeof access === "object" && access.on === "account",
    );
    assert.ok(inAccount.length > 30);
    for (const headers of [member.headers, token]) {
      for (const { operation, method, path } of inAccount) {
        const url = path.replace("{account_id}", account).replaceAll(/\{\w+\}/g, "0".repeat(32));
        const { status } = await app.request(method, url, { headers });
        // Ids of another form are answered as unknown before rights are looked at.
        const expected = operation === "getAccount" ? [200] : [403, 404];
        assert.ok(expected.includes(status), `${method} ${path} ${status}`);
      }
      const listed = (await app.request("GET", "/accounts", { headers })).body.result;
      assert.deepEqual(
        listed.map(({ id }: { id: string }) => id),
        [account],
      );
      assert.deepEqual((await app.request("GET", "/zones", { headers })).body.result, []);
    }
  });

  test("is what roles of one area have in the account besides it; the audit log has a role of its own", async (t) => {
    const app = await startTestApp(t, engine);
    const account = app.owner.accountId;
    const outcome = async (role: string): Promise<number[]> => {
      const email = `${role.toLowerCase().replaceAll(/[^a-z]/g, "")}@example.com`;
      const { headers } = await addUser(app, email, { account, role });
      const paths = ["", "/audit_logs", "/members", "/secondary_dns/tsigs"];
      const answers = paths.map((path) => app.request("GET", `/accounts/${account}${path}`, { headers }));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    const seeing = new Set(["Administrator", "Administrator Read Only", "Audit Logs Viewer"]);
    for (const { name, id } of allRoles) {
      const sees = seeing.has(name) || id === superAdministratorId;
      assert.deepEqual(await outcome(name), sees ? [200, 200, 200, 200] : [200, 403, 403, 403], name);
    }
  });

  test("can be given and denied like other groups, but no token names it", async (t) => {
    const app = await startTestApp(t, engine);
    const { accountId } = app.owner;
    const refused = await app.request("POST", "/user/tokens", {
      body: {
        name: "any",
        policies: [
          policy({
            resources: { [`com.cloudflare.api.account.${accountId}`]: "*" },
            groups: [accountAccess.id],
          }),
        ],
      },
    });
    assert.equal(refused.status, 400, refused.text);
    const settings = accountGroup("Account Settings Read");
    const at = { type: "account", id: accountId } as const;
    const compiled = (effect: "allow" | "deny", groupId: string) =>
      compilePolicies([
        { id: "one", effect: "allow", resources: [at], groupIds: [settings.id] },
        { id: "two", effect, resources: [at], groupIds: [groupId] },
      ]);
    assert.equal(decide(compiled("allow", settings.id), accountAccess, at).allowed, true);
    assert.equal(decide(compiled("deny", accountAccess.id), settings, at).allowed, false);
    assert.equal(decide(compiled("deny", settings.id), accountAccess, at).allowed, true);
  });
});
