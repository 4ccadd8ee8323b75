import assert from "node:assert/strict";
import { test } from "node:test";

import { onEachEngine, startTestApp } from "../../../test/support/harness.ts";
import {
  accountRulesets,
  custom,
  entryPoint,
  finalScoreRuleId,
  managed,
  managedRulesetId,
  owaspRulesetId,
  zoneRulesets,
  type Refusal,
} from "../../../test/support/ruleset-api.ts";

const unknownId = "0123456789abcdef0123456789abcdef";
const block = { action: "block", expression: "true" };
const execute = (parameters: object) => ({
  action: "execute",
  expression: "true",
  action_parameters: { id: managedRulesetId, ...parameters },
});
const skip = (action_parameters: object) => ({ action: "skip", expression: "true", action_parameters });
const limited = (ratelimit: object) => ({ ...block, ratelimit });
/** A rule that changes a header that it may not change so. */
const reserved = (name: string, operation: string) => {
  const change = { operation, ...(operation !== "remove" && { value: "1" }) };
  const rule = { action: "rewrite", expression: "true", action_parameters: { headers: { [name]: change } } };
  return [[rule, `/action_parameters/headers/${name}/operation`, value] as const];
};
const routed = (action_parameters: object, pointer: string) =>
  [
    { action: "route", expression: "true", action_parameters },
    `/action_parameters${pointer}`,
    value,
  ] as const;
const value = 20100;
const unknown = 20101;
const missing = 20102;

/** What is wrong with one rule of an entry point: the pointer is below that rule. */
const rulesOf: Readonly<
  Record<string, readonly (readonly [rule: unknown, pointer: string, code: number])[]>
> = {
  http_request_firewall_custom: [
    ["block", "", value],
    [{ action: "block" }, "/expression", missing],
    [{ expression: "true" }, "/action", missing],
    [{ ...block, action: "erase" }, "/action", value],
    [{ ...block, action: "redirect" }, "/action", value],
    [{ ...block, expression: "" }, "/expression", value],
    [{ ...block, expression: 7 }, "/expression", value],
    [{ ...block, expression: "http.nothing eq 1" }, "/expression", 20127],
    [{ ...block, expression: "http.host" }, "/expression", 20127],
    [{ ...block, expression: `http.host eq "${"x".repeat(4096)}"` }, "/expression", 20127],
    [{ ...block, expression: "http.response.code eq 200" }, "/expression", 20127],
    [{ ...block, expression: 'http.host matches "("' }, "/expression", 20127],
    [{ ...block, expression: 'http.host eq "\u0000"' }, "/expression", value],
    [{ ...block, expresion: "true" }, "/expresion", unknown],
    [{ ...block, id: "x" }, "/id", value],
    [{ ...block, id: unknownId }, "/id", value],
    [{ ...block, enabled: "yes" }, "/enabled", value],
    [{ ...block, description: "x".repeat(501) }, "/description", value],
    [{ ...block, logging: { enabled: true } }, "/logging", 20018],
    [{ ...block, action_parameters: { bic: true } }, "/action_parameters/bic", unknown],
    [{ ...block, action_parameters: { response: {} } }, "/action_parameters/response/status_code", missing],
    [
      {
        ...block,
        action_parameters: { response: { status_code: 500, content: "no", content_type: "text/plain" } },
      },
      "/action_parameters/response/status_code",
      value,
    ],
    [{ ...block, action: "log", action_parameters: { id: "x" } }, "/action_parameters/id", unknown],
    [{ action: "skip", expression: "true" }, "/action_parameters", 20113],
    [skip({}), "/action_parameters", value],
    [skip({ ruleset: "other" }), "/action_parameters/ruleset", value],
    [skip({ phases: ["http_request_transform"] }), "/action_parameters/phases/0", value],
    [skip({ products: ["waf", "waf"] }), "/action_parameters/products/1", 20130],
    [skip({ rulesets: [managedRulesetId] }), "/action_parameters/rulesets", value],
    [
      { ...block, exposed_credential_check: { username_expression: "http.host" } },
      "/exposed_credential_check/password_expression",
      missing,
    ],
    [limited({ characteristics: ["ip.src"], period: 60, requests_per_period: 1 }), "/ratelimit", value],
  ],
  http_request_firewall_managed: [
    [{ action: "execute", expression: "true" }, "/action_parameters", 20113],
    [execute({ id: unknownId }), "/action_parameters/id", value],
    [execute({ id: "x" }), "/action_parameters/id", value],
    [execute({ id: "4d21379b4f9f4bb088e0729962c8b3cf" }), "/action_parameters/id", value],
    [execute({ version: "newest" }), "/action_parameters/version", value],
    [execute({ version: "3" }), "/action_parameters/version", value],
    [execute({ overrides: {} }), "/action_parameters/overrides", value],
    [execute({ overrides: { action: "skip" } }), "/action_parameters/overrides/action", value],
    [
      execute({ overrides: { categories: [{ category: "none", enabled: true }] } }),
      "/action_parameters/overrides/categories/0/category",
      value,
    ],
    [
      execute({ overrides: { categories: [{ category: "wordpress" }] } }),
      "/action_parameters/overrides/categories/0",
      value,
    ],
    [
      execute({ overrides: { rules: [{ id: finalScoreRuleId, action: "log" }] } }),
      "/action_parameters/overrides/rules/0/id",
      value,
    ],
    [
      execute({ overrides: { rules: [{ id: "23ee7cebe6e8443e99ecf932ab579455", score_threshold: 25 }] } }),
      "/action_parameters/overrides/rules/0/score_threshold",
      value,
    ],
    [skip({ phases: ["http_ratelimit"] }), "/action_parameters", value],
    [skip({ ruleset: "current", rulesets: [managedRulesetId] }), "/action_parameters", value],
    [skip({ rulesets: [unknownId] }), "/action_parameters/rulesets/0", value],
    [
      skip({ rules: { [owaspRulesetId]: [unknownId] } }),
      `/action_parameters/rules/${owaspRulesetId}/0`,
      value,
    ],
    [skip({ rules: { "a/b": [unknownId] } }), "/action_parameters/rules/a~1b", value],
  ],
  http_ratelimit: [
    [block, "/ratelimit", missing],
    [limited({ period: 60, requests_per_period: 10 }), "/ratelimit/characteristics", missing],
    [limited({ characteristics: ["ip.src"], period: 60 }), "/ratelimit", value],
    [
      limited({ characteristics: ["ip.sorc"], period: 60, requests_per_period: 10 }),
      "/ratelimit/characteristics/0",
      20127,
    ],
    [
      limited({ characteristics: ["ip.src"], period: 1, requests_per_period: 10 }),
      "/ratelimit/period",
      value,
    ],
    [
      limited({
        characteristics: ["ip.src"],
        period: 60,
        requests_per_period: 10,
        counting_expression: "ip.src",
      }),
      "/ratelimit/counting_expression",
      20127,
    ],
  ],
  http_request_transform: [
    [
      {
        action: "rewrite",
        expression: "true",
        action_parameters: { uri: { path: { expression: "concat(" } } },
      },
      "/action_parameters/uri/path/expression",
      20127,
    ],
    [
      {
        action: "rewrite",
        expression: "true",
        action_parameters: { uri: { path: { expression: "http.request.headers" } } },
      },
      "/action_parameters/uri/path/expression",
      20127,
    ],
    [
      {
        action: "rewrite",
        expression: "true",
        action_parameters: { uri: { query: { expression: "ip.src" } } },
      },
      "/action_parameters/uri/query/expression",
      20127,
    ],
    [
      { action: "rewrite", expression: "true", action_parameters: { uri: { path: {} } } },
      "/action_parameters/uri/path",
      value,
    ],
    [
      {
        action: "rewrite",
        expression: "true",
        action_parameters: { headers: { "x-a": { operation: "remove", value: "1" } } },
      },
      "/action_parameters/headers/x-a",
      value,
    ],
    [
      {
        action: "rewrite",
        expression: "true",
        action_parameters: { headers: { "x a": { operation: "set", value: "1" } } },
      },
      "/action_parameters/headers/x a",
      value,
    ],
  ],
  http_request_origin: [
    ...[
      "a b",
      "a\r\nX-Other: b",
      "https://example.com",
      "example.com:port",
      "ex\u00e4mple.com",
      ".",
      "a..b",
    ].map((host_header) => routed({ host_header }, "/host_header")),
    routed({ origin: { host: "example.com:80" } }, "/origin/host"),
    routed({ origin: { host: "a/b" } }, "/origin/host"),
    routed({ sni: { value: "example.com " } }, "/sni/value"),
  ],
  http_response_headers_transform: [
    ...reserved("CF-Ray", "remove"),
    ...reserved("x-cf-a", "add"),
    ...reserved("cf-connecting-ip", "remove"),
    ...reserved("Server", "set"),
  ],
  http_request_late_transform: [
    ...reserved("cf-anything", "remove"),
    ...reserved("X-CF-Anything", "set"),
    ...reserved("CF-Connecting-IP", "set"),
    ...reserved("X-Forwarded-For", "set"),
    ...reserved("true-client-ip", "add"),
    ...reserved("x-real-ip", "set"),
    ...reserved("x-forwarded-proto", "set"),
    ...reserved("Cookie", "set"),
    [
      {
        action: "rewrite",
        expression: "true",
        action_parameters: { headers: { "x-a": { operation: "set", expression: "http.request.headers" } } },
      },
      "/action_parameters/headers/x-a/expression",
      20127,
    ],
    [
      {
        action: "rewrite",
        expression: "true",
        action_parameters: {
          headers: { "x-a": { operation: "set", expression: "lower(http.request.headers.names[*])" } },
        },
      },
      "/action_parameters/headers/x-a/expression",
      20127,
    ],
  ],
  http_config_settings: [
    [{ action: "set_config", expression: "true" }, "/action_parameters", 20113],
    [
      { action: "set_config", expression: "true", action_parameters: { polish: "no" } },
      "/action_parameters/polish",
      value,
    ],
  ],
};

onEachEngine("refusals of the Rulesets API", (engine) => {
  test("every error in a rule is refused with a pointer to it, and no ruleset changes by a byte", async (t) => {
    const app = await startTestApp(t, engine);
    const api = await zoneRulesets(app);
    const { id, rules } = await api.result("PUT", custom, { rules: [block] });
    await api.result("PUT", managed, { rules: [execute({})] });
    for (const [phase, issues] of Object.entries(rulesOf)) {
      for (const [rule, pointer, code] of issues) {
        await api.refuses(
          "PUT",
          entryPoint(phase),
          { rules: [rule] },
          {
            code,
            pointer: `/rules/0${pointer}`,
          },
        );
        if (phase !== "http_request_firewall_custom" || typeof rule !== "object") continue;
        await api.refuses("POST", `/${id}/rules`, rule, { code, pointer });
        await api.refuses("PATCH", `/${id}/rules/${rules[0].id}`, rule, { code, pointer });
      }
    }
  });

  test("an error in an expression is answered in the words of the language, after the expression", async (t) => {
    const app = await startTestApp(t, engine);
    const api = await zoneRulesets(app);
    await api.refuses(
      "PUT",
      custom,
      { rules: [block, { ...block, expression: "ip.src eq 1.2.3" }] },
      {
        code: 20127,
        message:
          /^'ip\.src eq 1\.2\.3' is not a valid value for expression because could not parse filter expression: Filter parsing error \(1:11\):\nip\.src eq 1\.2\.3\n {10}\^+ /,
        pointer: "/rules/1/expression",
      },
    );
    await api.refuses(
      "PUT",
      entryPoint("http_config_settings"),
      {
        rules: [{ action: "set_config", expression: "true" }],
      },
      {
        code: 20113,
        message: "action parameters are required for the set_config action",
        pointer: "/rules/0/action_parameters",
      },
    );
  });

  test("rulesets of a wrong kind, phase or form are refused, and so are ids, references and positions", async (t) => {
    const app = await startTestApp(t, engine);
    const api = await zoneRulesets(app);
    const { id, rules } = await api.result("PUT", custom, { rules: [block, { ...block, ref: "b" }] });
    const ruleset = { name: "n", kind: "zone", phase: "http_ratelimit" };
    const refusals: readonly (readonly [string, string, unknown, Refusal])[] = [
      [
        "POST",
        "",
        { ...ruleset, kind: "managed" },
        {
          code: value,
          message:
            "'' is not a valid value for ShareableEntitlementName because required for managed rulesets",
          pointer: "/kind",
        },
      ],
      ["POST", "", { ...ruleset, kind: "root" }, { code: value, pointer: "/kind" }],
      ["POST", "", { ...ruleset, kind: "other" }, { code: value, pointer: "/kind" }],
      ["POST", "", { ...ruleset, phase: "never" }, { code: value, pointer: "/phase" }],
      ["POST", "", { ...ruleset, phase: "magic_transit" }, { code: value, pointer: "/phase" }],
      ["POST", "", { ...ruleset, name: "" }, { code: value, pointer: "/name" }],
      ["POST", "", { kind: "zone", phase: "ddos_l7" }, { code: missing, pointer: "/name" }],
      ["POST", "", { ...ruleset, rules: {} }, { code: value, pointer: "/rules" }],
      ["POST", "", { ...ruleset, ruels: [] }, { code: unknown, pointer: "/ruels" }],
      ["PUT", `/${id}`, { kind: "custom" }, { code: value, pointer: "/kind" }],
      ["PUT", `/${id}`, { phase: "ddos_l7" }, { code: value, pointer: "/phase" }],
      ["PUT", custom, { description: 1 }, { code: value, pointer: "/description" }],
      ["PUT", custom, { rules: [rules[0], rules[0]] }, { code: 20130, pointer: "/rules/1/id" }],
      [
        "PUT",
        custom,
        {
          rules: [
            { ...block, ref: "x" },
            { ...block, ref: "x" },
          ],
        },
        {
          code: 20130,
          pointer: "/rules/1/ref",
        },
      ],
      ["POST", `/${id}/rules`, { ...block, ref: "b" }, { code: 20130, pointer: "/ref" }],
      ["POST", `/${id}/rules`, { ...block, id: rules[0].id }, { code: value, pointer: "/id" }],
      ["PATCH", `/${id}/rules/${rules[0].id}`, { ...block, ref: "b" }, { code: 20130, pointer: "/ref" }],
      [
        "PATCH",
        `/${id}/rules/${rules[0].id}`,
        { ...block, id: rules[1].id },
        {
          code: value,
          pointer: "/id",
        },
      ],
      ["PATCH", `/${id}/rules/${rules[0].id}`, { enabled: false }, { code: missing, pointer: "/action" }],
      ["PATCH", `/${id}/rules/${unknownId}`, block, { status: 404, code: 20302 }],
      ["PATCH", `/${unknownId}/rules/${rules[0].id}`, block, { status: 404, code: 20300 }],
      ["PATCH", `/${id}/rules/x`, block, { status: 404, code: 7003 }],
      ["PUT", entryPoint("never"), { rules: [] }, { code: value, pointer: "/phase" }],
      ["GET", entryPoint("magic_transit"), undefined, { code: value, pointer: "/phase" }],
      ["GET", `/${id}/versions/x`, undefined, { status: 404, code: 7003 }],
      [
        "PUT",
        `${custom}?waf_migration=pending&phase_two=1`,
        { rules: [] },
        {
          code: 20320,
          pointer: "/waf_migration",
        },
      ],
      [
        "PUT",
        `${managed}?waf_migration=perhaps`,
        { rules: [] },
        {
          code: 1003,
          message: /pending, 1, validation, 2/,
          pointer: "/waf_migration",
        },
      ],
    ];
    for (const [method, path, body, refusal] of refusals)
      await t.test(
        JSON.stringify([method, path, body]).slice(0, 100),
        async () => await api.refuses(method, path, body, refusal),
      );
    const positions: readonly (readonly [unknown, string])[] = [
      ["first", "/position"],
      [{}, "/position"],
      [{ before: "", after: "" }, "/position"],
      [{ before: unknownId }, "/position/before"],
      [{ after: rules[0].id }, "/position/after"],
      [{ index: 0 }, "/position/index"],
      [{ index: 3 }, "/position/index"],
      [{ behind: "" }, "/position/behind"],
    ];
    for (const [position, pointer] of positions) {
      const code = pointer.endsWith("behind") ? unknown : value;
      await api.refuses("PATCH", `/${id}/rules/${rules[0].id}`, { position }, { code, pointer });
    }
  });

  test("what an account may not do is refused, and so is what the plan of a zone does not have", async (t) => {
    const app = await startTestApp(t, engine);
    const account = accountRulesets(app);
    const pointer = "/rules/0/expression";
    const conditions = ["true", 'not cf.zone.plan eq "ENT"', 'ssl or cf.zone.plan eq "ENT"'];
    for (const expression of conditions) {
      const rules = [{ ...execute({}), expression }];
      await account.refuses("PUT", managed, { rules }, { code: value, pointer });
    }
    const rule = skip({ ruleset: "current" });
    await account.refuses("PUT", custom, { rules: [rule] }, { code: 20016, pointer: "/rules/0/action" });
    await account.refuses(
      "POST",
      "",
      { name: "n", kind: "zone", phase: "ddos_l7" },
      {
        code: value,
        pointer: "/kind",
      },
    );

    const zone = await zoneRulesets(app);
    const regex = { rules: [{ ...block, expression: 'http.host matches "x"' }] };
    await zone.result("PUT", custom, regex);
    const change = await app.request("PATCH", `/zones/${zone.zoneId}`, { body: { plan: { id: "pro" } } });
    assert.equal(change.status, 200);
    await zone.refuses("PUT", custom, regex, { code: 20127, message: /not entitled/, pointer });
  });

  test("a ruleset holds so many rules and no more", async (t) => {
    const app = await startTestApp(t, engine);
    const api = await zoneRulesets(app);
    const rules = Array.from({ length: 1000 }, () => block);
    const { id } = await api.result("PUT", custom, { rules });
    await api.refuses("PUT", custom, { rules: [...rules, block] }, { code: 20131, pointer: "/rules" });
    await api.refuses("POST", `/${id}/rules`, block, { code: 20131, pointer: "" });
  });
});
