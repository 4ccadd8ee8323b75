import assert from "node:assert/strict";
import { test } from "node:test";

import { startEdgeApp, startOrigin, type VisitorAnswer } from "../../../test/support/edge-app.ts";
import { until } from "../../../test/support/harness.ts";

const securityHeaders = {
  "x-content-type-options": "nosniff",
  "x-xss-protection": "1; mode=block",
  "x-frame-options": "SAMEORIGIN",
  "referrer-policy": "same-origin",
  "expect-ct": "max-age=86400, enforce",
};

const shown = ({ headers }: VisitorAnswer) =>
  Object.fromEntries(
    ["x-powered-by", ...Object.keys(securityHeaders)].flatMap((name) =>
      headers[name] === undefined ? [] : [[name, headers[name]]],
    ),
  );

test("managed transforms change what the origin answers, before rules do and while they are on", async (t) => {
  const origin = await startOrigin(t, (_, response) => {
    response.setHeader("X-Powered-By", "Express");
    response.setHeader("X-Frame-Options", "ALLOW");
    response.end("an answer");
  });
  const { change, rules, visit } = await startEdgeApp(t, "sqlite", origin);
  const asItCame = { "x-powered-by": "Express", "x-frame-options": "ALLOW" };
  assert.deepEqual(shown(await visit("/")), asItCame);

  const turn = (enabled: boolean) =>
    change("PATCH", "/managed_headers", {
      managed_response_headers: ["remove_x-powered-by_header", "add_security_headers"].map((id) => ({
        id,
        enabled,
      })),
    });
  await turn(true);
  await until(
    "the headers are changed",
    async () => (await visit("/")).headers["x-powered-by"] === undefined,
  );
  assert.deepEqual(shown(await visit("/")), securityHeaders);

  await rules("http_response_headers_transform", [
    {
      action: "rewrite",
      expression: 'http.response.headers["x-frame-options"][0] eq "SAMEORIGIN"',
      action_parameters: { headers: { "X-Frame-Options": { operation: "set", value: "DENY" } } },
    },
  ]);
  await until("the rule holds", async () => (await visit("/")).headers["x-frame-options"] === "DENY");

  await turn(false);
  await until("they are off", async () => (await visit("/")).headers["x-powered-by"] === "Express");
  assert.deepEqual(shown(await visit("/")), asItCame);
});
