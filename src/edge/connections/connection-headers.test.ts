import assert from "node:assert/strict";
import { test } from "node:test";

import { startEdgeApp, startOrigin } from "../../../test/support/edge-app.ts";

test("a visitor's Connection strikes what the visitor sent before rules see it, and nothing that rules or the edge set", async (t) => {
  const { rules, visit, untilStatus } = await startEdgeApp(t, "sqlite", await startOrigin(t));
  const set = (value: string) => ({ operation: "set", value });
  await rules("http_request_late_transform", [
    {
      action: "rewrite",
      expression: "true",
      action_parameters: { headers: { "X-Visitor-Trust": set("low") } },
    },
  ]);
  await rules("http_request_firewall_custom", [
    { action: "block", expression: 'not any(http.request.headers.names[*] eq "x-key")' },
    { action: "block", expression: 'any(http.request.headers["upgrade"][*] eq "websocket")' },
  ]);
  await untilStatus("/", 403);
  const names = "X-Visitor-Trust, x-other, host, CF-Connecting-IP, cf-ray, x-forwarded-for, cdn-loop";
  const sent = { "x-key": "k", "x-visitor-trust": "high", "x-other": "o" };
  for (const connection of [names, `close, ${names}`, `${names},`, `keep-alive ,${names}`]) {
    const { status, echo } = await visit("/", { headers: { ...sent, connection } });
    assert.equal(status, 200, connection);
    const { headers } = echo;
    assert.deepEqual([headers["x-visitor-trust"], headers["x-other"]], ["low", undefined]);
    assert.equal(headers.host, "www.example.com");
    for (const name of ["cf-connecting-ip", "cf-ray", "x-forwarded-for", "cdn-loop"])
      assert.ok(headers[name], name);
  }
  const struck = await visit("/", { headers: { ...sent, connection: ["close", "x-key"] } });
  assert.equal(struck.status, 403, "a rule sees no header that the origin does not get");
  const upgrading = { ...sent, connection: "upgrade", upgrade: "websocket" };
  assert.equal((await visit("/", { method: "POST", headers: upgrading })).status, 403);
});
