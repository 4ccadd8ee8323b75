import assert from "node:assert/strict";
import { test } from "node:test";

import { onEachEngine, startTestApp } from "../../../test/support/harness.ts";
import {
  eventsOf,
  harOf,
  owaspPackageId,
  replay,
  reportOf,
  scriptInjection,
  traditionalPackageId,
  sqlInjection,
  zoneOf,
} from "../../../test/support/replay-api.ts";
import { custom, managedRulesetId, owaspRulesetId } from "../../../test/support/ruleset-api.ts";
import { storedRows } from "../../../test/support/store.ts";

const execute = (id: string, rest: object = {}) => ({
  action: "execute",
  expression: "true",
  action_parameters: { id, ...rest },
});

onEachEngine("replayRequests", (engine) => {
  test("in validation mode judges by the new version, then by the previous one, each with its own event", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    await zone.migrate("validation", [
      {
        action: "skip",
        expression: 'http.host eq "www.example.com"',
        action_parameters: { ruleset: "current" },
      },
      execute(managedRulesetId),
    ]);
    const report = await reportOf(
      app,
      zone.id,
      harOf(
        { url: `https://example.com${scriptInjection}` },
        { url: `https://www.example.com${scriptInjection}` },
        { url: "https://example.com/harmless" },
        { url: "https://cdn.example.net/lib.js" },
        { url: "data:text/plain,x" },
      ),
    );
    const scores = report.passed_by_new[0].owasp_scores;
    assert.ok(scores.paranoia_level_1 <= scores.paranoia_level_2 && scores.paranoia_level_1 > 0);
    const previous = {
      action: "block",
      ruleset_id: traditionalPackageId,
      rule_id: "100007",
      description: "Cross-site scripting - Script element",
    };
    const byNew = {
      action: "block",
      ruleset_id: managedRulesetId,
      rule_id: "1fea10801f84c1f168b1ebad0473c038",
      description: "Cross-site scripting - Script element",
    };
    assert.deepEqual(report, {
      format: "har",
      migration_state: "validation",
      new_configuration: "deployed",
      unreadable_entries: [],
      requests: { judged: 3, other_hosts: 2, unreadable: 0, decided_earlier: 0 },
      new: { block: 1, challenge: 0, log: 0, pass: 2 },
      previous: { block: 2, challenge: 0, log: 0, pass: 1 },
      passed_by_new: [
        {
          entry: 2,
          method: "GET",
          url: `https://www.example.com${scriptInjection}`,
          recorded_on: "2026-01-01T00:00:00.000Z",
          new: null,
          previous,
          owasp_scores: scores,
        },
      ],
      passed_by_new_count: 1,
      acted_on_by_new: [
        {
          entry: 1,
          method: "GET",
          url: `https://example.com${scriptInjection}`,
          recorded_on: "2026-01-01T00:00:00.000Z",
          new: byNew,
          previous,
          owasp_scores: scores,
        },
      ],
      owasp_scores: report.owasp_scores,
      events: 3,
    });
    const events = await eventsOf(app, zone.id);
    assert.deepEqual(
      events.map((event) => [event["source"], event["action"], event["ruleId"], event["matchIndex"]]),
      [
        ["firewallManaged", "block", byNew.rule_id, 1],
        ["waf", "block", "100007", 0],
        ["waf", "block", "100007", 0],
      ],
    );
    const [first, second, third] = events;
    assert.equal(first?.["rayName"], second?.["rayName"]);
    assert.notEqual(first?.["rayName"], third?.["rayName"]);
    assert.deepEqual(
      [first?.["clientIP"], first?.["clientRequestPath"], first?.["edgeResponseStatus"]],
      ["127.0.0.1", "/", 403],
    );
    assert.deepEqual(first?.["metadata"], [
      { key: "replayed", value: "true" },
      { key: "recorded_on", value: "2026-01-01T00:00:00.000Z" },
    ]);
  });

  test("judges a zone that has the previous version alone by what a migration would make of it", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    await zone.send("PATCH", `/firewall/waf/packages/${owaspPackageId}`, {
      sensitivity: "high",
      action_mode: "simulate",
    });
    await zone.send("PATCH", `/firewall/waf/packages/${traditionalPackageId}/rules/100007`, {
      mode: "challenge",
    });
    const before = await storedRows(app);
    const report = await reportOf(app, zone.id, harOf({ url: `https://example.com${scriptInjection}` }));
    assert.deepEqual(
      [report.migration_state, report.new_configuration, report.new, report.previous],
      [
        "start",
        "proposed",
        { block: 0, challenge: 1, log: 0, pass: 0 },
        { block: 0, challenge: 1, log: 0, pass: 0 },
      ],
    );
    assert.equal(report.acted_on_by_new[0].new.action, "managed_challenge");
    assert.equal(report.acted_on_by_new[0].previous.action, "challenge");
    // The new version is not in force: it leaves no event.
    const events = await eventsOf(app, zone.id);
    assert.deepEqual(
      events.map(({ source }) => source),
      ["waf"],
    );
    const after = await storedRows(app);
    const changed = Object.keys(after).filter((table) => after[table]?.join() !== before[table]?.join());
    assert.deepEqual(changed.toSorted(), ["audit_logs", "security_events"]);
  });

  test("an event tells the status that was answered, whatever a version that is not in force would answer", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    await zone.send("PUT", `/rulesets${custom}`, { rules: [{ action: "log", expression: "true" }] });
    const rules = `/firewall/waf/packages/${traditionalPackageId}/rules`;
    for (const id of ["100007", "100008"]) await zone.send("PATCH", `${rules}/${id}`, { mode: "disable" });
    await zone.send("PATCH", `/firewall/waf/packages/${owaspPackageId}`, { sensitivity: "high" });
    // A rule that is switched off in the OWASP package is not carried over.
    await zone.send("PATCH", `/firewall/waf/packages/${owaspPackageId}/rules/981176`, { mode: "off" });
    const url = `https://example.com${sqlInjection}&${scriptInjection.slice(2)}`;
    const report = await reportOf(app, zone.id, harOf({ url }));
    assert.deepEqual([report.new.pass, report.previous.pass], [0, 1]);
    const events = await eventsOf(app, zone.id);
    assert.deepEqual(
      events.map(({ source, edgeResponseStatus }) => [source, edgeResponseStatus]),
      [["firewallCustom", 200]],
    );
  });

  test("counts all requests that the new version passes, and lists the first 1,000", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    await zone.migrate("validation", [
      { action: "skip", expression: "true", action_parameters: { ruleset: "current" } },
      execute(managedRulesetId),
    ]);
    const attack = { url: `https://example.com${scriptInjection}` };
    const report = await reportOf(app, zone.id, harOf(...Array.from({ length: 1_001 }, () => attack)));
    assert.deepEqual([report.passed_by_new.length, report.passed_by_new_count], [1_000, 1_001]);
  });

  test("counts what the OWASP ruleset would add up to, and says which rules made it act", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    const overrides = {
      rules: [{ id: "6179ae15870a4bb7b2d480d4843b323c", action: "log", score_threshold: 1 }],
    };
    await zone.migrate("pending", [execute(owaspRulesetId, { overrides })]);
    const report = await reportOf(
      app,
      zone.id,
      harOf({ url: `https://example.com${sqlInjection}` }, { url: "https://example.com/harmless" }),
    );
    assert.equal(report.previous, null);
    assert.deepEqual([report.migration_state, report.new_configuration], ["complete", "deployed"]);
    const [listed] = report.acted_on_by_new;
    assert.deepEqual([listed.new.action, listed.previous], ["log", null]);
    assert.equal(listed.new.score, listed.owasp_scores.paranoia_level_4);
    assert.deepEqual(
      report.owasp_scores.map(({ paranoia_level }: { paranoia_level: number }) => paranoia_level),
      [1, 2, 3, 4],
    );
    assert.equal(report.owasp_scores[3].highest, listed.new.score);
    const [event] = await eventsOf(app, zone.id);
    const metadata = event?.["metadata"] as { key: string; value: string }[];
    assert.equal(metadata.find(({ key }) => key === "score")?.value, String(listed.new.score));
    assert.match(metadata.find(({ key }) => key === "scored_by")?.value ?? "", /^9\d{5}: .*; 9\d{5}: /);
  });

  test("a zone that is deleted while requests are judged is answered as one that is gone, without events", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    const attack = { url: `https://example.com${scriptInjection}` };
    const replayed = replay(app, zone.id, harOf(...Array.from({ length: 2_000 }, () => attack)));
    const events = async () => (await storedRows(app))["security_events"];
    while ((await events())?.length === 0);
    const deleted = await app.request("DELETE", `/zones/${zone.id}`);
    assert.equal(deleted.status, 200, deleted.text);
    const answer = await replayed;
    assert.deepEqual([answer.status, answer.body.errors[0]?.code], [404, 1001], answer.text);
    assert.deepEqual(await events(), []);
  });

  test("a rule ahead of the managed rules decides for both, or lets a request past the previous version", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    await zone.send("PUT", `/rulesets${custom}`, {
      rules: [
        { action: "block", expression: 'http.host eq "blocked.example.com"' },
        {
          action: "skip",
          expression: 'http.host eq "www.example.com"',
          action_parameters: { products: ["waf"] },
        },
      ],
    });
    const report = await reportOf(
      app,
      zone.id,
      harOf(
        { url: `https://blocked.example.com${scriptInjection}` },
        { url: `https://www.example.com${scriptInjection}` },
      ),
    );
    assert.equal(report.requests.decided_earlier, 1);
    assert.deepEqual(report.previous, { block: 0, challenge: 0, log: 0, pass: 1 });
    const events = await eventsOf(app, zone.id);
    assert.deepEqual(
      events.map(({ source, action, edgeResponseStatus }) => [source, action, edgeResponseStatus]),
      [["firewallCustom", "block", 403]],
    );
  });
});
