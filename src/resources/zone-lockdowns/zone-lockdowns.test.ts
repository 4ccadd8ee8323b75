import assert from "node:assert/strict";
import { test } from "node:test";

import { onEachEngine, startTestApp } from "../../../test/support/harness.ts";
import { harOf, reportOf, scriptInjection } from "../../../test/support/replay-api.ts";
import { custom, zoneRulesets } from "../../../test/support/ruleset-api.ts";
import { createZonePart } from "../../../test/support/zone-parts.ts";
import { loggedActions } from "../../../test/support/logged-actions.ts";

const part = "firewall/lockdowns";
const unknownId = "0123456789abcdef0123456789abcdef";
const started = "2026-01-02T03:04:05.678000Z";
const office = { target: "ip", value: "198.51.100.4" };
const lockdown = { urls: ["example.com/wiki/*"], configurations: [office] };

onEachEngine("zone lockdowns", (engine) => {
  test("live their life: created, read, replaced and deleted, each change in the audit log", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await createZonePart(app, part);
    const sent = {
      ...lockdown,
      description: "Only the <b>office</b>",
      configurations: [office, { target: "ip_range", value: "2001:DB8::/64" }],
      priority: 5,
    };
    const made = await zone.result("POST", "", sent);
    const { id } = made;
    assert.match(id, /^[0-9a-f]{32}$/);
    const stored = { ...sent, id, created_on: started, modified_on: started, paused: false };
    assert.deepEqual(made, { ...stored, description: "Only the office" });
    app.advance(1_000);
    const replaced = await zone.result("PUT", `/${id}`, { ...lockdown, paused: true });
    assert.deepEqual(replaced, { ...made, ...lockdown, paused: true, modified_on: replaced.modified_on });
    assert.notEqual(replaced.modified_on, started);
    const { priority: _, ...unordered } = replaced;
    const again = await zone.result("PUT", `/${id}`, { ...lockdown, priority: null });
    assert.deepEqual(again, unordered);
    await app.restart();
    assert.deepEqual(await zone.result("GET"), [again]);
    assert.deepEqual(await zone.result("GET", `/${id}`), again);
    assert.deepEqual(await zone.result("DELETE", `/${id}`), { id });
    const unknown = { status: 404, code: 10001, message: "zonelockdown.api.not_found" };
    await zone.refuses("DELETE", `/${id}`, undefined, unknown);
    await zone.refuses("PUT", `/${unknownId}`, lockdown, unknown);
    assert.deepEqual((await loggedActions(app, "zone_lockdown")).toSorted(), [
      "zone_lockdown_add",
      "zone_lockdown_delete",
      "zone_lockdown_edit",
      "zone_lockdown_edit",
    ]);
  });

  test("that cannot be are refused, and nothing is stored", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await createZonePart(app, part);
    await zone.result("POST", "", { ...lockdown, urls: ["example.com/a", "example.com/b"] });
    const other = await zone.result("POST", "", lockdown);
    const another = { ...lockdown, urls: ["example.com/another"] };
    const range = (value: string) => ({ target: "ip_range", value });
    const ofConfigurations = "/configurations/1/value";
    const refusals: readonly (readonly [object, number, string])[] = [
      [{ configurations: [office] }, 1003, "/urls"],
      [{ ...another, urls: [] }, 1003, "/urls"],
      [{ ...another, configurations: [] }, 1003, "/configurations"],
      [{ ...another, configurations: [{ target: "asn", value: "AS1" }] }, 1003, "/configurations/0/target"],
      [{ ...another, urls: ["example.org/*"] }, 10011, "/urls/0"],
      [{ ...another, urls: ["example.com/x", "*.com/*"] }, 10011, "/urls/1"],
      [
        { ...another, configurations: [office, { target: "ip", value: "192.0.2.0/24" }] },
        10011,
        ofConfigurations,
      ],
      [{ ...another, configurations: [office, range("192.0.2.0/25")] }, 10011, ofConfigurations],
      [{ ...another, configurations: [office, range("192.0.2.0")] }, 10011, ofConfigurations],
      [{ ...another, configurations: [office, range("2001:db8::/33")] }, 10011, ofConfigurations],
      [{ ...another, urls: ["example.com/B", "example.com/a"] }, 10009, "/urls"],
      [{ ...another, priority: -1 }, 1003, "/priority"],
      [{ ...another, description: "x".repeat(1_025) }, 1003, "/description"],
    ];
    const before = await zone.result("GET");
    await zone.refusesEach(t, other.id, refusals);
    assert.deepEqual(await zone.result("GET"), before);
  });

  test("are as many as the plan has", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await createZonePart(app, part, { plan: "free" });
    const full = { code: 10016, message: "zonelockdown.api.not_entitled.max_rules" };
    await zone.refuses("POST", "", lockdown, full);
    await zone.setPlan("pro");
    for (const n of [1, 2, 3]) await zone.result("POST", "", { ...lockdown, urls: [`example.com/${n}`] });
    await zone.refuses("POST", "", lockdown, full);
    await zone.setPlan("business");
    await zone.result("POST", "", lockdown);
  });

  test("are listed by priority and found by what they say", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await createZonePart(app, part);
    const make = async (name: string, rest: object) => {
      app.advance(1_000);
      return zone.result("POST", "", {
        ...lockdown,
        urls: [`${name}.example.com/*`],
        description: name,
        ...rest,
      });
    };
    await make("wiki", {});
    await make("shop", { priority: 7, configurations: [{ target: "ip_range", value: "192.0.2.0/24" }] });
    await make("blog", { priority: 3, configurations: [{ target: "ip", value: "2001:db8::1" }] });
    const search = async (query: string) =>
      (await zone.result("GET", query)).map(({ description }: { description: string }) => description);
    assert.deepEqual(await search(""), ["blog", "shop", "wiki"]);
    assert.deepEqual(await search("?direction=desc"), ["wiki", "shop", "blog"]);
    assert.deepEqual(await search("?per_page=1&page=2"), ["shop"]);
    assert.deepEqual(await search("?description=HO"), ["shop"]);
    assert.deepEqual(await search("?description_search=b"), ["blog"]);
    assert.deepEqual(await search("?ip=198.51.100.4"), ["wiki"]);
    assert.deepEqual(await search("?ip_search=2001:0DB8:0::1"), ["blog"]);
    assert.deepEqual(await search("?ip_search=192.0.2.1"), []);
    assert.deepEqual(await search("?ip_range_search=192.0.2.9/24"), ["shop"]);
    assert.deepEqual(await search("?uri_search=SHOP.example.com"), ["shop"]);
    assert.deepEqual(await search("?priority=3"), ["blog"]);
    assert.deepEqual(await search("?created_on=2026-01-02T03:04:07.678Z"), ["shop"]);
    assert.deepEqual(await search("?modified_on=2026-01-02T03:04:06.678%2B00:00&ip=198.51.100.4"), ["wiki"]);
    assert.equal((await zone.send("GET", "?created_on=today")).body.errors[0]?.code, 1003);
  });

  test("block a traced request from elsewhere after custom rules, unless these skip them", async (t) => {
    const app = await startTestApp(t, engine);
    const rulesets = await zoneRulesets(app);
    const trace = async (url: string) => {
      const path = `/accounts/${app.owner.accountId}/request-tracer/trace`;
      return (await app.request("POST", path, { body: { url, method: "GET" } })).body.result;
    };
    const { body } = await app.request("POST", `/zones/${rulesets.zoneId}/${part}`, {
      body: { ...lockdown, description: "Wiki" },
    });
    const { id } = body.result;
    const step = { step_name: "zoneLockdown", type: "product" };
    const rule = { step_name: id, type: "rule", matched: true, description: "Wiki", action: "block" };
    assert.deepEqual(await trace("https://example.com/Wiki/start?x"), {
      status_code: 403,
      trace: [{ ...step, matched: true, trace: [rule] }],
    });
    assert.deepEqual((await trace("https://example.com/shop")).trace, [
      { ...step, matched: false, trace: [] },
    ]);
    const query = `{ viewer { zones(filter: {zoneTag: "${rulesets.zoneId}"}) {
      firewallEventsAdaptive { source action ruleId rulesetId ruleMessage edgeResponseStatus }
    } } }`;
    const events = async () =>
      JSON.parse((await app.request("POST", "/graphql", { body: { query } })).text).data.viewer.zones[0]
        .firewallEventsAdaptive;
    const event = { source: "zoneLockdown", action: "block", ruleId: id, rulesetId: "", ruleMessage: "Wiki" };
    assert.deepEqual(await events(), [{ ...event, edgeResponseStatus: 403 }]);
    const skip = { action: "skip", expression: "true", action_parameters: { products: ["zoneLockdown"] } };
    await rulesets.result("PUT", custom, { rules: [skip] });
    const { status_code: status, trace: steps } = await trace("https://example.com/wiki/");
    assert.equal(status, undefined);
    assert.deepEqual(
      steps.map(({ step_name }: { step_name: string }) => step_name),
      ["http_request_firewall_custom"],
    );
    await rulesets.result("PUT", custom, { rules: [] });
    await app.request("PUT", `/zones/${rulesets.zoneId}/${part}/${id}`, {
      body: { ...lockdown, paused: true },
    });
    assert.equal((await trace("https://example.com/wiki/")).status_code, undefined);
    // The lockdown has left no other event; that of the rule tells of what it skipped.
    assert.deepEqual(
      (await events()).map(({ source, action }: typeof event) => `${source} ${action}`),
      ["firewallCustom skip", "zoneLockdown block"],
    );
  });

  test("block a replayed request before the managed rules judge it", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await createZonePart(app, part);
    const { id } = await zone.result("POST", "", lockdown);
    const urls = [`https://example.com/wiki${scriptInjection}`, "https://example.com/shop"];
    const report = await reportOf(app, zone.zoneId, harOf(...urls.map((url) => ({ url }))));
    assert.equal(report.requests.decided_earlier, 1);
    const query = `{ viewer { zones(filter: {zoneTag: "${zone.zoneId}"}) {
      firewallEventsAdaptive { source ruleId metadata { key value } }
    } } }`;
    const { text } = await app.request("POST", "/graphql", { body: { query } });
    const [event, ...others] = JSON.parse(text).data.viewer.zones[0].firewallEventsAdaptive;
    assert.deepEqual([event.source, event.ruleId, others], ["zoneLockdown", id, []]);
    assert.deepEqual(event.metadata[0], { key: "replayed", value: "true" });
  });
});
