import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines, startTestApp, testOnEachEngine } from "../../../test/support/harness.ts";
import { besideServer } from "../../../test/support/store.ts";
import { bearer, countTokens, dnsWrite, policy } from "../../../test/support/token-api.ts";

const unknownId = "0123456789abcdef0123456789abcdef";

onComparedEngines("a token", (engine) => {
  test("is replaced whole, keeps its secret and the ids of policies that are sent with theirs", async (t) => {
    const app = await startTestApp(t, engine);
    const zoneId = await app.createZone("example.com");
    const made = await app.request("POST", "/user/tokens", {
      body: {
        name: "before",
        policies: [policy({})],
        expires_on: "2030-01-01T00:00:00Z",
        condition: { request_ip: { in: ["127.0.0.1/32"] } },
      },
    });
    const { id, value, policies } = made.body.result;
    app.advance(5_000);
    const { status, body } = await app.request("PUT", `/user/tokens/${id}`, {
      body: {
        name: "after",
        policies: [policies[0], policy({ groups: [dnsWrite] }), { id: unknownId, ...policy({}) }],
      },
    });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body.result), [
      "id", "name", "status", "issued_on", "modified_on", "last_used_on", "policies",
    ]); // prettier-ignore
    assert.equal(body.result.name, "after");
    assert.equal(body.result.modified_on, "2026-01-02T03:04:10Z");
    assert.equal(body.result.policies[0].id, policies[0].id);
    assert.notEqual(body.result.policies[2].id, unknownId);
    const record = { type: "A", name: "a.example.com", content: "192.0.2.1" };
    const write = await app.request("POST", `/zones/${zoneId}/dns_records`, {
      headers: bearer(value),
      body: record,
    });
    assert.equal(write.status, 200);

    for (const wrong of [{ name: "x", policies: [] }, { name: "x" }]) {
      const refused = await app.request("PUT", `/user/tokens/${id}`, { body: wrong });
      assert.deepEqual([refused.status, refused.body.errors[0]?.code], [400, 1001]);
    }
    const { body: now } = await app.request("GET", `/user/tokens/${id}`);
    assert.deepEqual({ ...now.result, last_used_on: null }, body.result);
  });

  test("can be disabled after its zone is deleted, but cannot be given another zone that is gone", async (t) => {
    const app = await startTestApp(t, engine);
    const { body: accounts } = await app.request("GET", "/accounts");
    for (const path of ["/user/tokens", `/accounts/${accounts.result[0].id}/tokens`]) {
      const [zoneId, otherId] = [await app.createZone("one.example"), await app.createZone("two.example")];
      const ofZone = (id: string) =>
        policy({ resources: { [`com.cloudflare.api.account.zone.${id}`]: "*" }, groups: [dnsWrite] });
      const made = await app.request("POST", path, { body: { name: "t", policies: [ofZone(zoneId)] } });
      const { id, value } = made.body.result;
      for (const gone of [zoneId, otherId]) await app.request("DELETE", `/zones/${gone}`);
      const before = (await app.request("GET", `${path}/${id}`)).body.result;

      const refused = await app.request("PUT", `${path}/${id}`, {
        body: { ...before, policies: [...before.policies, ofZone(otherId)] },
      });
      assert.deepEqual([refused.status, refused.body.errors[0]?.code], [400, 1001]);
      assert.deepEqual((await app.request("GET", `${path}/${id}`)).body.result, before);

      const disabled = await app.request("PUT", `${path}/${id}`, { body: { ...before, status: "disabled" } });
      assert.deepEqual(disabled.body.result, { ...before, status: "disabled" });
      assert.equal((await app.request("GET", "/zones", { headers: bearer(value) })).status, 403);
    }
  });

  testOnEachEngine("is deleted once, however many ask for it at a time", async (t, either) => {
    const app = await startTestApp(t, either);
    const body = { name: "t", policies: [policy({})] };
    const { id } = (await app.request("POST", "/user/tokens", { body })).body.result;
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => app.request("DELETE", `/user/tokens/${id}`)),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 404, 404, 404, 404, 404],
    );
    const log = await app.request("GET", "/user/audit_logs?action.type=token_delete");
    assert.equal(log.body.result_info?.total_count, 1);
  });

  test("that is disabled, deleted or rolled stops at the next request; enabled again it goes on", async (t) => {
    const app = await startTestApp(t, engine);
    const body = { name: "t", policies: [policy({})] };
    const made = await app.request("POST", "/user/tokens", { body });
    const { id, value } = made.body.result;
    const use = async (secret: string): Promise<number> =>
      (await app.request("GET", "/zones", { headers: bearer(secret) })).status;
    const put = (rest: object) => app.request("PUT", `/user/tokens/${id}`, { body: { ...body, ...rest } });

    assert.equal(await use(value), 200);
    assert.equal((await put({ status: "disabled" })).body.result.status, "disabled");
    assert.equal(await use(value), 403);
    assert.equal((await put({})).body.result.status, "disabled");
    assert.equal((await put({ status: "active" })).body.result.status, "active");
    assert.equal(await use(value), 200);

    const rolled = await app.request("PUT", `/user/tokens/${id}/value`, { body: {} });
    assert.match(rolled.body.result, /^zw_[0-9A-Za-z]{37}$/);
    assert.equal(await use(value), 403);
    assert.equal(await use(rolled.body.result), 200);

    assert.deepEqual((await app.request("DELETE", `/user/tokens/${id}`, { rawBody: "{}" })).body.result, {
      id,
    });
    assert.equal(await use(rolled.body.result), 403);
    for (const method of ["GET", "DELETE"]) {
      assert.equal((await app.request(method, `/user/tokens/${id}`)).status, 404);
    }
    assert.equal((await put({})).status, 404);
  });

  test("holds from its first second to before its last, and is listed as expired when asked for", async (t) => {
    const app = await startTestApp(t, engine);
    const made = await app.request("POST", "/user/tokens", {
      body: {
        name: "short",
        policies: [policy({})],
        not_before: "2026-01-02T03:04:10Z",
        expires_on: "2026-01-02T03:04:20Z",
      },
    });
    const { id, value } = made.body.result;
    const at = async (milliseconds: number): Promise<readonly [number, number]> => {
      app.advance(milliseconds);
      const headers = bearer(value);
      return [
        (await app.request("GET", "/zones", { headers })).status,
        (await app.request("GET", "/user/tokens/verify", { headers })).status,
      ];
    };
    assert.deepEqual(await at(0), [403, 401]);
    assert.deepEqual(await at(4_321), [403, 401]);
    assert.deepEqual(await at(1), [200, 200]);
    assert.deepEqual(await at(9_999), [200, 200]);
    assert.deepEqual(await at(1), [403, 401]);
    const list = async (query: string): Promise<string[]> => {
      const { body } = await app.request("GET", `/user/tokens${query}`);
      return body.result.map(({ name, status }: { name: string; status: string }) => `${name} ${status}`);
    };
    assert.deepEqual(await list(""), ["Owner token active"]);
    assert.deepEqual(await list("?include_expired=true&order=name"), ["Owner token active", "short expired"]);
    assert.equal((await app.request("GET", `/user/tokens/${id}`)).body.result.status, "expired");
  });

  test("says when it was last used, once that is written", async (t) => {
    const app = await startTestApp(t, engine);
    const made = await app.request("POST", "/user/tokens", { body: { name: "t", policies: [policy({})] } });
    const { id, value } = made.body.result;
    app.advance(60_000);
    await app.request("GET", "/zones", { headers: bearer(value) });
    await app.restart();
    const { body } = await app.request("GET", `/user/tokens/${id}`);
    assert.equal(body.result.last_used_on, "2026-01-02T03:05:05Z");
  });

  testOnEachEngine(
    "is one of at most as many as the quota says, also when several are made at once",
    async (t, either) => {
      const app = await startTestApp(t, either, { user_token_quota: 5 });
      const attempts = Array.from({ length: 10 }, () =>
        app.request("POST", "/user/tokens", { body: { name: "t", policies: [policy({})] } }),
      );
      const statuses = (await Promise.all(attempts)).map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 200).length, 4);
      assert.equal(statuses.filter((status) => status === 400).length, 6);
      assert.equal(await countTokens(app), 5);
    },
  );

  test("loses with its owner what the owner loses, at the next request", async (t) => {
    const app = await startTestApp(t, engine);
    const zoneId = await app.createZone("example.com");
    const made = await app.request("POST", "/user/tokens", { body: { name: "t", policies: [policy({})] } });
    const headers = bearer(made.body.result.value);
    assert.equal((await app.request("GET", `/zones/${zoneId}`, { headers })).status, 200);
    await besideServer(app, (tx) => tx.updateTable("memberships").set({ status: "rejected" }).execute());
    await app.restart();
    assert.equal((await app.request("GET", `/zones/${zoneId}`, { headers })).status, 404);
    assert.deepEqual((await app.request("GET", "/zones", { headers })).body.result, []);
  });
});
