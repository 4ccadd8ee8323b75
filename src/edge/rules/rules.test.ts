import assert from "node:assert/strict";
import { test } from "node:test";

import { startEdgeApp, startOrigin, echo } from "../../../test/support/edge-app.ts";
import { onComparedEngines, until } from "../../../test/support/harness.ts";

const isAt = (path: string) => `http.request.uri.path eq "${path}"`;

test("each action shows visitors what it says", async (t) => {
  const port = await startOrigin(t, (request, response) => {
    if (request.url === "/broken") response.writeHead(503, { "x-origin": "a" }).end("origin's own page");
    else echo(request, response);
  });
  const { rules, visit, untilStatus } = await startEdgeApp(t, "sqlite", port);
  await rules("http_request_dynamic_redirect", [
    {
      action: "redirect",
      expression: isAt("/old"),
      action_parameters: {
        from_value: {
          status_code: 308,
          target_url: { expression: 'concat("https://www.example.com/new", http.request.uri.path)' },
          preserve_query_string: true,
        },
      },
    },
  ]);
  await rules("http_request_transform", [
    { action: "rewrite", expression: isAt("/from"), action_parameters: { uri: { path: { value: "/to" } } } },
  ]);
  await rules("http_request_late_transform", [
    {
      action: "rewrite",
      expression: isAt("/to"),
      action_parameters: {
        headers: { "X-Set": { operation: "set", value: "by a rule" }, "X-Gone": { operation: "remove" } },
      },
    },
  ]);
  await rules("http_request_firewall_custom", [
    {
      action: "block",
      expression: isAt("/teapot"),
      action_parameters: { response: { status_code: 418, content_type: "text/plain", content: "a teapot" } },
    },
    { action: "managed_challenge", expression: isAt("/prove") },
    { action: "skip", expression: isAt("/skipped"), action_parameters: { ruleset: "current" } },
    { action: "block", expression: `${isAt("/skipped")} or ${isAt("/blocked")}` },
    { action: "block", expression: 'http.request.body.raw contains "secret"' },
  ]);
  await rules("http_ratelimit", [
    {
      action: "block",
      expression: isAt("/limited"),
      ratelimit: {
        characteristics: ["ip.src", "cf.colo.id"],
        period: 60,
        requests_per_period: 2,
        mitigation_timeout: 60,
      },
    },
  ]);
  await rules("http_custom_errors", [
    {
      action: "serve_error",
      expression: "http.response.code eq 503",
      action_parameters: { content: "we are back soon", content_type: "text/plain", status_code: 502 },
    },
  ]);
  await rules("http_response_headers_transform", [
    {
      action: "rewrite",
      expression: isAt("/to"),
      action_parameters: {
        headers: { "X-Answer": { operation: "set", expression: "to_string(http.response.code)" } },
      },
    },
  ]);
  const errors = await untilStatus("/broken", 502);
  assert.deepEqual([errors.text, errors.headers["x-origin"]], ["we are back soon", "a"]);

  const redirect = await visit("/old?a=b");
  assert.deepEqual(
    [redirect.status, redirect.headers.location],
    [308, "https://www.example.com/new/old?a=b"],
  );
  const rewritten = await visit("/from?q", { headers: { "x-gone": "c" } });
  const { url, headers } = rewritten.echo;
  assert.deepEqual([url, headers["x-set"], headers["x-gone"]], ["/to?q", "by a rule", undefined]);
  assert.equal(rewritten.headers["x-answer"], "200");
  const teapot = await visit("/teapot");
  assert.deepEqual(
    [teapot.status, teapot.text, teapot.headers["content-type"]],
    [418, "a teapot", "text/plain"],
  );
  const challenge = await visit("/prove", { headers: { accept: "application/json" } });
  assert.deepEqual([challenge.status, challenge.headers["cf-mitigated"]], [403, "challenge"]);
  assert.match(String(challenge.headers["content-type"]), /^text\/html/);
  assert.deepEqual([(await visit("/skipped")).status, (await visit("/blocked")).status], [200, 403]);
  assert.equal((await visit("/", { method: "POST", body: "a secret" })).status, 403);
  const passed = await visit("/", { method: "POST", body: "hello".repeat(100_000) });
  assert.equal(passed.echo.body.length, 500_000);
  const limited = [
    await visit("/limited"),
    await visit("/limited"),
    await visit("/limited"),
    await visit("/limited"),
  ];
  assert.deepEqual(
    limited.map(({ status }) => status),
    [200, 200, 429, 429],
  );
  assert.equal(limited[3]?.headers["retry-after"], "60");
});

test("whatever a rule makes of what a visitor sends, no header ends early", async (t) => {
  const { rules, visit, untilStatus } = await startEdgeApp(t, "sqlite", await startOrigin(t));
  const sent = "url_decode(http.request.uri.query)";
  const header = {
    action: "rewrite",
    expression: isAt("/header"),
    action_parameters: { headers: { "X-Made": { operation: "set", expression: sent } } },
  };
  await rules("http_request_late_transform", [header]);
  await rules("http_response_headers_transform", [header]);
  await rules("http_request_transform", [
    {
      action: "rewrite",
      expression: isAt("/path"),
      action_parameters: { uri: { path: { expression: sent } } },
    },
  ]);
  await rules("http_request_firewall_custom", [{ action: "block", expression: isAt("/ready") }]);
  await untilStatus("/ready", 403);
  const { status, headers, echo: seen } = await visit("/header?a%0d%0ab:%20c%00%09%7f");
  assert.equal(status, 200);
  const written = "a\\u000d\\u000ab: c\\u0000\t\\u007f";
  assert.deepEqual([seen.headers["x-made"], headers["x-made"]], [written, written]);
  assert.deepEqual([seen.headers["b"], headers["b"]], [undefined, undefined]);
  for (const [query, url] of [
    ["/a%0d%0ab", "/a%0D%0Ab?/a%0d%0ab"],
    ["/*", "/*?/*"],
    ["/a", "/a?/a"],
  ])
    assert.equal((await visit(`/path?${query}`)).echo.url, url, query);
});

onComparedEngines("rewrites at the edge", (engine) => {
  test("one that makes no path, the edge's own or a very long one, or has no value, is an error, also in a trace", async (t) => {
    const asked: string[] = [];
    const port = await startOrigin(t, ({ url = "" }, response) => {
      asked.push(url);
      response.end();
    });
    const { app, visit, rules, change, untilStatus } = await startEdgeApp(t, engine, port);
    const rewrite = (at: string, uri: object) => ({
      action: "rewrite",
      expression: isAt(at),
      action_parameters: { uri },
    });
    const sent = "url_decode(http.request.uri.query)";
    await rules("http_request_transform", [
      rewrite("/path", { path: { expression: sent } }),
      rewrite("/fixed", { path: { value: "there" } }),
      rewrite("/query", { query: { expression: 'http.request.headers["x-source"][0]' } }),
      rewrite("/twice", { path: { expression: `concat("/", ${sent}, ${sent})` } }),
      // A wrong rewrite counts, whatever a later rule says.
      rewrite("/path", { query: { value: "" } }),
    ]);
    await rules("http_request_firewall_custom", [{ action: "block", expression: isAt("/ready") }]);
    await untilStatus("/ready", 403);
    const before = asked.length;
    const wrong: readonly (readonly [target: string, code: number])[] = [
      ["/path", 1035],
      ["/path?a/b", 1035],
      ["/path?*", 1035],
      ["/path?/cdn-cgi/trace", 1035],
      ["/fixed", 1035],
      ["/query", 1037],
      [`/twice?${"a".repeat(9_000)}`, 1036],
    ];
    for (const [target, code] of wrong) {
      const { status, text } = await visit(target, { headers: { accept: "application/json" } });
      const { error_code, error_category } = JSON.parse(text);
      assert.deepEqual([status, error_code, error_category], [530, code, "rewrite"], target.slice(0, 40));
    }
    assert.equal(asked.length, before, "no origin was asked");
    const zone = await change("GET", "");
    const traced = await app.request("POST", `/accounts/${zone.account.id}/request-tracer/trace`, {
      body: { url: "http://www.example.com/fixed", method: "GET" },
    });
    assert.equal(traced.body.result.status_code, 530);
    assert.equal((await visit("/query", { headers: { "x-source": "a=b" } })).status, 200);
    assert.equal(asked.at(-1), "/query?a=b");
  });
});

onComparedEngines("a rewritten path", (engine) => {
  test("stays a path for the origin: no question mark in it begins a query that no rule saw", async (t) => {
    const { app, visit, rules, change, untilStatus } = await startEdgeApp(t, engine, await startOrigin(t));
    const path = { expression: "url_decode(http.request.uri.path)" };
    await rules("http_request_transform", [
      { action: "rewrite", expression: "true", action_parameters: { uri: { path } } },
    ]);
    await rules("http_request_firewall_custom", [
      { action: "block", expression: `${isAt("/ready")} or http.request.uri.query contains "drop"` },
    ]);
    await untilStatus("/ready", 403);
    assert.equal((await visit("/a?drop")).status, 403);
    const sent = "/a%3Fdrop=1%23b?c";
    assert.equal((await visit(sent)).echo.url, sent);
    const zone = await change("GET", "");
    const traced = await app.request("POST", `/accounts/${zone.account.id}/request-tracer/trace`, {
      body: { url: `http://www.example.com${sent}`, method: "GET" },
    });
    assert.equal(traced.body.result.origin_request.url, `http://www.example.com${sent}`);
  });
});

test("no rule for responses says where a response ends, whatever headers it sets", async (t) => {
  const { rules, visit, untilStatus } = await startEdgeApp(t, "sqlite", await startOrigin(t));
  const values = {
    "Content-Length": "5",
    "Transfer-Encoding": "gzip",
    Connection: "x-made",
    "Keep-Alive": "timeout=1",
    "X-Other": "a",
  };
  const headers = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, { operation: "set", value }]),
  );
  await rules("http_response_headers_transform", [
    { action: "rewrite", expression: "true", action_parameters: { headers } },
  ]);
  await rules("http_request_firewall_custom", [{ action: "block", expression: isAt("/ready") }]);
  await untilStatus("/ready", 403);
  const answer = await visit("/whole");
  assert.equal(answer.echo.url, "/whole");
  const { "content-length": length, "transfer-encoding": coding, "keep-alive": alive } = answer.headers;
  assert.ok(Number(length) > 100, length);
  assert.deepEqual([coding, answer.headers["x-other"]], [undefined, "a"]);
  assert.notEqual(alive, "timeout=1");
});

test("no rule judges a request of a paused zone, and no event tells of it", async (t) => {
  const { app, zoneId, change, rules, visit, untilStatus } = await startEdgeApp(
    t,
    "sqlite",
    await startOrigin(t),
  );
  await rules("http_request_firewall_custom", [{ action: "block", expression: isAt("/blocked") }]);
  await untilStatus("/blocked", 403);
  await change("PATCH", "", { paused: true });
  // The rule that leads to the port of the origin does not hold either: its usual port is asked.
  let passed = await visit("/blocked");
  await until("the zone is paused", async () => {
    passed = await visit("/blocked");
    return passed.status !== 403;
  });
  const ray = String(passed.headers["cf-ray"]).split("-")[0];
  await change("PATCH", "", { paused: false });
  const blocked = await untilStatus("/blocked", 403);
  assert.equal((await visit("/")).status, 200);

  const query = `{ viewer { zones(filter: { zoneTag: "${zoneId}" }) { firewallEventsAdaptive(limit: 100) { rayName } } } }`;
  const rays = async (): Promise<string[]> => {
    const answer = await app.request("POST", "/graphql", { body: { query } });
    const events: { rayName: string }[] = JSON.parse(answer.text).data.viewer.zones[0].firewallEventsAdaptive;
    return events.map(({ rayName }) => rayName);
  };
  const last = String(blocked.headers["cf-ray"]).split("-")[0] ?? "";
  while (!(await rays()).includes(last));
  assert.ok(!(await rays()).includes(ray ?? ""));
});
