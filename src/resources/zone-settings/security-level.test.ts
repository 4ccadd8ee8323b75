import assert from "node:assert/strict";
import { test } from "node:test";

import { startEdgeApp, startOrigin } from "../../../test/support/edge-app.ts";
import { onComparedEngines, startTestApp } from "../../../test/support/harness.ts";
import { createZonePart } from "../../../test/support/zone-parts.ts";

const underAttack = { value: "under_attack" };
const isAt = (path: string) => `http.request.uri.path eq "${path}"`;

onComparedEngines("the security level", (engine) => {
  test("under_attack challenges every traced request, and no other level does", async (t) => {
    const app = await startTestApp(t, engine);
    const { zoneId, ...zone } = await createZonePart(app, "settings/security_level");
    const trace = async (rest: object = {}) => {
      const body = { url: "https://www.example.com/", method: "GET", ...rest };
      const path = `/accounts/${app.owner.accountId}/request-tracer/trace`;
      const { status_code, trace: steps } = (await app.request("POST", path, { body })).body.result;
      const found = steps.find(({ step_name }: { step_name: string }) => step_name === "securityLevel");
      return [status_code, found?.trace[0]?.action];
    };
    for (const value of ["essentially_off", "low", "medium", "high"]) {
      await zone.result("PATCH", "", { value });
      assert.deepEqual(await trace(), [undefined, undefined], value);
    }
    await zone.result("PATCH", "", underAttack);
    assert.deepEqual(await trace(), [403, "js_challenge"]);
    assert.deepEqual(await trace({ context: { skip_challenge: true } }), [undefined, "js_challenge"]);
    const query = `{ viewer { zones(filter: {zoneTag: "${zoneId}"}) {
      firewallEventsAdaptive { source action ruleId ruleMessage }
    } } }`;
    const { text } = await app.request("POST", "/graphql", { body: { query } });
    const told = { source: "securityLevel", ruleId: "under_attack", ruleMessage: "Under attack" };
    assert.deepEqual(JSON.parse(text).data.viewer.zones[0].firewallEventsAdaptive, [
      { ...told, action: "jschallenge_bypassed" },
      { ...told, action: "js_challenge" },
    ]);
  });
});

test("visitors under attack are challenged, unless a rule allows them, skips it or sets another level", async (t) => {
  const { change, rules, visit, untilStatus } = await startEdgeApp(t, "sqlite", await startOrigin(t));
  await rules("http_request_firewall_custom", [
    { action: "skip", expression: isAt("/api"), action_parameters: { products: ["securityLevel"] } },
  ]);
  const level = (path: string, security_level: string) => ({
    action: "set_config",
    expression: isAt(path),
    action_parameters: { security_level },
  });
  await rules("http_config_settings", [level("/calm", "low"), level("/tense", "under_attack")]);
  await change("POST", "/pagerules", {
    targets: [{ target: "url", constraint: { operator: "matches", value: "www.example.com/page*" } }],
    actions: [{ id: "security_level", value: "medium" }],
    status: "active",
  });
  await untilStatus("/tense", 403);
  assert.equal((await visit("/")).status, 200, "the zone is not under attack yet");

  await change("PATCH", "/settings/security_level", underAttack);
  const challenged = await untilStatus("/", 403);
  assert.equal(challenged.headers["cf-mitigated"], "challenge");
  for (const path of ["/api", "/calm", "/page"]) assert.equal((await visit(path)).status, 200, path);

  await change("POST", "/firewall/access_rules/rules", {
    mode: "whitelist",
    configuration: { target: "ip", value: "127.0.0.1" },
  });
  await untilStatus("/", 200);
});
