import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { describe, test, type TestContext } from "node:test";

import { replaceRules, rulesOfRelease, writeRelease } from "../../../test/support/core-rules.ts";
import {
  eventsOf,
  startEdgeApp,
  startOrigin,
  type EdgeApp,
  type VisitOptions,
} from "../../../test/support/edge-app.ts";
import { finalScoreRuleId, managedRulesetId, owaspRulesetId } from "../../../test/support/ruleset-api.ts";
import type { Config } from "../../config/settings.ts";
import { bodyOctetsAtOnce } from "./run-rules.ts";

const responseRulesetId = "15106db3366fe2f0868759d9065f8438";
const leakRule = `
SecRule RESPONSE_BODY "@contains ORA-00933" "id:951120,phase:4,block,t:none,msg:'Oracle SQL Information Leakage',\\
    tag:'attack-disclosure',tag:'paranoia-level/1',severity:'CRITICAL',setvar:'tx.outbound_anomaly_score_pl1=+5'"
`;
const withoutCoreRules = new URL("../../../test/support/without-core-rules.worker.ts", import.meta.url);
const long = "x".repeat(bodyOctetsAtOnce);
const leak = `${long} ORA-00933`;
const attack = "q=1' or '1'='1";
const form = (body: string): VisitOptions => ({
  method: "POST",
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body,
});

const origin: RequestListener = (request, response) => {
  if (request.url === "/leak") response.writeHead(200, { "content-type": "text/html" }).end(leak);
  else request.pipe(response.writeHead(200, { "content-type": "application/octet-stream" }));
};

/** An edge that has the Core Rule Set itself, while its threads have none. */
async function startWithoutRulesInThreads(
  t: TestContext,
  settings: Pick<Config, "edge_fail"> & Partial<Config>,
): Promise<EdgeApp> {
  const crs = writeRelease(t);
  replaceRules(crs, `${rulesOfRelease("4.3.1")}${leakRule}`);
  const edge = await startEdgeApp(
    t,
    "sqlite",
    await startOrigin(t, origin),
    { crs, new_zone_waf: "new", ...settings },
    { taskWorkerProgram: withoutCoreRules },
  );
  const execute = (id: string, score_threshold: number, rule: string) => ({
    action: "execute",
    expression: "true",
    action_parameters: { id, overrides: { rules: [{ id: rule, score_threshold }] } },
  });
  await edge.rules("http_response_firewall_managed", [
    execute(responseRulesetId, 5, "b267fa314078e80abd0f5970459f549d"),
  ]);
  await edge.rules("http_request_firewall_managed", [execute(owaspRulesetId, 5, finalScoreRuleId)]);
  await edge.untilStatus("/", 403, form(attack));
  return edge;
}

const unjudged = { metadata: [{ key: "unjudged", value: "true" }] };
const ofRequest = {
  ...unjudged,
  source: "firewallManaged",
  ruleMessage: "The Core Rule Set could not judge the request",
};
const ofAnswer = { ...unjudged, source: "dlp", ruleMessage: "The Core Rule Set could not judge the answer" };

describe("an edge whose threads have no Core Rule Set", () => {
  test("answers 500 by default to what they would judge, and an event says why", async (t) => {
    const edge = await startWithoutRulesInThreads(t, { edge_fail: "closed" });
    const request = await edge.visit("/", form(`p=${long}`));
    const answer = await edge.visit("/leak");
    for (const { status, text } of [request, answer]) {
      assert.equal(status, 500);
      assert.match(text, /could not be judged/);
      assert.doesNotMatch(text, /ORA-/);
    }
    const stopped = { action: "block", edgeResponseStatus: 500 };
    assert.deepEqual(await eventsOf(edge, request.headers["cf-ray"]), [{ ...ofRequest, ...stopped }]);
    assert.deepEqual(await eventsOf(edge, answer.headers["cf-ray"]), [{ ...ofAnswer, ...stopped }]);
    assert.equal((await edge.visit("/", form("p=short"))).status, 200);
  });

  test("goes by a rule that stops a request before they would judge it", async (t) => {
    const edge = await startWithoutRulesInThreads(t, { edge_fail: "closed" });
    await edge.rules("http_request_firewall_custom", [
      { action: "block", expression: 'http.request.uri.path eq "/admin"', description: "no admin" },
      {
        action: "skip",
        expression: 'http.request.uri.path eq "/skip"',
        action_parameters: { phases: ["http_request_firewall_managed"] },
      },
    ]);
    await edge.untilStatus("/admin", 403);
    const blocked = await edge.visit("/admin", form(`p=${long}`));
    assert.equal(blocked.status, 403);
    assert.partialDeepStrictEqual(await eventsOf(edge, blocked.headers["cf-ray"]), [
      { action: "block", source: "firewallCustom", ruleMessage: "no admin", edgeResponseStatus: 403 },
    ]);
    assert.equal((await edge.visit("/skip", form(`p=${long}`))).status, 200);
    assert.equal((await edge.visit("/", form(`p=${long}`))).status, 500);
  });

  test("passes it on with `edge_fail` = open, and an event says so", async (t) => {
    const edge = await startWithoutRulesInThreads(t, { edge_fail: "open" });
    const body = `p=${long}&${attack}`;
    const request = await edge.visit("/", form(body));
    assert.deepEqual([request.status, request.text === body], [200, true]);
    const answer = await edge.visit("/leak");
    assert.deepEqual([answer.status, answer.text === leak], [200, true]);
    const passed = { action: "log", edgeResponseStatus: 200 };
    assert.deepEqual(await eventsOf(edge, request.headers["cf-ray"]), [{ ...ofRequest, ...passed }]);
    assert.deepEqual(await eventsOf(edge, answer.headers["cf-ray"]), [{ ...ofAnswer, ...passed }]);
    assert.equal((await edge.visit("/", form(attack))).status, 403, "short requests are judged");
  });

  test("tells a proxy that asks what a visitor would be told", async (t) => {
    for (const [edge_fail, status, action] of [
      ["closed", 500, "block"],
      ["open", 200, "log"],
    ] as const) {
      const edge = await startWithoutRulesInThreads(t, {
        edge_fail,
        edge_judge: ["127.0.0.1:0"],
        trusted_proxies: ["127.0.0.1"],
      });
      const answer = await fetch(`http://${edge.app.edgeJudgeAddresses[0]}/traefik`, {
        method: "POST",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          "x-forwarded-method": "POST",
          "x-forwarded-proto": "https",
          "x-forwarded-host": "www.example.com",
          "x-forwarded-uri": "/",
          "x-forwarded-for": "192.0.2.7",
        },
        body: `p=${long}`,
      });
      assert.equal(answer.status, status);
      if (status === 500) assert.match(await answer.text(), /could not be judged/);
      const [event, ...others] = await eventsOf(edge, answer.headers.get("cf-ray"));
      assert.deepEqual(others, []);
      assert.partialDeepStrictEqual(event, { ...ofRequest, action });
    }
  });

  test("keeps the event of a request whose scores it cannot compare with those of the previous version", async (t) => {
    const crs = writeRelease(t);
    const edge = await startEdgeApp(
      t,
      "sqlite",
      await startOrigin(t, origin),
      { crs, edge_fail: "closed" },
      { taskWorkerProgram: withoutCoreRules },
    );
    await edge.change("PATCH", "/settings/waf", { value: "on" });
    const packages = await edge.change("GET", "/firewall/waf/packages");
    const owasp = packages.find(({ name }: { readonly name: string }) => name.includes("OWASP"));
    await edge.change("PATCH", `/firewall/waf/packages/${owasp.id}`, { sensitivity: "off" });
    const managed =
      "/rulesets/phases/http_request_firewall_managed/entrypoint?waf_migration=validation&phase_two=1";
    const execute = { action: "execute", expression: "true", action_parameters: { id: managedRulesetId } };
    await edge.change("PUT", managed, { rules: [execute] });
    const attacking = form(`p=${long}`);
    const answer = await edge.untilStatus("/", 403, {
      ...attacking,
      headers: { ...attacking.headers, "x-middleware-subrequest": "middleware" },
    });
    assert.match(answer.text, /blocked/);
    const events = await eventsOf(edge, answer.headers["cf-ray"]);
    assert.partialDeepStrictEqual(events[0], { action: "block", edgeResponseStatus: 403, metadata: [] });
  });
});
