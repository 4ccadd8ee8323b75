import assert from "node:assert/strict";
import { test } from "node:test";

import { byToken, onEachEngine, startTestApp, type TestAnswer, type TestApp } from "../../../test/harness.ts";
import { custom, managed, managedRulesetId, owaspRulesetId } from "../../../test/ruleset-api.ts";
import { storedRows } from "../../../test/store.ts";

const owaspPackageId = "c504870194831cd12c3fc0284f294abb";
const traditionalPackageId = "1e334934fd7ae32ad705667f8c1057aa";

const script = "/?q=%3Cscript%3Ealert(1)%3C/script%3E";
const union = "/?id=1%27%20UNION%20SELECT%20username,password%20FROM%20users--";

interface Entry {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function harOf(...entries: readonly Entry[]): string {
  return JSON.stringify({
    log: {
      version: "1.2",
      creator: { name: "a test", version: "1" },
      entries: entries.map(({ url, method = "GET", headers = {} }) => ({
        startedDateTime: "2026-01-01T00:00:00.000Z",
        request: {
          method,
          url,
          httpVersion: "HTTP/1.1",
          headers: Object.entries({ "User-Agent": "curl/8", Accept: "*/*", ...headers }).map(
            ([name, value]) => ({ name, value }),
          ),
          cookies: [],
        },
        response: { status: 200 },
      })),
    },
  });
}

async function replay(
  app: TestApp,
  zoneId: string,
  file: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<TestAnswer> {
  const form = new FormData();
  form.set("file", new Blob([file]), "requests");
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const response = await fetch(`${app.baseUrl}/zones/${zoneId}/waf_migration/replay`, {
    method: "POST",
    headers: byToken,
    body: form,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

async function reportOf(...sent: Parameters<typeof replay>): Promise<TestAnswer["body"]["result"]> {
  const answer = await replay(...sent);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.result;
}

async function eventsOf(app: TestApp, zoneId: string): Promise<Record<string, unknown>[]> {
  const query = `{ viewer { zones(filter: {zoneTag: "${zoneId}"}) {
    firewallEventsAdaptive(orderBy: [datetime_ASC]) {
      source action ruleId rulesetId clientIP clientRequestPath edgeResponseStatus rayName matchIndex
      metadata { key value }
    }
  } } }`;
  const { body } = await app.request("POST", "/graphql", { body: { query } });
  const { data } = body as unknown as { data: { viewer: { zones: [{ firewallEventsAdaptive: [] }] } } };
  return data.viewer.zones[0].firewallEventsAdaptive;
}

/** A zone with the previous version switched on, and what is done to it. */
async function zoneOf(app: TestApp) {
  const id = await app.createZone("example.com");
  const zone = `/zones/${id}`;
  const send = async (method: string, path: string, body: unknown) => {
    const answer = await app.request(method, zone + path, { body });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.result;
  };
  await send("PATCH", "/settings/waf", { value: "on" });
  return {
    id,
    send,
    migrate: async (mode: "validation" | "pending", rules: readonly object[]) =>
      send("PUT", `/rulesets${managed}?waf_migration=${mode}&phase_two=1`, { rules }),
  };
}

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
        { url: `https://example.com${script}` },
        { url: `https://www.example.com${script}` },
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
      requests: { judged: 3, other_hosts: 2, unreadable: 0, decided_earlier: 0 },
      new: { block: 1, challenge: 0, log: 0, pass: 2 },
      previous: { block: 2, challenge: 0, log: 0, pass: 1 },
      passed_by_new: [
        {
          entry: 2,
          method: "GET",
          url: `https://www.example.com${script}`,
          new: null,
          previous,
          owasp_scores: scores,
        },
      ],
      acted_on_by_new: [
        {
          entry: 1,
          method: "GET",
          url: `https://example.com${script}`,
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
        ["firewallManaged", "block", byNew.rule_id, 0],
        ["waf", "block", "100007", 1],
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
    const report = await reportOf(app, zone.id, harOf({ url: `https://example.com${script}` }));
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

  test("the previous version heeds its setting, page rules, bypasses, modes and sensitivity", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    const packages = "/firewall/waf/packages";
    const verdict = async (url: string, headers: Readonly<Record<string, string>> = {}) => {
      const report = await reportOf(app, zone.id, harOf({ url, headers }));
      const shown = Object.entries(report.previous as Record<string, number>).find(([, count]) => count > 0);
      return shown?.[0];
    };
    const attack = `https://www.example.com/a${script.slice(1)}`;
    assert.equal(await verdict(attack), "block");

    const rule = await zone.send("POST", "/pagerules", {
      targets: [{ target: "url", constraint: { operator: "matches", value: "*example.com/a*" } }],
      actions: [{ id: "disable_security" }],
      status: "active",
    });
    assert.equal(await verdict(attack), "pass");
    await zone.send("DELETE", `/pagerules/${rule.id}`, undefined);
    const [bypass] = await zone.send("POST", "/firewall/rules", [
      {
        action: "bypass",
        products: ["waf"],
        filter: {
          expression: `http.host eq "www.example.com" and ${'http.host ne "x" and '.repeat(250)}ssl`,
        },
      },
    ]);
    assert.equal(await verdict(attack), "pass");
    await zone.send("DELETE", `/firewall/rules/${bypass.id}`, undefined);
    assert.equal(await verdict(attack), "block");

    await zone.send("PATCH", `${packages}/${owaspPackageId}`, { sensitivity: "off" });
    const groups = await zone.send(
      "GET",
      `${packages}/${traditionalPackageId}/groups?name=Cloudflare%20Specials`,
      undefined,
    );
    await zone.send("PATCH", `${packages}/${traditionalPackageId}/groups/${groups[0].id}`, { mode: "off" });
    assert.equal(await verdict(attack), "pass");
    await zone.send("PATCH", `${packages}/${owaspPackageId}`, {
      sensitivity: "high",
      action_mode: "challenge",
    });
    const scored = `https://www.example.com${union}`;
    const levels = (await reportOf(app, zone.id, harOf({ url: scored }))).owasp_scores;
    assert.ok(levels[1].highest >= 25 && levels[1].highest < 65);
    assert.equal(await verdict(scored), "challenge");
    // Requests of scripts need a higher sum, as much of what they hold looks like an attack.
    assert.equal(await verdict(scored, { "X-Requested-With": "XMLHttpRequest" }), "pass");
    await zone.send("PATCH", `${packages}/${owaspPackageId}/rules/981176`, { mode: "off" });
    assert.equal(await verdict(scored), "pass");

    await zone.send("PATCH", "/settings/waf", { value: "off" });
    assert.equal(await verdict(attack), "pass");
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
      harOf({ url: `https://example.com${union}` }, { url: "https://example.com/harmless" }),
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
      harOf({ url: `https://blocked.example.com${script}` }, { url: `https://www.example.com${script}` }),
    );
    assert.equal(report.requests.decided_earlier, 1);
    assert.deepEqual(report.previous, { block: 0, challenge: 0, log: 0, pass: 1 });
    const events = await eventsOf(app, zone.id);
    assert.deepEqual(
      events.map(({ source, action, edgeResponseStatus }) => [source, action, edgeResponseStatus]),
      [["firewallCustom", "block", 403]],
    );
  });

  test("reads an access log, whose clients and hosts are those of its lines", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    const line = (client: string, target: string) =>
      `${client} - - [10/Oct/2025:13:55:36 -0700] "GET ${target} HTTP/1.1" 200 2326 "https://a.example/" "curl/8"`;
    const log = [
      line("203.0.113.9", script),
      line("crawler.example", script),
      line("203.0.113.9", "http://elsewhere.example/"),
      '203.0.113.9 - - [10/Oct/2025:13:55:36 -0700] "-" 408 0 "-" "-"',
    ].join("\n");
    const report = await reportOf(app, zone.id, log, { host: "shop.example.com" });
    assert.equal(report.format, "combined_log");
    assert.deepEqual(report.requests, { judged: 2, other_hosts: 1, unreadable: 1, decided_earlier: 0 });
    assert.equal(report.acted_on_by_new[0].url, `https://shop.example.com${script}`);
    const events = await eventsOf(app, zone.id);
    assert.deepEqual(
      events.map(({ clientIP }) => clientIP),
      ["203.0.113.9", "127.0.0.1"],
    );
  });

  test("what cannot be replayed is refused, and nothing is written", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    const before = await storedRows(app);
    const one = harOf({ url: "https://example.com/" });
    const many = harOf(...Array.from({ length: 10_001 }, () => ({ url: "https://example.com/" })));
    const cases: readonly (readonly [string, number, number, string, Record<string, string>?])[] = [
      ["", 400, 40020, "/file"],
      ["no format", 400, 40020, "/file"],
      ["{", 400, 40021, ""],
      [one.replace('"url"', '"uri"'), 400, 40021, "/log/entries/0/request/url"],
      [harOf({ url: "https://example.net/" }), 400, 40023, "/file"],
      [harOf({ url: "https://notexample.com/" }), 400, 40023, "/file"],
      [harOf(), 400, 40023, "/file"],
      [many, 400, 40024, "/file"],
      [one, 400, 1003, "/host", { host: "example.net" }],
      [one + " ".repeat(16 * 1024 * 1024), 413, 10413, "/file"],
    ];
    for (const [file, status, code, pointer, fields] of cases) {
      const answer = await replay(app, zone.id, file, fields);
      const [error] = answer.body.errors;
      assert.deepEqual([answer.status, error?.code, error?.source?.pointer ?? ""], [status, code, pointer]);
    }
    const noForm = await app.request("POST", `/zones/${zone.id}/waf_migration/replay`, { body: {} });
    assert.deepEqual([noForm.status, noForm.body.errors[0]?.code], [400, 1003]);
    assert.deepEqual(await storedRows(app), before);
  });
});
