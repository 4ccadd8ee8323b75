import assert from "node:assert/strict";
import { test } from "node:test";

import { startEdgeApp, startOrigin } from "../../../test/support/edge-app.ts";
import { byToken, onComparedEngines, startTestApp, until } from "../../../test/support/harness.ts";
import { queryGraphql } from "../../../test/support/security-event-api.ts";
import { createZonePart } from "../../../test/support/zone-parts.ts";

const isAt = (path: string) => `http.request.uri.path eq "${path}"`;
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

onComparedEngines("the Browser Integrity Check", (engine) => {
  test("stops traced requests that name a spammer, not those that name another program or none", async (t) => {
    const app = await startTestApp(t, engine, { trusted_proxies: ["127.0.0.1"] });
    const zone = await createZonePart(app, "settings/browser_check");
    const trace = async (headers: object) => {
      const body = { url: "https://www.example.com/", method: "GET", headers };
      const path = `/accounts/${app.owner.accountId}/request-tracer/trace`;
      const from = { ...byToken, "x-forwarded-for": "192.0.2.7" };
      const { status_code, trace: steps } = (await app.request("POST", path, { body, headers: from })).body
        .result;
      const found = steps.find(({ step_name }: { step_name: string }) => step_name === "bic");
      return [status_code, found?.trace[0]?.description];
    };
    for (const [userAgent, issue] of [
      ["EmailSiphon", "the User-Agent of a spammer"],
      ["xrumer 7.0", "the User-Agent of a spammer"],
      ["User-Agent: Mozilla/5.0", "a User-Agent that repeats the name of the header"],
      ['<a href="https://example.net/">cheap</a>', "a link in the User-Agent"],
      ["-", "a User-Agent without a name"],
    ] as const) {
      const told = [403, `Browser Integrity Check: ${issue}`];
      assert.deepEqual(await trace({ "user-agent": userAgent }), told, userAgent);
    }
    for (const userAgent of [firefox, "curl/8.7.1", "python-requests/2.32.4", "node", "Go-http-client/1.1"]) {
      assert.deepEqual(await trace({ "user-agent": userAgent }), [undefined, undefined], userAgent);
    }
    assert.deepEqual(await trace({}), [undefined, undefined], "what a trace does not say is not known");
    await zone.result("PATCH", "", { value: "off" });
    assert.deepEqual(await trace({ "user-agent": "EmailSiphon" }), [undefined, undefined]);
  });
});

test("visitors without a User-Agent are told error 1010, unless a rule allows them, skips it or turns it off", async (t) => {
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t), { trusted_proxies: ["127.0.0.1"] });
  const { app, zoneId, change, rules, visit, untilStatus } = edge;
  const nameless = { headers: { "x-forwarded-for": "192.0.2.7", accept: "application/json" } };
  const denied = await untilStatus("/", 403, nameless);
  assert.partialDeepStrictEqual(JSON.parse(denied.text), { status: 403, error_code: 1010 });
  const named = { headers: { ...nameless.headers, "user-agent": firefox } };
  assert.equal((await visit("/", named)).status, 200);
  assert.equal((await visit("/")).status, 200, "a program of the machine itself");

  const rayName = String(denied.headers["cf-ray"]).split("-")[0];
  const query = `query($zoneTag: String!, $rayName: String!) { viewer { zones(filter: { zoneTag: $zoneTag }) {
    firewallEventsAdaptive(limit: 10, filter: { rayName: $rayName }) { action source ruleId ruleMessage edgeResponseStatus }
  } } }`;
  let events: object[] = [];
  await until("the event is stored", async () => {
    const { data } = await queryGraphql(app, query, { zoneTag: zoneId, rayName });
    events = data.viewer.zones[0].firewallEventsAdaptive;
    return events.length > 0;
  });
  const ruleMessage = "Browser Integrity Check: no User-Agent";
  assert.deepEqual(events, [
    { action: "block", source: "bic", ruleId: "bic", ruleMessage, edgeResponseStatus: 403 },
  ]);

  await rules("http_request_firewall_custom", [
    { action: "skip", expression: isAt("/api"), action_parameters: { products: ["bic"] } },
  ]);
  const check = (path: string, bic: boolean) => ({
    action: "set_config",
    expression: isAt(path),
    action_parameters: { bic },
  });
  await rules("http_config_settings", [check("/hook", false), check("/page/strict", true)]);
  await change("POST", "/pagerules", {
    targets: [{ target: "url", constraint: { operator: "matches", value: "www.example.com/page*" } }],
    actions: [{ id: "browser_check", value: "off" }],
    status: "active",
  });
  for (const path of ["/api", "/hook", "/page"]) await untilStatus(path, 200, nameless);
  for (const path of ["/", "/page/strict"]) assert.equal((await visit(path, nameless)).status, 403, path);

  await change("PATCH", "/settings/browser_check", { value: "off" });
  await untilStatus("/", 200, nameless);
  assert.equal((await visit("/page/strict", nameless)).status, 403);
  await change("PATCH", "/settings/browser_check", { value: "on" });
  await untilStatus("/", 403, nameless);
  await change("POST", "/firewall/access_rules/rules", {
    mode: "whitelist",
    configuration: { target: "ip", value: "192.0.2.7" },
  });
  await untilStatus("/", 200, nameless);
});
