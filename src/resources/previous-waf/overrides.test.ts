import assert from "node:assert/strict";
import { before, test } from "node:test";

import { onComparedEngines, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";

onComparedEngines("URI-based WAF overrides", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  let path: string;
  before(async () => {
    app = await startTestApp(suite, engine);
    path = `/zones/${await app.createZone("example.com")}/firewall/waf/overrides`;
  });

  test("are created, got, replaced, listed and deleted in the form of the public API", async () => {
    const sent = {
      urls: ["shop.example.com/*", "*"],
      groups: { ea8687e59929c1fd05ba97574ad43f77: "default" },
      rules: { "100015": "disable" },
      rewrite_action: { default: "simulate" },
    };
    const made = await app.request("POST", path, { body: sent });
    assert.equal(made.status, 200, made.text);
    const { id } = made.body.result;
    assert.deepEqual(made.body.result, {
      id,
      paused: false,
      urls: sent.urls,
      priority: 0,
      groups: sent.groups,
      rules: sent.rules,
      rewrite_action: sent.rewrite_action,
      description: null,
    });
    assert.deepEqual((await app.request("GET", `${path}/${id}`)).body.result, made.body.result);
    const replaced = await app.request("PUT", `${path}/${id}`, {
      body: { id, urls: ["example.com/"], rules: {}, rewrite_action: {}, priority: -5, description: "one" },
    });
    assert.deepEqual(replaced.body.result, {
      id,
      paused: false,
      urls: ["example.com/"],
      priority: -5,
      groups: {},
      rules: {},
      rewrite_action: {},
      description: "one",
    });
    assert.deepEqual((await app.request("GET", path)).body.result, [replaced.body.result]);
    assert.deepEqual((await app.request("DELETE", `${path}/${id}`)).body.result, { id });
    assert.equal((await app.request("GET", `${path}/${id}`)).status, 404);
    assert.equal((await app.request("DELETE", `${path}/${id}`)).status, 404);
  });

  test("with errors are refused where they are, and nothing is stored", async (t) => {
    const refused: readonly (readonly [object, string])[] = [
      [{}, "/urls"],
      [{ urls: [] }, "/urls"],
      [{ urls: ["example.org/*"] }, "/urls/0"],
      [{ urls: ["example.com/*"], groups: { nobody: "block" } }, "/groups/nobody"],
      [{ urls: ["example.com/*"], rules: { "1": "block" } }, "/rules/1"],
      [{ urls: ["example.com/*"], rules: { "100015": "on" } }, "/rules/100015"],
      [{ urls: ["example.com/*"], rewrite_action: { on: "block" } }, "/rewrite_action/on"],
      [{ urls: ["example.com/*"], priority: 1_000_000_001 }, "/priority"],
    ];
    for (const [body, pointer] of refused)
      await t.test(`${pointer} of ${JSON.stringify(body).slice(0, 80)}`, async () => {
        const answer = await app.request("POST", path, { body });
        assert.equal(answer.status, 400, JSON.stringify(body));
        assert.equal(answer.body.errors[0]?.source?.pointer, pointer, answer.text);
      });
    assert.deepEqual((await app.request("GET", path)).body.result, []);
  });
});
