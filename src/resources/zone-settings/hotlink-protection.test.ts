import assert from "node:assert/strict";
import { test } from "node:test";

import { startEdgeApp, startOrigin } from "../../../test/support/edge-app.ts";
import { byToken, onComparedEngines, startTestApp, until } from "../../../test/support/harness.ts";
import { queryGraphql } from "../../../test/support/security-event-api.ts";
import { createZonePart } from "../../../test/support/zone-parts.ts";

const elsewhere = "https://example.net/page";

onComparedEngines("hotlink protection", (engine) => {
  test("stops traced requests for images that pages of other sites show, and nothing else", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await createZonePart(app, "settings/hotlink_protection");
    const trace = async (path: string, referer?: string) => {
      const headers = referer === undefined ? {} : { referer };
      const body = { url: `https://www.example.com${path}`, method: "GET", headers };
      const tracer = `/accounts/${app.owner.accountId}/request-tracer/trace`;
      const { status_code, trace: steps } = (await app.request("POST", tracer, { body, headers: byToken }))
        .body.result;
      const names = steps.map(({ step_name }: { step_name: string }) => step_name);
      return [status_code, names.includes("hot")];
    };
    const passed = [undefined, false];
    assert.deepEqual(await trace("/a.png", elsewhere), passed, "it is off at first");
    await zone.result("PATCH", "", { value: "on" });
    for (const path of ["/a.png", "/b/A.JPG", "/a.jpeg?size=1", "/favicon.ico", "/a.gif"])
      assert.deepEqual(await trace(path, elsewhere), [403, true], path);
    for (const path of ["/", "/a.svg", "/a.png/", "/png", "/hotlink-ok/a.png", "/b/hotlink-ok/c/a.png"])
      assert.deepEqual(await trace(path, elsewhere), passed, path);
    for (const own of [
      "http://example.com",
      "https://WWW.example.com:8443/?a=b",
      "https://a@b.example.com./",
    ])
      assert.deepEqual(await trace("/a.png", own), passed, own);
    const others = [
      "https://example.com.example.net/",
      "https://notexample.com/",
      "https://example.com@example.net/",
      "https://example.net/?https://example.com/",
      "example.com",
      "a",
    ];
    for (const other of others) assert.deepEqual(await trace("/a.png", other), [403, true], other);
    for (const none of [undefined, "", " "]) assert.deepEqual(await trace("/a.png", none), passed);
  });
});

test("visitors of another site's page are told error 1011 for images, unless a rule skips the check or turns it off", async (t) => {
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t));
  const { app, zoneId, change, rules, visit, untilStatus } = edge;
  await change("PATCH", "/settings/hotlink_protection", { value: "on" });
  const linked = { headers: { referer: elsewhere, accept: "application/json" } };
  const denied = await untilStatus("/a.png", 403, linked);
  assert.partialDeepStrictEqual(JSON.parse(denied.text), { status: 403, error_code: 1011 });
  assert.equal((await visit("/a.png")).status, 200);

  const rayName = String(denied.headers["cf-ray"]).split("-")[0];
  const query = `query($zoneTag: String!, $rayName: String!) { viewer { zones(filter: { zoneTag: $zoneTag }) {
    firewallEventsAdaptive(limit: 10, filter: { rayName: $rayName }) { action source ruleId ruleMessage }
  } } }`;
  let events: object[] = [];
  await until("the event is stored", async () => {
    const { data } = await queryGraphql(app, query, { zoneTag: zoneId, rayName });
    events = data.viewer.zones[0].firewallEventsAdaptive;
    return events.length > 0;
  });
  assert.deepEqual(events, [
    { action: "block", source: "hot", ruleId: "hot", ruleMessage: "Hotlink protection" },
  ]);

  const isBelow = (path: string) => `starts_with(http.request.uri.path, "${path}")`;
  await rules("http_request_firewall_custom", [
    { action: "skip", expression: isBelow("/shared/"), action_parameters: { products: ["hot"] } },
  ]);
  const protect = (path: string, hotlink_protection: boolean) => ({
    action: "set_config",
    expression: isBelow(path),
    action_parameters: { hotlink_protection },
  });
  await rules("http_config_settings", [protect("/open/", false), protect("/open/not/", true)]);
  for (const path of ["/shared/a.png", "/open/a.png"]) await untilStatus(path, 200, linked);
  for (const path of ["/a.png", "/open/not/a.png"])
    assert.equal((await visit(path, linked)).status, 403, path);
  await change("PATCH", "/settings/hotlink_protection", { value: "off" });
  await untilStatus("/a.png", 200, linked);
  assert.equal((await visit("/open/not/a.png", linked)).status, 403);
});
