import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines, startTestApp } from "../../../test/support/harness.ts";
import { addResourceGroup, memberPolicy, scopeOf } from "../../../test/support/member-api.ts";
import { addAccount, addUser, addZone, storedRows } from "../../../test/support/store.ts";
import { loggedActions } from "../../../test/support/logged-actions.ts";

onComparedEngines("resource groups", (engine) => {
  test("are created, listed after that of the whole account, found by id and name, changed and deleted", async (t) => {
    const app = await startTestApp(t, engine);
    const { accountId } = app.owner;
    const path = `/accounts/${accountId}/iam/resource_groups`;
    const [first, second] = [await app.createZone("first.example"), await app.createZone("second.example")];
    const id = await addResourceGroup(app, "zones", [first]);
    const shown = { id, name: "zones", meta: { editable: "true" }, scope: scopeOf(accountId, [first]) };
    assert.deepEqual((await app.request("GET", `${path}/${id}`)).body.result, shown);
    const whole = (await app.request("GET", `${path}/${accountId}`)).body.result;
    const lists = [
      ["", [whole, shown]],
      ["?name=zones", [shown]],
      [`?name=com.cloudflare.api.account.${accountId}`, [whole]],
      [`?id=${id}`, [shown]],
      ["?page=2", []],
    ] as const;
    for (const [query, listed] of lists) {
      await t.test(`query ${query}`, async () => {
        assert.deepEqual((await app.request("GET", path + query)).body.result, listed, query);
      });
    }
    const changed = await app.request("PUT", `${path}/${id}`, {
      body: {
        name: "all of them",
        scope: { ...shown.scope, objects: [{ key: "com.cloudflare.api.account.zone.*" }] },
      },
    });
    assert.deepEqual(changed.body.result, {
      ...shown,
      name: "all of them",
      scope: { ...shown.scope, objects: [{ key: "com.cloudflare.api.account.zone.*" }] },
    });
    const narrowed = await app.request("PUT", `${path}/${id}`, {
      body: { scope: scopeOf(accountId, [second]) },
    });
    assert.deepEqual(narrowed.body.result, {
      ...shown,
      name: "all of them",
      scope: scopeOf(accountId, [second]),
    });
    assert.deepEqual((await app.request("DELETE", `${path}/${id}`)).body.result, { id });
    assert.equal((await app.request("GET", `${path}/${id}`)).status, 404);
    assert.deepEqual((await loggedActions(app, "resource_group")).toSorted(), [
      "resource_group_add",
      "resource_group_delete",
      "resource_group_edit",
      "resource_group_edit",
    ]);
  });

  test("change at once what members may do whose policies name them", async (t) => {
    const app = await startTestApp(t, engine);
    const { accountId } = app.owner;
    const [first, second] = [await app.createZone("first.example"), await app.createZone("second.example")];
    const id = await addResourceGroup(app, "zones", [first]);
    const user = await addUser(app, "dora@example.com");
    const { body } = await app.request("POST", `/accounts/${accountId}/members`, {
      body: { email: user.email, policies: [memberPolicy("allow", ["domain_dns"], [id])] },
    });
    const accept = { headers: user.headers, body: { status: "accepted" } };
    await app.request("PATCH", `/user/invites/${body.result.id}`, accept);
    const statuses = async (): Promise<number[]> =>
      Promise.all(
        [first, second].map(
          async (zone) =>
            (await app.request("GET", `/zones/${zone}/dns_records`, { headers: user.headers })).status,
        ),
      );
    assert.deepEqual(await statuses(), [200, 404]);
    const path = `/accounts/${accountId}/iam/resource_groups/${id}`;
    const moved = await app.request("PUT", path, { body: { scope: scopeOf(accountId, [second]) } });
    assert.equal(moved.status, 200);
    assert.deepEqual(await statuses(), [404, 200]);
    const earlier = await storedRows(app);
    const kept = await app.request("DELETE", path);
    assert.deepEqual([kept.status, kept.body.errors[0]?.code], [400, 1008]);
    assert.deepEqual(await storedRows(app), earlier);
    assert.deepEqual(await statuses(), [404, 200]);
  });

  test("name only what belongs to their account; the one of the whole account stays as it is", async (t) => {
    const app = await startTestApp(t, engine);
    const { accountId } = app.owner;
    const path = `/accounts/${accountId}/iam/resource_groups`;
    const foreign = await addZone(app, "foreign.example", { account_id: await addAccount(app, "Foreign") });
    const elsewhere = await addZone(app, "else.example", {
      account_id: await addAccount(app, "Elsewhere", "accepted"),
    });
    const key = `com.cloudflare.api.account.${accountId}`;
    const earlier = await storedRows(app);
    const cases = [
      [{ name: "x" }, 1003, "/scope"],
      [{ name: "", scope: scopeOf(accountId, [foreign]) }, 1003, "/name"],
      [{ name: "x", scope: { key, objects: [] } }, 1003, "/scope/objects"],
      [{ name: "x", scope: scopeOf("0".repeat(32), [foreign]) }, 1001, "/scope/key"],
      [{ name: "x", scope: scopeOf(accountId, [foreign]) }, 1001, "/scope/objects/0/key"],
      [{ name: "x", scope: scopeOf(accountId, [elsewhere]) }, 1001, "/scope/objects/0/key"],
      [{ name: "x", scope: { key, objects: [{ key: "*" }, { key }] } }, 1001, "/scope/objects/1/key"],
      [{ name: "x", scope: { key, objects: [{ key: foreign }] } }, 1001, "/scope/objects/0/key"],
    ] as const;
    for (const [body, code, pointer] of cases) {
      await t.test(JSON.stringify(body).slice(0, 120), async () => {
        const { status, body: answer } = await app.request("POST", path, { body });
        assert.deepEqual(
          [status, answer.errors[0]?.code, answer.errors[0]?.source?.pointer],
          [400, code, pointer],
        );
      });
    }
    for (const method of ["PUT", "DELETE"]) {
      const { status, body } = await app.request(method, `${path}/${accountId}`, { body: { name: "mine" } });
      assert.deepEqual([status, body.errors[0]?.code], [400, 1010], method);
    }
    assert.deepEqual(await storedRows(app), earlier);
  });
});
