import assert from "node:assert/strict";
import { before, test } from "node:test";

import { onComparedEngines, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";

const unknownId = "0123456789abcdef0123456789abcdef";

onComparedEngines("firewall rules", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  let zone: string;
  let path: string;
  before(async () => {
    app = await startTestApp(suite, engine);
    zone = `/zones/${await app.createZone("example.com")}`;
    path = `${zone}/firewall/rules`;
  });

  test("are created with their filters, replaced, edited and deleted; a filter outlives its rule", async () => {
    const made = await app.request("POST", path, {
      body: [
        {
          description: "allow uploads without waf",
          action: "bypass",
          products: ["waf"],
          filter: { expression: 'http.request.uri.path matches "^/upload$"', description: "/upload" },
        },
      ],
    });
    assert.equal(made.status, 200, made.text);
    const [rule] = made.body.result;
    assert.deepEqual(rule, {
      id: rule.id,
      paused: false,
      description: "allow uploads without waf",
      action: "bypass",
      products: ["waf"],
      priority: null,
      filter: {
        id: rule.filter.id,
        expression: 'http.request.uri.path matches "^/upload$"',
        paused: false,
        description: "/upload",
      },
      created_on: "2026-01-02T03:04:05.678000Z",
      modified_on: "2026-01-02T03:04:05.678000Z",
    });
    assert.deepEqual((await app.request("GET", `${path}/${rule.id}`)).body.result, rule);
    assert.deepEqual(
      (await app.request("GET", `${zone}/filters/${rule.filter.id}`)).body.result,
      rule.filter,
    );

    const prioritised = await app.request("PATCH", path, { body: [{ id: rule.id, priority: 5 }] });
    assert.deepEqual(prioritised.body.result, [{ ...rule, priority: 5 }]);
    const paused = await app.request("PATCH", `${path}/${rule.id}`, { body: { paused: true } });
    assert.deepEqual(paused.body.result, [{ ...rule, priority: 5, paused: true }]);
    const logged = await app.request("PATCH", `${path}/${rule.id}`, { body: { action: "log" } });
    assert.deepEqual([logged.body.result[0].action, logged.body.result[0].products], ["log", undefined]);

    const replaced = await app.request("PUT", path, {
      body: [{ id: rule.id, action: "block", filter: { ...rule.filter }, ref: "R1" }],
    });
    const [after] = replaced.body.result;
    assert.deepEqual(
      [after.action, after.ref, after.priority, after.description, after.filter],
      ["block", "R1", null, "", rule.filter],
    );
    const single = await app.request("PUT", `${path}/${rule.id}`, {
      body: { action: "allow", filter: { expression: "ssl" } },
    });
    assert.equal(single.body.result.filter.expression, "ssl");

    const byBody = await app.request("DELETE", path, { body: { id: rule.id } });
    assert.deepEqual(byBody.body.result, [{ id: rule.id }]);
    assert.equal((await app.request("GET", `${path}/${rule.id}`)).status, 404);
    assert.equal((await app.request("GET", `${zone}/filters`)).body.result.length, 2);
  });

  test("take their filters along where that is asked for, and leave those of others", async () => {
    const made = await app.request("POST", path, {
      body: ["ip.src eq 192.0.2.71", "ip.src eq 192.0.2.72"].map((expression) => ({
        action: "block",
        filter: { expression },
      })),
    });
    const [gone, other] = made.body.result;
    const refused = await app.request("DELETE", `${path}/${gone.id}`, {
      body: { delete_filter_if_unused: "no" },
    });
    assert.deepEqual(
      [refused.status, refused.body.errors[0]?.source?.pointer],
      [400, "/delete_filter_if_unused"],
    );
    assert.deepEqual((await app.request("GET", `${path}/${gone.id}`)).body.result, gone);

    const deleted = await app.request("DELETE", `${path}/${gone.id}`, {
      body: { delete_filter_if_unused: true },
    });
    assert.deepEqual([deleted.status, deleted.body.result], [200, { id: gone.id }]);
    const statusOf = async ({ filter }: typeof gone) =>
      (await app.request("GET", `${zone}/filters/${filter.id}`)).status;
    assert.deepEqual([await statusOf(gone), await statusOf(other)], [404, 200]);
  });

  test("say that their filter is gone when it is", async (t) => {
    const own = await startTestApp(t, engine);
    const root = `/zones/${await own.createZone("example.com")}`;
    const made = await own.request("POST", `${root}/firewall/rules`, {
      body: [{ action: "block", filter: { expression: "ssl" } }],
    });
    const [{ id, filter }] = made.body.result;
    await own.request("DELETE", `${root}/filters/${filter.id}`);
    const { body } = await own.request("GET", `${root}/firewall/rules/${id}`);
    assert.deepEqual(body.result.filter, { id: filter.id, deleted: true });
    assert.equal(
      (await own.request("PATCH", `${root}/firewall/rules/${id}`, { body: { paused: true } })).status,
      200,
    );
  });

  test("are listed with every filter", async (t) => {
    const own = await startTestApp(t, engine);
    const list = `/zones/${await own.createZone("example.com")}/firewall/rules`;
    await own.request("POST", list, {
      body: [
        { action: "block", description: "Mirrors", filter: { expression: "ssl" } },
        { action: "log", paused: true, filter: { expression: "not ssl" } },
      ],
    });
    const actionsOf = async (query: string): Promise<string[]> =>
      (await own.request("GET", list + query)).body.result.map(({ action }: { action: string }) => action);
    assert.equal((await actionsOf("")).length, 2);
    assert.deepEqual(await actionsOf("?action=block"), ["block"]);
    assert.deepEqual(await actionsOf("?paused=true"), ["log"]);
    assert.deepEqual(await actionsOf("?description=mir"), ["block"]);
    assert.equal((await own.request("GET", `${list}?action=ban`)).status, 400);
  });

  test("that are out of order are refused, and nothing of the request is stored", async (t) => {
    const own = await startTestApp(t, engine);
    const root = `/zones/${await own.createZone("example.com")}`;
    const list = `${root}/firewall/rules`;
    const made = await own.request("POST", list, {
      body: [{ action: "block", filter: { expression: "ssl" } }],
    });
    const [{ id, filter }] = made.body.result;
    const good = { action: "log", filter: { expression: "not ssl" } };
    const refused: readonly (readonly [string, string, unknown, number, number, string])[] = [
      ["a bad expression", "POST", [good, { ...good, filter: { expression: "x" } }], 400, 10103, "/1/filter/expression"],
      ["a known expression", "POST", [good, { ...good, filter: { expression: "ssl" } }], 400, 10102, "/1/filter"],
      ["a filter with a rule", "POST", [good, { ...good, filter: { id: filter.id } }], 400, 10202, "/1/filter"],
      ["no filter", "POST", [{ ...good, filter: {} }], 400, 1003, "/0/filter"],
      ["products without bypass", "POST", [{ ...good, products: ["waf"] }], 400, 10203, "/0/products"],
      ["bypass without products", "POST", [{ ...good, action: "bypass" }], 400, 10203, "/0/products"],
      ["an unknown product", "POST", [{ ...good, action: "bypass", products: ["all"] }], 400, 1003, "/0/products/0"],
      ["an unknown action", "POST", [{ ...good, action: "ban" }], 400, 1003, "/0/action"],
      ["a negative priority", "PATCH", [{ id, priority: -1 }], 400, 1003, "/0/priority"],
      ["products of another action", "PATCH", [{ id, products: ["waf"] }], 400, 10203, "/0/products"],
    ]; // prettier-ignore
    for (const [title, method, body, status, code, pointer] of refused)
      await t.test(title, async () => {
        const answer = await own.request(method, list, { body });
        assert.equal(answer.status, status, `${title}: ${answer.text}`);
        assert.equal(answer.body.errors[0]?.code, code, `${title}: ${answer.text}`);
        assert.equal(answer.body.errors[0]?.source?.pointer, pointer, title);
        const [, place = pointer.slice(1)] =
          /^Invalid body `(.*?)`/.exec(answer.body.errors[0]?.message ?? "") ?? [];
        assert.equal(place, pointer.slice(1), "the message names the place that the pointer points to");
      });
    for (const [method, target, body] of [
      ["POST", list, [{ ...good, filter: { id: unknownId } }]],
      ["PATCH", list, [{ id: unknownId, paused: true }]],
      ["DELETE", `${list}?id=${id}&id=${unknownId}`, undefined],
      ["DELETE", `${list}/${unknownId}`, undefined],
    ] as const) {
      const { status } = await own.request(method, target, body === undefined ? {} : { body });
      assert.equal(status, 404, `${method} ${target}`);
    }
    assert.deepEqual((await own.request("GET", list)).body.result, made.body.result);
    assert.equal((await own.request("GET", `${root}/filters`)).body.result.length, 1);
  });

  test("come alone where a client sends no list, and are answered as a list", async () => {
    const alone = { action: "log", filter: { expression: "ip.src eq 192.0.2.77" } };
    const [rule] = (await app.request("POST", path, { body: alone })).body.result;
    assert.equal(rule.filter.expression, alone.filter.expression);
    const replaced = await app.request("PUT", path, { body: { ...rule, action: "block" } });
    assert.deepEqual([replaced.body.result.length, replaced.body.result[0].action], [1, "block"]);
    const again = await app.request("PUT", `${path}/${rule.id}`, { body: alone });
    assert.deepEqual([again.status, again.body.result.filter.id], [200, rule.filter.id]);
    const edited = await app.request("PATCH", path, { body: { id: rule.id, priority: 7 } });
    assert.equal(edited.body.result[0].priority, 7);
    const filters = await app.request("POST", `${zone}/filters`, {
      body: { expression: "ip.src eq 192.0.2.78" },
    });
    assert.equal(filters.body.result[0].expression, "ip.src eq 192.0.2.78");
    for (const body of ["text", 7, null]) {
      const { status, body: answer } = await app.request("POST", path, { rawBody: JSON.stringify(body) });
      assert.deepEqual([status, answer.errors[0]?.message], [400, "Invalid body: must be array"]);
    }
    const incomplete = await app.request("POST", path, { body: { action: "log" } });
    assert.equal(incomplete.body.errors[0]?.source?.pointer, "/0/filter");
  });
});
