import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { test } from "node:test";

import { eventsOf, startEdgeApp, startOrigin } from "../../../test/support/edge-app.ts";

const blocking = (expression: string) => ({ action: "block", expression });
const custom = "http_request_firewall_custom";
/** Octets without any order, so that each begins with another state of an automaton. */
const disorder = createHash("shake256", { outputLength: 128 * 1024 })
  .update("disorder")
  .digest()
  .map((octet) => (octet & 1 ? 97 : 98));
const longBody = { method: "POST", body: Buffer.from(disorder) };
/** Takes hundreds of milliseconds on it. */
const slow = (length: number) => blocking(`http.request.body.raw matches "a.{${length}}[n-z]"`);

test("a rule that could take seconds on a long body is refused when it is stored, and nothing changes", async (t) => {
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t));
  await edge.rules(custom, [blocking('http.request.uri.path eq "/blocked"')]);
  const path = `/zones/${edge.zoneId}/rulesets/phases/${custom}/entrypoint`;
  const before = (await edge.app.request("GET", path)).body.result;
  for (const expression of [
    'http.request.body.raw matches "a.{1900}c"',
    'http.host eq "a" and any(http.request.body.form.values[*] matches "a.{900}")',
    `${"url_decode(".repeat(80)}http.request.body.raw${', "r")'.repeat(80)} eq "a"`,
  ]) {
    const answer = await edge.app.request("PUT", path, { body: { rules: [blocking(expression)] } });
    assert.equal(answer.status, 400, expression);
    assert.match(answer.body.errors[0]?.message ?? "", /steps|parts, but the limit is/, expression);
  }
  assert.deepEqual((await edge.app.request("GET", path)).body.result, before);
});

test("rules that take long on a body hold no other visitor up, and decide all the same", async (t) => {
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t));
  await edge.rules(custom, [
    slow(50),
    ...Array.from({ length: 20 }, (_, index) =>
      blocking(`lookup_json_string(http.request.body.raw, "k${index}") eq "evil"`),
    ),
  ]);
  await edge.untilStatus("/", 403, { method: "POST", body: `{"k19":"evil"}` });
  const turns = monitorEventLoopDelay({ resolution: 1 });
  turns.enable();
  assert.equal((await edge.visit("/", longBody)).status, 200);
  turns.disable();
  // Far above what is promised, as the machine may be busy; the rules take several times as long in one turn.
  assert.ok(turns.max < 250e6, `a turn took ${turns.max / 1e6} ms`);
  const found = Buffer.from(longBody.body);
  found.write(`a${"b".repeat(50)}n`, 70_000);
  assert.equal((await edge.visit("/", { method: "POST", body: found })).status, 403);
  const member = `{"list":[${"1,".repeat(60_000)}1],"k7":"evil"}`;
  assert.equal((await edge.visit("/", { method: "POST", body: member })).status, 403);
});

for (const failMode of ["open", "closed"] as const) {
  test(`rules that take longer than the deadline are left to \`edge_fail\` (${failMode}), with an event`, async (t) => {
    const edge = await startEdgeApp(t, "sqlite", await startOrigin(t), { edge_fail: failMode });
    const many = Array.from({ length: 30 }, (_, index) => slow(150 + index));
    await edge.rules(custom, [...many, blocking('http.request.uri.path eq "/blocked"')]);
    await edge.untilStatus("/blocked", 403);
    const answer = await edge.visit("/", longBody);
    assert.equal(answer.status, failMode === "open" ? 200 : 500);
    assert.equal((await edge.visit("/", { method: "POST", body: "a" })).status, 200);
    const [event] = await eventsOf(edge, answer.headers["cf-ray"]);
    assert.partialDeepStrictEqual(event, {
      action: failMode === "open" ? "log" : "block",
      source: "firewallCustom",
      metadata: [{ key: "unjudged", value: "true" }],
    });
  });
}
