import assert from "node:assert/strict";
import { before, test } from "node:test";

import { onComparedEngines, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";

const unknownId = "0123456789abcdef0123456789abcdef";

onComparedEngines("Web3 hostnames", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  let path: string;
  before(async () => {
    app = await startTestApp(suite, engine);
    const zone = `/zones/${await app.createZone("example.com")}`;
    await app.request("PUT", `${zone}/activation_check`);
    path = `${zone}/web3/hostnames`;
  });

  test("are created, got, edited, listed and deleted in the form of the public API", async () => {
    const created = await app.request("POST", path, {
      body: { name: "GW.example.com.", target: "ethereum", description: "test", dnslink: "" },
    });
    assert.equal(created.status, 200, created.text);
    const { id } = created.body.result;
    assert.deepEqual(created.body.result, {
      id,
      name: "gw.example.com",
      description: "test",
      status: "active",
      target: "ethereum",
      created_on: "2026-01-02T03:04:05.678000Z",
      modified_on: "2026-01-02T03:04:05.678000Z",
    });
    assert.deepEqual((await app.request("GET", `${path}/${id}`)).body.result, created.body.result);

    app.advance(1_000);
    const edited = await app.request("PATCH", `${path}/${id}`, { body: { description: "other" } });
    assert.deepEqual(edited.body.result, {
      ...created.body.result,
      description: "other",
      modified_on: "2026-01-02T03:04:06.678000Z",
    });
    assert.deepEqual((await app.request("GET", path)).body.result, [edited.body.result]);

    assert.deepEqual((await app.request("DELETE", `${path}/${id}`)).body.result, { id });
    assert.deepEqual((await app.request("GET", path)).body.result, []);
  });

  test("what cannot be one is refused, and nothing is stored", async (t) => {
    const { body: first } = await app.request("POST", path, {
      body: { name: "site.example.com", target: "ipfs", dnslink: "/ipns/docs.example.com" },
    });
    const cases: readonly [object, number][] = [
      [{ name: "gw.example.org", target: "ethereum" }, 1004],
      [{ name: "notexample.com", target: "ethereum" }, 1004],
      [{ name: "*.example.com", target: "ethereum" }, 1004],
      [{ name: "a b.example.com", target: "ethereum" }, 1004],
      [{ name: "other.example.com", target: "ipfs", dnslink: "docs.example.com" }, 1004],
      [{ name: "SITE.example.com", target: "ethereum" }, 1005],
    ];
    for (const [body, code] of cases)
      await t.test(JSON.stringify(body).slice(0, 80), async () => {
        const refused = await app.request("POST", path, { body });
        assert.equal(refused.status, 400, refused.text);
        assert.equal(refused.body.errors[0]?.code, code, refused.text);
      });
    for (const body of [{ target: "ethereum" }, { name: "x.example.com", target: "bitcoin" }]) {
      assert.equal((await app.request("POST", path, { body })).status, 400);
    }
    const own = `${path}/${first.result.id as string}`;
    assert.equal((await app.request("PATCH", own, { body: { dnslink: "nowhere" } })).status, 400);
    assert.deepEqual((await app.request("GET", path)).body.result, [first.result]);
  });

  test("an unknown one is 404 code 1002, also the one of another zone", async () => {
    const other = `/zones/${await app.createZone("other.example")}/web3/hostnames`;
    const { body: made } = await app.request("POST", other, {
      body: { name: "gw.other.example", target: "ethereum" },
    });
    assert.equal(made.result.status, "pending");
    for (const id of [unknownId, made.result.id as string]) {
      for (const [method, body] of [["GET"], ["PATCH", { description: "" }], ["DELETE"]] as const) {
        const answer = await app.request(method, `${path}/${id}`, body === undefined ? {} : { body });
        assert.equal(answer.status, 404, answer.text);
        assert.equal(answer.body.errors[0]?.code, 1002);
      }
    }
    assert.equal((await app.request("GET", `${other}/${made.result.id as string}`)).status, 200);
  });

  test("a zone below Enterprise has 15 of them at most", async (t) => {
    const small = await startTestApp(t, engine, { default_plan: "free" });
    const list = `/zones/${await small.createZone("example.com")}/web3/hostnames`;
    for (let index = 0; index < 15; index += 1) {
      const { status } = await small.request("POST", list, {
        body: { name: `gw${index}.example.com`, target: "ethereum" },
      });
      assert.equal(status, 200);
    }
    const refused = await small.request("POST", list, {
      body: { name: "one-more.example.com", target: "ethereum" },
    });
    assert.equal(refused.body.errors[0]?.code, 1006);
    assert.equal((await small.request("GET", list)).body.result.length, 15);
  });
});
