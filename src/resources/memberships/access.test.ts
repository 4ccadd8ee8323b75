import assert from "node:assert/strict";
import { test } from "node:test";

import { permissionGroups, zone } from "../../core/policy/permission-groups.ts";
import { onEachEngine, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { addToken, addUser } from "../../../test/support/store.ts";

const everyZoneGroup = permissionGroups.filter(({ scope }) => scope === "zone").map(({ id }) => id);
const allZones = { type: "zone", id: "*" } as const;

async function memberId(app: TestApp, email: string): Promise<string> {
  const { result } = (await app.request("GET", `/accounts/${app.owner.accountId}/members`)).body;
  return result.find(({ user }: { user: { email: string } }) => user.email === email).id;
}

onEachEngine("a membership that ends", (engine) => {
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

onEachEngine("a role", (engine) => {
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
