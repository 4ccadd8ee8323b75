import assert from "node:assert/strict";
import { before, test } from "node:test";

import { onComparedEngines, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";

const unknownId = "0123456789abcdef0123456789abcdef";

onComparedEngines("filters", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  let path: string;
  before(async () => {
    app = await startTestApp(suite, engine);
    path = `/zones/${await app.createZone("example.com")}/filters`;
  });

  test("are created many at once, got, replaced and deleted", async () => {
    const made = await app.request("POST", path, {
      body: [
        { expression: 'http.host eq "a.example.com"', description: "host A", ref: "FIL-100" },
        { expression: 'http.request.uri.path matches "^/upload$"', paused: true },
      ],
    });
    assert.equal(made.status, 200, made.text);
    const [one, other] = made.body.result;
    assert.deepEqual(made.body.result, [
      {
        id: one.id,
        expression: 'http.host eq "a.example.com"',
        paused: false,
        description: "host A",
        ref: "FIL-100",
      },
      {
        id: other.id,
        expression: 'http.request.uri.path matches "^/upload$"',
        paused: true,
        description: "",
      },
    ]);
    assert.deepEqual((await app.request("GET", `${path}/${one.id}`)).body.result, one);
    const replaced = await app.request("PUT", path, {
      body: [{ id: one.id, expression: 'http.host eq "b.example.com"' }],
    });
    assert.deepEqual(replaced.body.result, [
      { id: one.id, expression: 'http.host eq "b.example.com"', paused: false, description: "" },
    ]);
    const single = await app.request("PUT", `${path}/${one.id}`, {
      body: { id: one.id, expression: "ssl", description: "all TLS" },
    });
    assert.deepEqual(single.body.result, {
      id: one.id,
      expression: "ssl",
      paused: false,
      description: "all TLS",
    });
    const deleted = await app.request("DELETE", `${path}?id=${one.id}&id=${other.id}`);
    assert.deepEqual(deleted.body.result, [{ id: one.id }, { id: other.id }]);
    assert.equal((await app.request("GET", `${path}/${one.id}`)).status, 404);
    assert.deepEqual((await app.request("GET", path)).body.result, []);
  });

  test("are deleted by a body as well as by a query, or by both", async (t) => {
    const own = await startTestApp(t, engine);
    const list = `/zones/${await own.createZone("example.com")}/filters`;
    const body = ["ssl", "not ssl", 'http.host eq "a"', 'http.host eq "b"'].map((expression) => ({
      expression,
    }));
    const ids = (await own.request("POST", list, { body })).body.result.map(({ id }: { id: string }) => id);
    const deleted = [
      await own.request("DELETE", list, { body: { id: ids[0] } }),
      await own.request("DELETE", `${list}?id=${ids[1]}`, { body: { id: [ids[1], ids[2]] } }),
    ].map((answer) => answer.body.result.map(({ id }: { id: string }) => id));
    assert.deepEqual(deleted, [[ids[0]], [ids[1], ids[2]]]);
    assert.equal((await own.request("DELETE", list, { body: { id: 1 } })).status, 400);
    assert.equal((await own.request("DELETE", list, { rawBody: "{" })).status, 400);
    const left = (await own.request("GET", list)).body.result;
    assert.deepEqual(
      left.map(({ id }: { id: string }) => id),
      [ids[3]],
    );
  });

  test("are listed with every filter", async (t) => {
    const own = await startTestApp(t, engine);
    const list = `/zones/${await own.createZone("example.com")}/filters`;
    await own.request("POST", list, {
      body: [
        { expression: 'http.host contains "PHP"', description: "Browsers", ref: "A" },
        { expression: "ssl", paused: true },
      ],
    });
    const countOf = async (query: string): Promise<number> =>
      (await own.request("GET", list + query)).body.result.length;
    for (const query of [
      "?expression=php",
      "?description=browser",
      "?ref=A",
      "?paused=false",
      "?per_page=1",
    ]) {
      assert.equal(await countOf(query), 1, query);
    }
    assert.equal(await countOf(""), 2);
    assert.equal(await countOf("?ref=a"), 0);
    assert.equal(await countOf("?page=2"), 0);
  });

  test("that do not parse, repeat or are too long are refused, and nothing of the request is stored", async (t) => {
    const own = await startTestApp(t, engine, { default_plan: "free" });
    const list = `/zones/${await own.createZone("example.com")}/filters`;
    await own.request("POST", list, { body: [{ expression: "ssl" }] });
    const [{ id }] = (await own.request("GET", list)).body.result;
    const good = { expression: "not ssl" };
    const refused: readonly (readonly [string, string, unknown, number, number, string | undefined, RegExp])[] = [
      ["an unknown field", "POST", [good, { expression: "bogus eq 1" }], 400, 10103, "/1/expression",
        /^Filter parsing error \(1:1\):\nbogus eq 1\n\^+ unknown identifier/],
      ["a broken pattern", "POST", [{ expression: 'http.host matches "("' }], 400, 10103, "/0/expression", /Filter parsing/],
      ["a repeated expression", "POST", [good, { expression: "ssl" }], 400, 10102, "/1", /duplicates/],
      ["one twice in a request", "POST", [good, good], 400, 10102, "/1", /duplicates/],
      ["a long one", "POST", [{ expression: `ssl or ${"ssl or ".repeat(2_500)}ssl` }], 400, 10103, "/0/expression", /16384/],
      ["none", "POST", [], 400, 1003, undefined, /./],
      ["no array", "POST", "ssl", 400, 1003, undefined, /./],
      ["a long ref", "POST", [{ ...good, ref: "x".repeat(51) }], 400, 1003, "/0/ref", /ref/],
      ["an unknown id", "PUT", [{ id, expression: "not ssl" }, { id: unknownId, expression: "tcp.dstport eq 1" }],
        404, 10102, undefined, /not found/],
      ["no ids", "DELETE", undefined, 400, 1003, "/id", /id/],
    ]; // prettier-ignore
    for (const [title, method, body, status, code, pointer, message] of refused)
      await t.test(title, async () => {
        const answer = await own.request(method, list, body === undefined ? {} : { body });
        assert.equal(answer.status, status, `${title}: ${answer.text}`);
        assert.equal(answer.body.errors[0]?.code, code, title);
        if (pointer !== undefined) assert.equal(answer.body.errors[0]?.source?.pointer, pointer, title);
        assert.match(answer.body.errors[0]?.message ?? "", message, title);
      });
    const { body } = await own.request("DELETE", `${list}?id=${id},${unknownId}`);
    assert.equal(body.errors[0]?.code, 10102);
    assert.deepEqual((await own.request("GET", list)).body.result, [
      { id, expression: "ssl", paused: false, description: "" },
    ]);
  });

  test("validateExpression accepts expressions of the zone's plan and says where others are wrong", async () => {
    const zoneId = await app.createZone("validated.example");
    const validate = (expression: unknown) =>
      app.request("POST", `/zones/${zoneId}/filters/validate-expr`, { body: { expression } });
    const good = await validate('http.host eq "example.com" and http.user_agent matches "bot"');
    assert.equal(good.text, '{"result":null,"success":true,"errors":[],"messages":[]}');
    assert.equal((await validate(`http.host eq "${"x".repeat(16_000)}"`)).status, 200);

    const bad = await validate("http.host eq example.com");
    assert.equal(bad.status, 400);
    assert.match(
      bad.body.errors[0]?.message ?? "",
      /^Filter parsing error \(1:14\):\nhttp\.host eq example\.com\n {13}\^+ /,
    );
    assert.deepEqual(bad.body.errors[0]?.source, { pointer: "/expression" });
    assert.equal((await validate("x".repeat(17_000))).body.errors[0]?.code, 10103);
    assert.equal((await validate(7)).body.errors[0]?.code, 1003);
    await app.request("PATCH", `/zones/${zoneId}`, { body: { plan: { id: "pro" } } });
    assert.match((await validate('http.host matches "a"')).body.errors[0]?.message ?? "", /not entitled/);
    assert.deepEqual((await app.request("GET", `/zones/${zoneId}/filters`)).body.result, []);
  });

  test("an expression can be checked without a zone, by body or query, as tools do before they plan", async () => {
    const checker = "/filters/validate-expr";
    const good = 'http.request.uri.path matches "^/a b$"';
    const ofBody = await app.request("POST", checker, { body: { expression: good } });
    assert.equal(ofBody.text, '{"result":null,"success":true,"errors":[],"messages":[]}');
    const ofQuery = await app.request("GET", `${checker}?expression=${encodeURIComponent(good)}`);
    assert.equal(ofQuery.text, ofBody.text);
    const wrong = await app.request("GET", `${checker}?expression=ip.src==34`);
    assert.deepEqual([wrong.status, wrong.body.errors[0]?.code], [400, 10103]);
    assert.match(
      wrong.body.errors[0]?.message ?? "",
      /^Filter parsing error \(1:9\):\nip\.src==34\n {8}\^\^ /,
    );
    const { body } = await app.request("POST", checker, { body: { expression: "ip.src==34" } });
    assert.deepEqual(body.errors, wrong.body.errors);
    assert.equal((await app.request("GET", checker)).body.errors[0]?.code, 1003);
  });
});
