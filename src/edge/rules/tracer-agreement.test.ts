import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { passChallenge } from "../../../test/support/challenge.ts";
import { writeRelease } from "../../../test/support/core-rules.ts";
import { startEdgeApp, startOrigin } from "../../../test/support/edge-app.ts";
import { until } from "../../../test/support/harness.ts";
import { finalScoreRuleId, owaspRulesetId } from "../../../test/support/ruleset-api.ts";

const condition = fc.constantFrom(
  'http.request.uri.path contains "a"',
  'http.request.uri.query contains "x=1"',
  'http.request.method eq "POST"',
  'http.user_agent contains "bot"',
  'any(http.request.headers["x-kind"][*] eq "odd")',
  'http.cookie contains "seen"',
  'starts_with(http.request.uri.path, "/new")',
  'http.request.uri.path.extension eq "php"',
  "not ssl",
  'ip.src eq 192.0.2.1 or http.host eq "www.example.com"',
);
const ofBody = fc.constantFrom('http.request.body.raw contains "evil"', "http.request.body.size gt 4");
const expressionOf = (parts: fc.Arbitrary<string>) =>
  fc
    .tuple(parts, fc.constantFrom("and", "or", "xor"), parts, fc.boolean())
    .map(([one, operator, other, isNegated]) => `${isNegated ? "not " : ""}(${one}) ${operator} (${other})`);
const ruleOf = (action: fc.Arbitrary<object>, parts: fc.Arbitrary<string> = condition) =>
  fc.array(
    fc
      .tuple(expressionOf(parts), action)
      .map(([chosen, rest]) =>
        Object.assign({ expression: `(${chosen}) and http.request.uri.path ne "/ready"` }, rest),
      ),
    { maxLength: 3 },
  );
const rulesets = fc.record({
  http_request_dynamic_redirect: ruleOf(
    fc.constant({
      action: "redirect",
      action_parameters: { from_value: { status_code: 307, target_url: { value: "/elsewhere" } } },
    }),
  ),
  http_request_transform: ruleOf(
    fc.constantFrom(
      {
        action: "rewrite",
        action_parameters: { uri: { path: { expression: 'concat("/new", http.request.uri.path)' } } },
      },
      { action: "rewrite", action_parameters: { uri: { query: { value: "x=1" } } } },
    ),
  ),
  http_request_firewall_custom: ruleOf(
    fc.constantFrom(
      { action: "block" },
      {
        action: "block",
        action_parameters: { response: { status_code: 418, content: "no", content_type: "text/plain" } },
      },
      { action: "js_challenge" },
      { action: "managed_challenge" },
      { action: "log" },
      { action: "skip", action_parameters: { ruleset: "current" } },
    ),
    fc.oneof(condition, ofBody),
  ),
});
const request = fc.record({
  method: fc.constantFrom("GET", "POST", "DELETE"),
  path: fc.constantFrom("/", "/a", "/a/../b.php", "/new/%61", "//c", "/d%2Fe?x=1", "/f?x=1&y", "/g.PHP?"),
  isCleared: fc.boolean(),
  body: fc.constantFrom("", "good", "evils"),
  /** Whether the visitor is judged as far as possible before its body is read. */
  expectsContinue: fc.boolean(),
  headers: fc.record(
    {
      "user-agent": fc.constantFrom("a bot", "a browser"),
      "x-kind": fc.constantFrom("odd", "even"),
      cookie: fc.constantFrom("seen=1", "other=2"),
    },
    { requiredKeys: [] },
  ),
});

test("what the request tracer says is what the edge does", async (t) => {
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t));
  const { app, visit, rules } = edge;
  await rules("http_request_firewall_custom", [{ action: "challenge", expression: "true" }]);
  await edge.untilStatus("/", 403);
  await edge.change("POST", "/pagerules", {
    targets: [{ target: "url", constraint: { operator: "matches", value: "www.example.com/d*" } }],
    actions: [{ id: "forwarding_url", value: { url: "https://www.example.org/$1", status_code: 302 } }],
    status: "active",
  });
  const clearances = new Map<string | undefined, string>();
  for (const agent of [undefined, "a bot", "a browser"]) {
    const headers = agent === undefined ? {} : { "user-agent": agent };
    clearances.set(agent, await passChallenge(edge, "/", { headers }));
  }
  let round = 0;
  await fc.assert(
    fc.asyncProperty(
      rulesets,
      fc.array(request, { minLength: 8, maxLength: 8 }),
      async (phases, requests) => {
        round += 1;
        const marker = String(round);
        for (const [phase, its] of Object.entries(phases)) await rules(phase, its);
        const action_parameters = { headers: { "x-round": { operation: "set", value: marker } } };
        await rules("http_request_late_transform", [
          { action: "rewrite", expression: "true", action_parameters },
        ]);
        await until(
          "the rules are in force",
          async () => (await visit("/ready")).echo.headers["x-round"] === marker,
        );
        for (const { method, path, isCleared, headers, expectsContinue, ...sends } of requests) {
          const cookies = [headers.cookie, isCleared ? clearances.get(headers["user-agent"]) : undefined];
          const cookie = cookies.filter((one) => one !== undefined).join("; ");
          const body = method === "POST" ? sends.body : "";
          const sent = {
            ...headers,
            ...(cookie !== "" && { cookie }),
            ...(body !== "" && { "content-type": "text/plain" }),
          };
          const url = `http://www.example.com${path}`;
          const traced = await app.request("POST", `/accounts/${app.owner.accountId}/request-tracer/trace`, {
            body: {
              url,
              method,
              headers: sent,
              context: { skip_challenge: isCleared },
              ...(body !== "" && { body: { plain_text: body } }),
            },
          });
          const { status_code: status, origin_request: origin } = traced.body.result;
          const expected = expectsContinue && body !== "" ? { expect: "100-continue" } : {};
          const answer = await visit(path, { method, headers: { ...sent, ...expected }, body });
          assert.equal(answer.status, status ?? 200, JSON.stringify({ url, method, sent, body, expected }));
          if (status !== undefined) continue;
          assert.equal(`http://www.example.com${answer.echo.url}`, origin.url);
          assert.equal(answer.echo.body, body);
          for (const { name, value } of origin.headers) assert.equal(answer.echo.headers[name], value, name);
        }
      },
    ),
    { numRuns: 6 },
  );
});

const overridesOf = fc.record(
  {
    categories: fc.uniqueArray(
      fc.record({
        category: fc.constantFrom("paranoia-level-1", "paranoia-level-2", "sqli"),
        enabled: fc.boolean(),
      }),
      { minLength: 1, maxLength: 2, selector: ({ category }) => category },
    ),
    rules: fc
      .record({
        score_threshold: fc.constantFrom(3, 5, 6, 8, 11),
        action: fc.constantFrom("block", "js_challenge", "log"),
      })
      .map((acting) => [{ id: finalScoreRuleId, ...acting }]),
  },
  { requiredKeys: ["rules"] },
);
const attack = fc.record({
  method: fc.constantFrom("GET", "POST", "PUT", "DELETE"),
  path: fc.constantFrom(
    "/a/../b",
    "/search?q=1%27+or+%271%27%3d%271",
    "/?q=evil&r=EVIL",
    "/?q=%2565vil",
    "/?q=it's",
    "//x",
  ),
  headers: fc.record(
    {
      cookie: fc.constantFrom("a=1", "a=1' or '1'='1; b=2"),
      "content-type": fc.constant("application/x-www-form-urlencoded"),
    },
    { requiredKeys: ["content-type"] },
  ),
  form: fc.constantFrom("", "p=evil", "p=1' or '1'='1", `x=${"y".repeat(9_000)}&p=evil`),
});

test("what the request tracer says of the Core Rule Set is what the edge does", async (t) => {
  const settings = { crs: writeRelease(t), new_zone_waf: "new" } as const;
  const { app, visit, rules } = await startEdgeApp(t, "sqlite", await startOrigin(t), settings);
  const answers = new Set<number>();
  let round = 0;
  await fc.assert(
    fc.asyncProperty(
      overridesOf,
      fc.boolean(),
      fc.array(attack, { minLength: 8, maxLength: 8 }),
      async (overrides, isSearchSkipped, requests) => {
        round += 1;
        const marker = `/round/${round}`;
        const skip = {
          action: "skip",
          expression: 'starts_with(http.request.uri.path, "/search")',
          action_parameters: { rulesets: [owaspRulesetId] },
        };
        await rules("http_request_firewall_managed", [
          ...(isSearchSkipped ? [skip] : []),
          { action: "execute", expression: "true", action_parameters: { id: owaspRulesetId, overrides } },
        ]);
        const response = { status_code: 418, content: "no", content_type: "text/plain" };
        await rules("http_request_firewall_custom", [
          {
            action: "block",
            expression: `http.request.uri.path eq "${marker}"`,
            action_parameters: { response },
          },
        ]);
        await until("the rules are in force", async () => (await visit(marker)).status === 418);
        for (const { method, path, headers, form } of requests) {
          const body = method === "POST" || method === "PUT" ? form : "";
          const traced = await app.request("POST", `/accounts/${app.owner.accountId}/request-tracer/trace`, {
            body: {
              url: `http://www.example.com${path}`,
              method,
              headers,
              ...(body !== "" && { body: { plain_text: body } }),
            },
          });
          const answer = await visit(path, { method, headers, ...(body !== "" && { body }) });
          const expected = traced.body.result.status_code ?? 200;
          answers.add(expected);
          assert.equal(answer.status, expected, JSON.stringify({ method, path, headers, body, overrides }));
        }
      },
    ),
    { numRuns: 10 },
  );
  assert.deepEqual(answers, new Set([200, 403]));
});
