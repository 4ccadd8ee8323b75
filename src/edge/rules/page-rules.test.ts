import assert from "node:assert/strict";
import { test } from "node:test";

import { startEdgeApp, startOrigin } from "../../../test/support/edge-app.ts";
import { onComparedEngines } from "../../../test/support/harness.ts";

test("page rules act at the edge as the request tracer says, and rules overrule them", async (t) => {
  const { app, change, rules, visit, untilStatus } = await startEdgeApp(t, "sqlite", await startOrigin(t));
  const add = (path: string, ...actions: readonly object[]) =>
    change("POST", "/pagerules", {
      targets: [{ target: "url", constraint: { operator: "matches", value: `www.example.com${path}` } }],
      actions,
      status: "active",
    });
  const forward = { url: "https://www.example.org/$1", status_code: 301 };
  await rules("http_request_firewall_custom", [{ action: "block", expression: "true" }]);
  await untilStatus("/", 403);
  await add("/old/*", { id: "forwarding_url", value: forward });
  await add("/secure/*", { id: "always_use_https" });
  await add("/inner", { id: "host_header_override", value: "inner.example.com" });
  await add("/resolved", { id: "resolve_override", value: "away.example.com" });
  await add("/told", { id: "true_client_ip_header", value: "on" }, { id: "ip_geolocation", value: "off" });
  await untilStatus("/secure/", 301);

  const redirected = await visit("/old/a?b=c");
  assert.deepEqual([redirected.status, redirected.headers.location], [301, "https://www.example.org/a?b=c"]);
  assert.equal((await visit("/OLD/A?b=C")).headers.location, "https://www.example.org/A?b=C");
  assert.equal((await visit("/secure/a?b")).headers.location, "https://www.example.com/secure/a?b");
  for (const path of ["/old/a?b=c", "/secure/a", "/inner"]) {
    const body = { url: `http://www.example.com${path}`, method: "GET" };
    const traced = await app.request("POST", `/accounts/${app.owner.accountId}/request-tracer/trace`, {
      body,
    });
    assert.equal(traced.body.result.status_code, (await visit(path)).status, path);
    const steps = traced.body.result.trace as { step_name: string; matched: boolean }[];
    assert.equal(steps.find(({ step_name }) => step_name === "page_rules")?.matched, true, path);
  }

  await rules("http_request_firewall_custom", []);
  await untilStatus("/", 200);
  assert.equal((await visit("/inner")).echo.headers.host, "inner.example.com");
  assert.equal((await visit("/resolved")).status, 530, "there is no such name");
  const { headers } = (await visit("/told")).echo;
  assert.deepEqual([headers["true-client-ip"], headers["cf-ipcountry"]], ["127.0.0.1", undefined]);
  assert.equal((await visit("/other")).echo.headers["cf-ipcountry"], "XX");

  const overruling = { action: "route", expression: "true" };
  const port = (await change("GET", "/rulesets/phases/http_request_origin/entrypoint")).rules[0]
    .action_parameters.origin.port;
  await rules("http_request_origin", [
    { ...overruling, action_parameters: { origin: { port } } },
    { ...overruling, action_parameters: { host_header: "ruled.example.com" } },
  ]);
  await rules("http_request_firewall_custom", [
    { action: "block", expression: 'http.request.uri.path eq "/blocked"' },
  ]);
  await untilStatus("/blocked", 403);
  assert.equal((await visit("/inner")).echo.headers.host, "ruled.example.com");
});

onComparedEngines("page rules at the edge", (engine) => {
  test("disable_security turns off zone lockdowns and hotlink protection, and nothing else", async (t) => {
    const { change, rules, visit, untilStatus } = await startEdgeApp(t, engine, await startOrigin(t));
    await change("PATCH", "/settings/hotlink_protection", { value: "on" });
    await change("POST", "/firewall/lockdowns", {
      urls: ["www.example.com/*"],
      configurations: [{ target: "ip", value: "192.0.2.1" }],
    });
    await rules("http_request_firewall_custom", [
      {
        action: "skip",
        expression: 'http.request.uri.path contains ".png"',
        action_parameters: { products: ["zoneLockdown"] },
      },
      { action: "block", expression: 'http.request.uri.path contains "/blocked"' },
    ]);
    await untilStatus("/blocked", 403);
    await untilStatus("/open/a", 403);
    const elsewhere = { headers: { referer: "https://elsewhere.example/" } };
    await untilStatus("/open/a.png", 403, elsewhere);
    await change("POST", "/pagerules", {
      targets: [{ target: "url", constraint: { operator: "matches", value: "www.example.com/open/*" } }],
      actions: [{ id: "disable_security" }],
      status: "active",
    });
    await untilStatus("/open/a", 200);
    assert.equal((await visit("/open/a.png", elsewhere)).status, 200);
    for (const path of ["/a", "/open/blocked"]) assert.equal((await visit(path)).status, 403, path);
    assert.equal((await visit("/a.png", elsewhere)).status, 403);
  });
});
