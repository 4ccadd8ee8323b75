import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import { startTestApp, type TestApp } from "./support/harness.ts";
import { suiteContext } from "./support/suite-context.ts";

describe("answers about what is stored, not in force here", () => {
  const suite = suiteContext();
  let app: TestApp;
  let zone: string;
  before(async () => {
    app = await startTestApp(suite, "sqlite");
    zone = `/zones/${await app.createZone("example.com")}`;
  });

  /** The messages of an answer, as `code: text`. */
  async function told(method: string, path: string, body?: object): Promise<string[]> {
    const answer = await app.request(method, `${zone}${path}`, body === undefined ? {} : { body });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.messages.map(({ code, message }) => `${code}: ${message}`);
  }

  test("say so of a setting that is changed, and of one that was when it is read", async () => {
    const polish = "1016: polish is stored, not in force here: the edge does not change images";
    const rocket = "1016: rocket_loader is stored, not in force here: the edge does not change pages";
    assert.deepEqual(await told("GET", "/settings/polish"), []);
    assert.deepEqual(await told("GET", "/settings"), []);
    assert.deepEqual(await told("PATCH", "/settings/polish", { value: "lossy" }), [polish]);
    assert.deepEqual(await told("GET", "/settings/polish"), [polish]);
    assert.deepEqual(await told("PATCH", "/settings/brotli", { value: "on" }), []);
    assert.deepEqual(await told("PATCH", "/settings/ipv6", { value: "on" }), []);
    assert.deepEqual(await told("GET", "/settings/brotli"), []);
    const items = [
      { id: "rocket_loader", value: "on" },
      { id: "websockets", value: "off" },
    ];
    assert.deepEqual(await told("PATCH", "/settings", { items }), [rocket]);
    assert.deepEqual(await told("GET", "/settings"), [polish, rocket]);
  });

  test("say so of the actions of a page rule", async () => {
    const targets = [{ target: "url", constraint: { operator: "matches", value: "example.com/*" } }];
    const actions = [
      { id: "cache_level", value: "bypass" },
      { id: "ssl", value: "full" },
    ];
    const cache = "1407: cache_level is stored, not in force here: there is no cache";
    const made = await app.request("POST", `${zone}/pagerules`, { body: { targets, actions } });
    assert.deepEqual(await told("GET", `/pagerules/${made.body.result.id}`), [cache]);
    assert.deepEqual(await told("PUT", `/pagerules/${made.body.result.id}`, { targets, actions }), [cache]);
    assert.deepEqual(await told("POST", "/pagerules", { targets, actions: actions.slice(1) }), []);
  });

  test("say so of the phase of rules, or else of their actions, parameters and managed rulesets, each once", async () => {
    const entryPoint = (phase: string, rules: readonly object[]) =>
      told("PUT", `/rulesets/phases/${phase}/entrypoint`, { rules });
    const cache = { action: "set_cache_settings", expression: "true", action_parameters: { cache: true } };
    const phase =
      "20313: http_request_cache_settings is stored, not in force here: there is no cache; traces show what the rules would set";
    assert.deepEqual(await entryPoint("http_request_cache_settings", [cache, cache]), [phase]);
    assert.deepEqual(await told("GET", "/rulesets/phases/http_request_cache_settings/entrypoint"), [phase]);
    const configure = (action_parameters: object) => ({
      action: "set_config",
      expression: "true",
      action_parameters,
    });
    const fonts = "20313: fonts is stored, not in force here: the edge does not change pages";
    const rules = [configure({ ssl: "full", fonts: true }), configure({ fonts: false })];
    assert.deepEqual(await entryPoint("http_config_settings", rules), [fonts]);
    assert.deepEqual(await entryPoint("http_config_settings", [configure({ ssl: "full" })]), []);
    const block = { action: "block", expression: "true" };
    assert.deepEqual(await entryPoint("http_request_firewall_custom", [block]), []);
  });
});
