import assert from "node:assert/strict";
import { before, test } from "node:test";

import { onComparedEngines, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { entryPoint, zoneRulesets, type RulesetApi } from "../../../test/support/ruleset-api.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";

const caching = entryPoint("http_response_cache_settings");
const at = "/rules/0/action_parameters";

onComparedEngines("rules for the cache of responses", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  let zone: RulesetApi;
  before(async () => {
    app = await startTestApp(suite, engine);
    zone = await zoneRulesets(app);
  });

  const control = (action_parameters: object) => ({
    action: "set_cache_control",
    expression: 'any(http.request.headers.values[*] == "application/json")',
    action_parameters,
  });
  const tags = (action_parameters: object) => ({
    action: "set_cache_tags",
    expression: 'http.request.uri.path contains "/content"',
    action_parameters,
  });
  const byHeader = 'split(http.response.headers["cache-tag-ext"][0], ",", 1)';

  test("set and remove directives and tags, and are answered as they were sent", async () => {
    const rules = [
      control({
        "max-age": { operation: "set", value: 3600, cloudflare_only: true },
        "s-maxage": { operation: "remove", cloudflare_only: true },
        "stale-if-error": { operation: "set", value: 0, cloudflare_only: false },
        private: { operation: "set", qualifiers: ["set-cookie"] },
        public: { operation: "remove" },
        "must-revalidate": { operation: "remove" },
        "must-understand": { operation: "set", cloudflare_only: true },
        "no-cache": { operation: "set" },
        "no-store": { operation: "remove" },
        "no-transform": { operation: "set" },
      }),
      control({
        "stale-while-revalidate": { operation: "set", value: 12_345 },
        immutable: { operation: "set" },
        "proxy-revalidate": { operation: "remove" },
      }),
      tags({ operation: "set", values: ["content", "public"] }),
      tags({ operation: "add", expression: byHeader }),
      tags({ operation: "remove", values: ["private", "internal"] }),
    ];
    const { rules: saved } = await zone.result("PUT", caching, { rules });
    assert.deepEqual(
      saved.map(({ action_parameters }: { action_parameters: object }) => action_parameters),
      rules.map(({ action_parameters }) => action_parameters),
    );
    assert.deepEqual((await zone.result("GET", caching)).rules, saved);

    const path = `/accounts/${app.owner.accountId}/request-tracer/trace`;
    const traced = await app.request("POST", path, {
      body: { url: "https://example.com/content", method: "GET" },
    });
    const [phase] = traced.body.result.trace;
    assert.equal(phase.step_name, "http_response_cache_settings");
    const steps: { matched: boolean; action: string; action_parameters: object }[] = phase.trace[0].trace;
    assert.deepEqual(
      steps.map(({ matched, action }) => [matched, action]),
      [
        [false, "set_cache_control"],
        [false, "set_cache_control"],
        [true, "set_cache_tags"],
        [true, "set_cache_tags"],
        [true, "set_cache_tags"],
      ],
    );
    assert.deepEqual(steps.at(-1)?.action_parameters, {
      operation: "remove",
      values: ["private", "internal"],
    });
    assert.equal(traced.body.result.status_code, undefined);
  });

  test("that say nothing, too much or something else are refused, and change nothing", async () => {
    const refused: readonly (readonly [object, number, string])[] = [
      [{ ...control({}), action_parameters: undefined }, 20113, at],
      [control({}), 20100, at],
      [control({ max_age: { operation: "remove" } }), 20101, `${at}/max_age`],
      [control({ "max-age": { operation: "set" } }), 20102, `${at}/max-age/value`],
      [control({ "max-age": { operation: "remove", value: 1 } }), 20100, `${at}/max-age/value`],
      [control({ "max-age": { operation: "set", value: -1 } }), 20100, `${at}/max-age/value`],
      [control({ "max-age": { operation: "add", value: 1 } }), 20100, `${at}/max-age/operation`],
      [control({ public: { operation: "set", value: 1 } }), 20101, `${at}/public/value`],
      [control({ public: { operation: "set", qualifiers: ["a"] } }), 20101, `${at}/public/qualifiers`],
      [control({ private: { operation: "remove", qualifiers: ["a"] } }), 20100, `${at}/private/qualifiers`],
      [control({ private: { operation: "set", qualifiers: ["a b"] } }), 20100, `${at}/private/qualifiers/0`],
      [control({ immutable: {} }), 20102, `${at}/immutable/operation`],
      [tags({ operation: "set" }), 20100, at],
      [tags({ operation: "set", values: ["a"], expression: byHeader }), 20100, at],
      [tags({ operation: "set", values: [] }), 20100, `${at}/values`],
      [tags({ operation: "set", values: ["a b"] }), 20100, `${at}/values/0`],
      [tags({ operation: "set", values: ["a".repeat(1_025)] }), 20100, `${at}/values/0`],
      [tags({ operation: "set", expression: "http.host" }), 20127, `${at}/expression`],
      [tags({ operation: "replace", values: ["a"] }), 20100, `${at}/operation`],
    ];
    for (const [rule, code, pointer] of refused) {
      await zone.refuses("PUT", caching, { rules: [rule] }, { code, pointer });
    }
    const elsewhere = { rules: [tags({ operation: "set", values: ["a"] })] };
    await zone.refuses("PUT", entryPoint("http_request_cache_settings"), elsewhere, {
      code: 20100,
      pointer: "/rules/0/action",
    });
  });

  test("names of a query come as a list, as * for all of them, or in an object, and are answered so", async () => {
    const settings = "http_request_cache_settings";
    const ofQuery = (query_string: object) => ({
      rules: [
        {
          action: "set_cache_settings",
          expression: "true",
          action_parameters: { cache: true, cache_key: { custom_key: { query_string } } },
        },
      ],
    });
    for (const query of [
      { include: ["a", "b"] },
      { exclude: ["utm_source"] },
      { include: "*" },
      { exclude: "*" },
      { include: { list: ["a"] } },
      { exclude: { all: true } },
    ]) {
      const saved = await zone.result("PUT", entryPoint(settings), ofQuery(query));
      assert.deepEqual(saved.rules[0].action_parameters.cache_key.custom_key.query_string, query);
    }
    const kept = await zone.result("GET", entryPoint(settings));
    for (const include of ["a", [], ["a", "a"], [1], { all: false }, {}, 1]) {
      const { status } = await zone.send("PUT", entryPoint(settings), ofQuery({ include }));
      assert.equal(status, 400, JSON.stringify(include));
    }
    assert.deepEqual(await zone.result("GET", entryPoint(settings)), kept);
  });
});
