import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { passChallenge } from "../../test/support/challenge.ts";
import { startEdgeApp, startOrigin } from "../../test/support/edge-app.ts";
import { until } from "../../test/support/harness.ts";

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
const expression = fc
  .tuple(condition, fc.constantFrom("and", "or", "xor"), condition, fc.boolean())
  .map(([one, operator, other, isNegated]) => `${isNegated ? "not " : ""}(${one}) ${operator} (${other})`);
const ruleOf = (action: fc.Arbitrary<object>) =>
  fc.array(
    fc
      .tuple(expression, action)
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
  ),
});
const request = fc.record({
  method: fc.constantFrom("GET", "POST", "DELETE"),
  path: fc.constantFrom("/", "/a", "/a/../b.php", "/new/%61", "//c", "/d%2Fe?x=1", "/f?x=1&y", "/g.PHP?"),
  isCleared: fc.boolean(),
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
        for (const { method, path, isCleared, headers } of requests) {
          const cookies = [headers.cookie, isCleared ? clearances.get(headers["user-agent"]) : undefined];
          const cookie = cookies.filter((one) => one !== undefined).join("; ");
          const sent = { ...headers, ...(cookie !== "" && { cookie }) };
          const url = `http://www.example.com${path}`;
          const body = { url, method, headers: sent, context: { skip_challenge: isCleared } };
          const traced = await app.request("POST", `/accounts/${app.owner.accountId}/request-tracer/trace`, {
            body,
          });
          const { status_code: status, origin_request: origin } = traced.body.result;
          const answer = await visit(path, { method, headers: sent });
          assert.equal(answer.status, status ?? 200, JSON.stringify({ url, method, sent }));
          if (status !== undefined) continue;
          assert.equal(`http://www.example.com${answer.echo.url}`, origin.url);
          for (const { name, value } of origin.headers) assert.equal(answer.echo.headers[name], value, name);
        }
      },
    ),
    { numRuns: 6 },
  );
});
