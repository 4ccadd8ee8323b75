import assert from "node:assert/strict";
import { before, test } from "node:test";

import {
  onComparedEngines,
  startTestApp,
  type TestApp,
  testOnEachEngine,
} from "../../../test/support/harness.ts";
import { listApi } from "../../../test/support/list-api.ts";
import { storedRows } from "../../../test/support/store.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";
import { loggedActions } from "../../../test/support/logged-actions.ts";

const unknownId = "0123456789abcdef0123456789abcdef";
const now = "2026-01-02T03:04:05.678000Z";
const custom = "http_request_firewall_custom";

onComparedEngines("lists", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  let api: ReturnType<typeof listApi>;
  before(async () => {
    app = await startTestApp(suite, engine);
    api = listApi(app);
  });

  test("live their life: made, listed, described anew, deleted", async () => {
    const body = { kind: "ip", name: "office_network", description: "Where we are" };
    const made = await app.request("POST", api.base, { body });
    const { id } = made.body.result;
    const list = {
      id,
      name: "office_network",
      description: "Where we are",
      kind: "ip",
      num_items: 0,
      num_referencing_filters: 0,
      created_on: now,
      modified_on: now,
    };
    assert.deepEqual([made.status, made.body.result], [200, list]);
    assert.deepEqual((await app.request("GET", api.base)).body.result, [list]);
    assert.deepEqual((await app.request("GET", `${api.base}/${id}`)).body.result, list);

    app.advance(1_000);
    const edited = await app.request("PUT", `${api.base}/${id}`, { body: { ...body, description: "Here" } });
    const modified_on = "2026-01-02T03:04:06.678000Z";
    assert.deepEqual(edited.body.result, { ...list, description: "Here", modified_on });
    const { description: _, ...plain } = edited.body.result;
    assert.deepEqual((await app.request("PUT", `${api.base}/${id}`, { body: {} })).body.result, plain);

    assert.deepEqual((await app.request("DELETE", `${api.base}/${id}`)).body.result, { id });
    for (const method of ["GET", "PUT", "DELETE"]) {
      const { status, body: answer } = await app.request(
        method,
        `${api.base}/${id}`,
        method === "PUT" ? { body: {} } : {},
      );
      assert.deepEqual([status, answer.errors[0]?.code], [404, 10001]);
    }
    assert.deepEqual((await loggedActions(app)).slice(0, 4), [
      "list_delete",
      "list_edit",
      "list_edit",
      "list_create",
    ]);
  });

  test("of a form that is none are refused, and nothing is stored", async (t) => {
    const id = await api.create("ip", "fixed");
    const earlier = await storedRows(app);
    const refused: readonly (readonly [string, string, object, number, string])[] = [
      ["POST", "", { kind: "ip", name: "with-dash" }, 1003, "/name"],
      ["POST", "", { kind: "ip", name: "" }, 1003, "/name"],
      ["POST", "", { kind: "ip", name: "a".repeat(51) }, 1003, "/name"],
      ["POST", "", { kind: "ip" }, 1003, "/name"],
      ["POST", "", { kind: "ips", name: "a" }, 1003, "/kind"],
      ["POST", "", { kind: "ip", name: "a", description: "a".repeat(501) }, 1003, "/description"],
      ["POST", "", { kind: "asn", name: "fixed" }, 10009, "/name"],
      ["PUT", `/${id}`, { name: "another" }, 10015, "/name"],
      ["PUT", `/${id}`, { kind: "asn" }, 10015, "/kind"],
    ];
    for (const [method, path, body, code, pointer] of refused) {
      await t.test(JSON.stringify([method, path, body]).slice(0, 120), async () => {
        const { status, body: answer, text } = await app.request(method, api.base + path, { body });
        assert.equal(status, 400, text);
        assert.deepEqual([answer.errors[0]?.code, answer.errors[0]?.source?.pointer], [code, pointer], text);
      });
    }
    assert.deepEqual(await storedRows(app), earlier);
    await app.request("DELETE", `${api.base}/${id}`);
  });

  test("are counted by the rules and filters that name them, enabled or not, and stay while there are any", async () => {
    const zoneId = await app.createZone("example.com");
    const id = await api.create("ip", "named");
    const entryPoint = `/zones/${zoneId}/rulesets/phases/${custom}/entrypoint`;
    const naming = { action: "log", expression: "ip.src in $named" };
    const rules = [
      naming,
      { ...naming, expression: "not ip.src in $named and ip.src in $named", enabled: false },
      { action: "log", expression: 'http.host eq "$named"' },
    ];
    assert.equal((await app.request("PUT", entryPoint, { body: { rules } })).status, 200);
    const filters = `/zones/${zoneId}/filters`;
    const made = await app.request("POST", filters, { body: [{ expression: "ip.src in $named" }] });
    assert.equal(made.status, 200, made.text);
    assert.equal((await api.read(id)).num_referencing_filters, 3);

    const earlier = await storedRows(app);
    const kept = await app.request("DELETE", `${api.base}/${id}`);
    assert.deepEqual([kept.status, kept.body.errors[0]?.code], [400, 10031]);
    assert.deepEqual(await storedRows(app), earlier);

    assert.equal((await app.request("DELETE", `${filters}/${made.body.result[0].id}`)).status, 200);
    assert.equal((await api.read(id)).num_referencing_filters, 2);
    await app.request("PUT", entryPoint, { body: { rules: [naming] } });
    assert.equal((await api.read(id)).num_referencing_filters, 1);
    await app.request("DELETE", `/zones/${zoneId}`);
    assert.equal((await api.read(id)).num_referencing_filters, 0);
    assert.equal((await app.request("DELETE", `${api.base}/${id}`)).status, 200);
  });

  testOnEachEngine(
    "and a rule that names one, stored at the same time, leave no rule without its list",
    async (t, either) => {
      const own = await startTestApp(t, either);
      const lists = listApi(own);
      const zoneId = await own.createZone("racing.example");
      const entryPoint = `/zones/${zoneId}/rulesets/phases/${custom}/entrypoint`;
      for (let round = 1; round <= 5; round += 1) {
        const id = await lists.create("ip", `raced_${round}`);
        const rules = [{ action: "log", expression: `ip.src in $raced_${round}` }];
        const [deleted, saved] = await Promise.all([
          own.request("DELETE", `${lists.base}/${id}`),
          own.request("PUT", entryPoint, { body: { rules } }),
        ]);
        const exists = (await own.request("GET", `${lists.base}/${id}`)).status === 200;
        assert.deepEqual([deleted.status, saved.status], exists ? [400, 200] : [200, 400], saved.text);
        await own.request("PUT", entryPoint, { body: { rules: [] } });
        if (exists) await own.request("DELETE", `${lists.base}/${id}`);
      }
    },
  );

  test("are as many, and of those kinds, as the largest plan of the account's zones has", async (t) => {
    const own = await startTestApp(t, engine, { default_plan: "free" });
    const lists = listApi(own);
    const create = (kind: string, name: string) => own.request("POST", lists.base, { body: { kind, name } });
    const codeOf = async (kind: string, name: string) => (await create(kind, name)).body.errors[0]?.code;
    assert.equal(await codeOf("ip", "one"), undefined);
    assert.equal(await codeOf("ip", "two"), 10013);
    assert.equal(await codeOf("hostname", "hosts"), 10014);
    for (let number = 1; number <= 5; number += 1) {
      assert.equal(await codeOf("redirect", `r${number}`), undefined);
    }
    assert.equal(await codeOf("redirect", "r6"), 10013);

    const zoneId = await own.createZone("example.com");
    const plan = { rate_plan: { id: "enterprise" } };
    const subscribed = await own.request("POST", `/zones/${zoneId}/subscription`, { body: plan });
    assert.equal(subscribed.status, 200, subscribed.text);
    for (const [kind, name] of [
      ["ip", "two"],
      ["hostname", "hosts"],
      ["asn", "numbers"],
      ["redirect", "r6"],
    ] as const) {
      assert.equal(await codeOf(kind, name), undefined);
    }
  });

  test("of another account are as if they did not exist", async () => {
    const { status, body } = await app.request("GET", `${api.base}/${unknownId}/items`);
    assert.deepEqual([status, body.errors[0]?.code], [404, 10001]);
    const operation = await app.request("GET", `${api.base}/bulk_operations/${unknownId}`);
    assert.deepEqual([operation.status, operation.body.errors[0]?.code], [404, 10003]);
  });
});
