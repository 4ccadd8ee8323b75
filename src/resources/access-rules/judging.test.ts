import assert from "node:assert/strict";
import { test } from "node:test";

import { onEachEngine, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { eventsOf, harOf, reportOf, scriptInjection } from "../../../test/support/replay-api.ts";
import { custom, managed, managedRulesetId, zoneRulesets } from "../../../test/support/ruleset-api.ts";
import { addUser } from "../../../test/support/store.ts";

const url = `https://example.com${scriptInjection}`;

/** Makes a rule below a path and answers its id. */
async function addRule(
  app: TestApp,
  place: string,
  [target, value, mode]: readonly [string, string, string],
  headers?: Record<string, string>,
): Promise<string> {
  const body = { mode, configuration: { target, value }, notes: "Caught" };
  const path = `${place}/firewall/access_rules/rules`;
  const answer = await app.request("POST", path, { body, ...(headers && { headers }) });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.result.id;
}

/** Traces a request from this machine. */
async function trace(app: TestApp, context: object = {}) {
  const path = `/accounts/${app.owner.accountId}/request-tracer/trace`;
  return (await app.request("POST", path, { body: { url, method: "GET", context } })).body.result;
}

const stepsOf = ({ trace: steps }: { trace: { step_name: string; matched: boolean }[] }) =>
  steps.map(({ step_name, matched }) => [step_name, matched]);

onEachEngine("IP Access Rules that judge requests", (engine) => {
  test("block a traced request before the custom rules, and leave an event of their kind", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneRulesets(app);
    await zone.result("PUT", custom, { rules: [{ action: "block", expression: "true" }] });
    const id = await addRule(app, `/zones/${zone.zoneId}`, ["ip_range", "127.0.0.0/16", "block"]);
    const rule = { step_name: id, type: "rule", matched: true, description: "Caught", action: "block" };
    assert.deepEqual(await trace(app), {
      status_code: 403,
      trace: [{ step_name: "ipRange", type: "product", matched: true, trace: [rule] }],
    });
    const [event, ...others] = await eventsOf(app, zone.zoneId);
    assert.deepEqual(
      [event?.["source"], event?.["action"], event?.["ruleId"], event?.["rulesetId"], others],
      ["ipRange", "block", id, "", []],
    );
  });

  test("those that allow let a request pass by all security rules, and leave no event", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneRulesets(app);
    await zone.result("PUT", custom, { rules: [{ action: "block", expression: "true" }] });
    await zone.result("PUT", managed, {
      rules: [{ action: "execute", expression: "true", action_parameters: { id: managedRulesetId } }],
    });
    await addRule(app, `/zones/${zone.zoneId}`, ["ip", "127.0.0.1", "block"]);
    await addRule(app, `/accounts/${app.owner.accountId}`, ["ip", "127.0.0.1", "whitelist"]);
    const allowed = await trace(app);
    assert.deepEqual([allowed.status_code, stepsOf(allowed)], [undefined, [["ip", true]]]);
    assert.deepEqual(await eventsOf(app, zone.zoneId), []);
  });

  test("those that allow a country leave the managed rules in force", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneRulesets(app);
    await zone.result("PUT", custom, { rules: [{ action: "block", expression: "true" }] });
    await zone.result("PUT", managed, {
      rules: [{ action: "execute", expression: "true", action_parameters: { id: managedRulesetId } }],
    });
    await addRule(app, `/zones/${zone.zoneId}`, ["country", "DE", "whitelist"]);
    const answer = await trace(app, { geoloc: { iso_code: "DE" } });
    const steps = [
      ["country", true],
      ["http_request_firewall_managed", true],
    ];
    assert.deepEqual([answer.status_code, stepsOf(answer)], [403, steps]);
    assert.deepEqual(stepsOf(await trace(app)), [["http_request_firewall_custom", true]]);
  });

  test("a user's hold in the zones of accounts that it administers, and in no others", async (t) => {
    const app = await startTestApp(t, engine);
    await zoneRulesets(app);
    const stranger = await addUser(app, "stranger@example.net");
    await addRule(app, "/user", ["ip", "127.0.0.1", "block"], stranger.headers);
    assert.deepEqual(stepsOf(await trace(app)), []);
    await addRule(app, "/user", ["ip", "127.0.0.1", "block"]);
    assert.deepEqual(stepsOf(await trace(app)), [["ip", true]]);
  });

  test("block replayed requests by their clients' addresses before the managed rules judge them", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneRulesets(app);
    const blocked = await addRule(app, `/zones/${zone.zoneId}`, ["ip", "192.0.2.1", "block"]);
    await addRule(app, `/zones/${zone.zoneId}`, ["ip_range", "2001:db8::/32", "whitelist"]);
    await addRule(app, `/zones/${zone.zoneId}`, ["ip", "203.0.113.1", "block"]);
    const line = (client: string) =>
      `${client} - - [01/Jan/2026:00:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl/8"`;
    const log = ["192.0.2.1", "192.0.2.2", "2001:db8::1"].map(line).join("\n");
    const { requests } = await reportOf(app, zone.zoneId, log);
    assert.deepEqual([requests.judged, requests.decided_earlier], [3, 1]);
    const events = await eventsOf(app, zone.zoneId);
    assert.deepEqual(
      events.map(({ source, ruleId, clientIP }) => [source, ruleId, clientIP]),
      [["ip", blocked, "192.0.2.1"]],
    );
    const { requests: ofHar } = await reportOf(app, zone.zoneId, harOf({ url }));
    assert.equal(ofHar.decided_earlier, 0);
  });
});
