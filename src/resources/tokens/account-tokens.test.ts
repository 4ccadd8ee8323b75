import assert from "node:assert/strict";
import { test } from "node:test";

import { account, permissionGroups, zone } from "../../core/policy/permission-groups.ts";
import { roles } from "../../core/policy/roles.ts";
import { byKey, onComparedEngines, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { addAccount, addZone, besideServer } from "../../../test/support/store.ts";
import { allow, keys } from "../../../test/authorization/world.ts";

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

async function make(
  app: TestApp,
  accountId: string,
  policies: readonly object[],
  headers?: Record<string, string>,
) {
  return app.request("POST", `/accounts/${accountId}/tokens`, {
    body: { name: "of the account", policies },
    ...(headers && { headers }),
  });
}

onComparedEngines("a token of an account", (engine) => {
  test("acts on the account alone, is verified there alone, and lives its life there", async (t) => {
    const app = await startTestApp(t, engine);
    const { accountId } = app.owner;
    const zoneId = await app.createZone("example.com");
    const made = await make(app, accountId, [
      allow(keys.zonesOf(accountId), zone("DNS Write")),
      allow(keys.account(accountId), account("Account Settings Read")),
    ]);
    assert.equal(made.status, 200, made.text);
    const { id, value } = made.body.result;
    const headers = bearer(value);
    const path = `/accounts/${accountId}/tokens`;

    const record = { type: "A", name: "a.example.com", content: "192.0.2.1" };
    const used: readonly (readonly [string, string, number, number | undefined, object?])[] = [
      ["POST", `/zones/${zoneId}/dns_records`, 200, undefined, record],
      ["GET", `/accounts/${accountId}`, 200, undefined],
      ["GET", "/zones", 200, undefined],
      ["GET", "/user", 403, 9109],
      ["GET", "/user/tokens", 403, 9109],
      ["GET", "/accounts", 400, 1001],
      ["GET", "/user/tokens/verify", 401, 1000],
      ["GET", `${path}/verify`, 200, undefined],
      ["GET", path, 403, 10000],
    ];
    for (const [method, target, status, code, body] of used) {
      const answer = await app.request(method, target, { headers, ...(body && { body }) });
      assert.equal(answer.status, status, `${method} ${target}: ${answer.text}`);
      assert.equal(answer.body.errors[0]?.code, code, target);
    }
    // A token of a user is not one of the account.
    assert.equal((await app.request("GET", `${path}/verify`)).status, 401);

    assert.equal((await app.request("GET", `${path}/${id}`)).body.result.name, "of the account");
    assert.equal((await app.request("GET", `/user/tokens/${id}`)).status, 404);
    assert.equal((await app.request("GET", path)).body.result_info?.total_count, 1);
    const put = await app.request("PUT", `${path}/${id}`, {
      body: { name: "other", policies: [allow(keys.zonesOf(accountId), zone("DNS Read"))] },
    });
    assert.equal(put.body.result.name, "other");
    const refused = await app.request("POST", `/zones/${zoneId}/dns_records`, { headers, body: record });
    assert.equal(refused.status, 403);
    const rolled = await app.request("PUT", `${path}/${id}/value`);
    assert.equal((await app.request("GET", "/zones", { headers })).status, 403);
    assert.equal((await app.request("GET", "/zones", { headers: bearer(rolled.body.result) })).status, 200);
    assert.deepEqual((await app.request("DELETE", `${path}/${id}`)).body.result, { id });
    assert.equal((await app.request("GET", "/zones", { headers: bearer(rolled.body.result) })).status, 403);
  });

  test("with a zone group on its account acts on all zones of that account and of no other", async (t) => {
    const app = await startTestApp(t, engine);
    const { accountId } = app.owner;
    const otherId = await addAccount(app, "Other", "accepted");
    const foreign = await addZone(app, "example.org", { account_id: otherId });
    for (const key of [accountId, "*"]) {
      const made = await make(app, accountId, [allow(keys.account(key), zone("DNS Read"))]);
      assert.equal(made.status, 200, made.text);
      const headers = bearer(made.body.result.value);
      const later = await app.createZone(key === "*" ? "example.net" : "example.com");
      const statusOf = async (zoneId: string) =>
        (await app.request("GET", `/zones/${zoneId}/dns_records`, { headers })).status;
      assert.deepEqual([await statusOf(later), await statusOf(foreign)], [200, 404]);
      assert.equal((await app.request("GET", `/accounts/${accountId}`, { headers })).status, 403);
    }
    const elsewhere = await make(app, accountId, [allow(keys.account(otherId), zone("DNS Read"))]);
    assert.equal(elsewhere.status, 400);
  });

  test("names nothing outside of the account, and is made by e-mail and key, too", async (t) => {
    const app = await startTestApp(t, engine, { account_token_quota: 2 });
    const { accountId, userId } = app.owner;
    const zoneId = await app.createZone("example.com");
    const otherId = await addAccount(app, "Other", "accepted");
    await app.restart();
    const user = permissionGroups.find(({ scope }) => scope === "user");
    assert.ok(user);
    const settings = account("Account Settings Read");
    for (const policies of [
      [allow(keys.account(otherId), settings)],
      [allow(keys.zonesOf(otherId), zone("DNS Read"))],
      [allow(keys.user(userId), user)],
    ]) {
      const { status, body } = await make(app, accountId, policies);
      assert.equal(status, 400);
      assert.equal(body.errors[0]?.code, 1001);
    }
    const elsewhere = await make(app, otherId, [allow(keys.zone(zoneId), zone("DNS Read"))]);
    assert.equal(elsewhere.status, 400);
    const byKeys = await make(app, accountId, [allow(keys.account(accountId), settings)], byKey);
    assert.equal(byKeys.status, 200, byKeys.text);
    const list = await app.request("GET", `/accounts/${accountId}/tokens`);
    assert.equal(list.body.result_info?.total_count, 1);
    for (const status of [200, 400]) {
      assert.equal((await make(app, accountId, [allow(keys.account("*"), settings)])).status, status);
    }
  });

  test("cannot be used by a member to get what its role does not give", async (t) => {
    const app = await startTestApp(t, engine);
    const { accountId } = app.owner;
    const administrator = roles.find(({ name }) => name === "Administrator");
    assert.ok(administrator);
    const tokensGroup = account("Account API Tokens Write");
    const strong = await make(app, accountId, [
      allow(keys.account(accountId), account("Account Settings Write")),
    ]);
    assert.equal(strong.status, 200);
    await besideServer(app, (tx) =>
      tx
        .updateTable("memberships")
        .set({ roles: JSON.stringify([administrator.id]) as never })
        .execute(),
    );
    await app.restart();

    const path = `/accounts/${accountId}/tokens`;
    const { id } = strong.body.result;
    const stronger = [allow(keys.account("*"), account("Account Settings Write"))];
    const refusals = [
      await make(app, accountId, stronger),
      await app.request("PUT", `${path}/${id}/value`),
      await app.request("PUT", `${path}/${id}`, {
        body: { name: "weaker", policies: [allow(keys.account(accountId), tokensGroup)] },
      }),
    ];
    for (const { status, body, text } of refusals) {
      assert.equal(status, 403, text);
      assert.equal(body.errors[0]?.code, 9109);
    }
    const weak = await make(app, accountId, [allow(keys.account(accountId), tokensGroup)]);
    assert.equal(weak.status, 200);
    const change = await app.request("PUT", `${path}/${weak.body.result.id}`, {
      body: { name: "weak", policies: stronger },
    });
    assert.equal(change.status, 403);
    const secret = bearer(strong.body.result.value);
    assert.equal((await app.request("GET", `/accounts/${accountId}`, { headers: secret })).status, 200);
  });
});
