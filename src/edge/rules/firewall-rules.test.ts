import assert from "node:assert/strict";
import { test } from "node:test";

import { startEdgeApp, startOrigin } from "../../../test/support/edge-app.ts";
import { onComparedEngines, until } from "../../../test/support/harness.ts";

const starts = (path: string) => `starts_with(http.request.uri.path, "${path}")`;

onComparedEngines("firewall rules of the previous kind at the edge", (engine) => {
  test("act in their order before custom rules, as traces say, and leave events of their own source", async (t) => {
    const edge = await startEdgeApp(t, engine, await startOrigin(t));
    const { app, change, rules, visit, untilStatus, zoneId } = edge;
    const add = async (action: string, expression: string, more: object = {}) => {
      const [rule] = await change("POST", "/firewall/rules", [{ action, filter: { expression }, ...more }]);
      return rule.id as string;
    };
    await change("POST", "/firewall/lockdowns", {
      urls: ["www.example.com/locked/*"],
      configurations: [{ target: "ip", value: "192.0.2.1" }],
    });
    await rules("http_request_firewall_custom", [
      { action: "block", expression: 'http.request.uri.query eq "custom"' },
    ]);
    // Without a number, what allows comes before what blocks; a number comes before both.
    const blocking = await add("block", starts("/a"));
    await add("allow", starts("/a/open"));
    await add("block", starts("/a/open/closed"), { priority: 5 });
    await add("bypass", starts("/locked/key"), { products: ["zoneLockdown"] });
    await add("managed_challenge", starts("/prove"));
    await add("block", starts("/prove/passed"));
    await add("log", `${starts("/a")} and not ssl`);
    await add("block", starts("/paused"), { paused: true });
    await untilStatus("/locked/key", 200);

    const trace = async (path: string, context: object = {}) => {
      const body = { url: `http://www.example.com${path}`, method: "GET", context };
      const { body: answer } = await app.request(
        "POST",
        `/accounts/${app.owner.accountId}/request-tracer/trace`,
        { body },
      );
      return answer.result.status_code ?? 200;
    };
    for (const [path, status] of [
      ["/a", 403],
      ["/a/open", 200],
      ["/a/open?custom", 403],
      ["/a/open/closed", 403],
      ["/locked/door", 403],
      ["/prove", 403],
      ["/paused", 200],
      ["/", 200],
    ] as const) {
      assert.equal((await visit(path)).status, status, path);
      assert.equal(await trace(path), status, path);
    }
    assert.equal((await visit("/prove")).headers["cf-mitigated"], "challenge");
    const solved = { skip_challenge: true };
    assert.deepEqual(
      [await trace("/prove/passed", solved), await trace("/prove/passed?custom", solved)],
      [200, 403],
    );

    const ray = String((await visit("/a")).headers["cf-ray"]).split("-")[0];
    const query = `{ viewer { zones(filter: { zoneTag: "${zoneId}" }) { firewallEventsAdaptive(limit: 9, filter: { rayName: "${ray}" }) { source action ruleId rulesetId } } } }`;
    let events: readonly { readonly action: string }[] = [];
    await until("its events are stored", async () => {
      const { text } = await app.request("POST", "/graphql", { body: { query } });
      events = JSON.parse(text).data.viewer.zones[0].firewallEventsAdaptive;
      return events.length === 2;
    });
    assert.deepEqual(
      events.find(({ action }) => action === "block"),
      { source: "firewallrules", action: "block", ruleId: blocking, rulesetId: "" },
    );

    await change("PUT", `/firewall/rules/${blocking}`, {
      id: blocking,
      action: "block",
      paused: true,
      filter: { expression: starts("/a") },
    });
    await untilStatus("/a", 200);
  });
});
