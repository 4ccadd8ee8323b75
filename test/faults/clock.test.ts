import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines, startTestApp, type TestApp } from "../support/harness.ts";

const day = 86_400_000;

onComparedEngines("a clock that is set back", (engine) => {
  for (const [what, milliseconds] of [
    ["a second", 1_000],
    ["a day", day],
    ["ten years", 3_650 * day],
  ] as const) {
    test(`by ${what} disturbs nothing that is stored, and everything goes on`, async (t) => {
      const app = await startTestApp(t, engine);
      const zone = `/zones/${await app.createZone("example.com")}`;
      await createRecords(app, zone, "before");
      const migrating = `/zones/${await app.createZone("migrates.example")}`;
      const before = await storedIn(app, zone);

      app.advance(-milliseconds);
      await app.restart();
      assert.deepEqual(await storedIn(app, zone), before);
      await createRecords(app, zone, "after");
      assert.ok(await app.createZone("example.org"));
      const token = await app.request("POST", "/user/tokens", { body: tokenBody });
      assert.equal(token.status, 200, token.text);
      const headers = { authorization: `Bearer ${token.body.result.value}` };
      assert.equal((await app.request("GET", "/zones", { headers })).status, 200);
      const entryPoint = `${migrating}/rulesets/phases/http_request_firewall_managed/entrypoint`;
      const rule = {
        action: "execute",
        expression: "true",
        action_parameters: { id: "efb7b8c949ac4650a09736fc376e9aee" },
      };
      for (const query of ["", "?waf_migration=pending&phase_two=1"]) {
        const saved = await app.request("PUT", entryPoint + query, { body: { rules: [rule] } });
        assert.equal(saved.status, 200, saved.text);
      }
      const status = await app.request("GET", `${migrating}/waf_migration/status`);
      assert.equal(status.body.result.migration_state, "complete");

      const names = await walk(app, `${zone}/dns_records`);
      assert.deepEqual(
        names.toSorted(),
        ["after", "before"].flatMap((when) => [0, 1, 2, 3, 4, 5].map((n) => `${when}-${n}.example.com`)),
      );
      const logged = await app.request("GET", `/accounts/${app.owner.accountId}/audit_logs?per_page=1000`);
      const ids = logged.body.result.map(({ id }: { id: string }) => id);
      assert.equal(new Set(ids).size, ids.length);
      assert.equal(ids.length, logged.body.result.length);

      // The time at which the clock was right.
      app.advance(milliseconds);
      const records = await app.request("GET", `${zone}/dns_records?name=after-0.example.com`);
      assert.ok(records.body.result[0].created_on < before.zone.created_on);
      assert.equal((await app.request("GET", "/zones", { headers })).status, 200);
    });
  }
});

const tokenBody = {
  name: "made with the clock set back",
  policies: [
    {
      effect: "allow",
      resources: { "com.cloudflare.api.account.zone.*": "*" },
      permission_groups: [{ id: "c8fed203ed3043cba015a93ad1616f1f" }],
    },
  ],
};

async function createRecords(app: TestApp, zone: string, when: string): Promise<void> {
  for (let n = 0; n < 6; n += 1) {
    const body = { type: "A", name: `${when}-${n}`, content: "192.0.2.1", ttl: 1 };
    const { status, text } = await app.request("POST", `${zone}/dns_records`, { body });
    assert.equal(status, 200, text);
  }
}

async function storedIn(app: TestApp, zone: string) {
  const [shown, records] = await Promise.all([
    app.request("GET", zone),
    app.request("GET", `${zone}/dns_records?per_page=100`),
  ]);
  return { zone: shown.body.result, records: records.body.result };
}

/** Names on all pages, as a client that walks through them meets them. */
async function walk(app: TestApp, path: string): Promise<string[]> {
  const names: string[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await app.request("GET", `${path}?per_page=5&page=${page}`);
    if (body.result.length === 0) return names;
    names.push(...body.result.map(({ name }: { name: string }) => name));
  }
}
