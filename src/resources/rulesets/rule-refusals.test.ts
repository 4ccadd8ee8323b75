import { test } from "node:test";

import { onComparedEngines, startTestApp } from "../../../test/support/harness.ts";
import {
  custom,
  entryPoint,
  finalScoreRuleId,
  managed,
  managedRulesetId,
  owaspRulesetId,
  zoneRulesets,
} from "../../../test/support/ruleset-api.ts";

const unknownId = "0123456789abcdef0123456789abcdef";
const block = { action: "block", expression: "true" };
const execute = (parameters: object) => ({
  action: "execute",
  expression: "true",
  action_parameters: { id: managedRulesetId, ...parameters },
});
const skip = (action_parameters: object) => ({ action: "skip", expression: "true", action_parameters });
const value = 20100;
const unknown = 20101;
const missing = 20102;
const limited = (ratelimit: object) => ({ ...block, ratelimit });
const reservedHeader = 20087;
const answering = (length: number) => ({
  ...block,
  action_parameters: {
    response: { status_code: 429, content: "a".repeat(length), content_type: "text/plain" },
  },
});
/** A rule that changes a header that it may not change so. */
const reserved = (name: string, operation: string) => {
  const change = { operation, ...(operation !== "remove" && { value: "1" }) };
  const rule = { action: "rewrite", expression: "true", action_parameters: { headers: { [name]: change } } };
  return [[rule, `/action_parameters/headers/${name}/operation`, reservedHeader] as const];
};
const routed = (action_parameters: object, pointer: string) =>
  [
    { action: "route", expression: "true", action_parameters },
    `/action_parameters${pointer}`,
    value,
  ] as const;

/** The faults of one rule of an entry point: the pointer is below that rule. */
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
    [answering(2_049), "/action_parameters/response/content", value],
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
    [answering(30_721), "/action_parameters/response/content", value],
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
    ...reserved("server", "remove"),
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
    ...reserved("Host", "set"),
    ...reserved("host", "remove"),
    ...reserved("Accept-Encoding", "remove"),
    ...reserved("CDN-Loop", "remove"),
    ...reserved("Connection", "set"),
    ...reserved("Content-Length", "set"),
    ...reserved("Expect", "set"),
    ...reserved("Transfer-Encoding", "add"),
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

onComparedEngines("refusals of rules", (engine) => {
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

  test("errors are answered in the words of the public API, those of an expression in the words of the language", async (t) => {
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
    const changed = (headers: object) => ({
      rules: [{ action: "rewrite", expression: "true", action_parameters: { headers } }],
    });
    const late = entryPoint("http_request_late_transform");
    await api.refuses("PUT", late, changed({ Host: { operation: "set", value: "a.example" } }), {
      code: 20087,
      message: "'set' is not a valid value for operation because it cannot be used on header 'Host'",
      pointer: "/rules/0/action_parameters/headers/Host/operation",
    });
    await api.refuses("PUT", late, changed({ "CF-A": { operation: "remove" } }), {
      code: 20087,
      message:
        "'remove' is not a valid value for operation because it cannot be used on header beginning with 'cf-'",
      pointer: "/rules/0/action_parameters/headers/CF-A/operation",
    });
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
});
