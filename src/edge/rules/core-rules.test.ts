import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, test, type TestContext } from "node:test";

import {
  debianRules,
  replaceRules,
  rulesOfRelease,
  withoutDebianRules,
  writeRelease,
} from "../../../test/support/core-rules.ts";
import {
  startEdgeApp,
  startOrigin,
  type EdgeApp,
  type VisitOptions,
} from "../../../test/support/edge-app.ts";
import { until } from "../../../test/support/harness.ts";
import { finalScoreRuleId, owaspRulesetId } from "../../../test/support/ruleset-api.ts";

interface Event {
  readonly action: string;
  readonly ruleId: string;
  readonly edgeResponseStatus: number;
  readonly metadata: readonly { readonly key: string; readonly value: string }[];
}

/** An edge whose zone executes the OWASP ruleset. */
async function startWith(t: TestContext, crs: string, acting: object, categories: object[] = []) {
  const settings = { crs, new_zone_waf: "new" } as const;
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t), settings, { coreRulesRoundMs: 20 });
  const overrides = {
    rules: [{ id: finalScoreRuleId, ...acting }],
    ...(categories.length > 0 && { categories }),
  };
  await edge.rules("http_request_firewall_managed", [
    {
      action: "execute",
      expression: 'not http.request.uri.path eq "/ready"',
      action_parameters: { id: owaspRulesetId, overrides },
    },
  ]);
  return edge;
}

async function eventOf({ app, zoneId }: EdgeApp, ray: string): Promise<Event> {
  const fields = "action ruleId edgeResponseStatus metadata { key value }";
  const query = `{ viewer { zones(filter: { zoneTag: "${zoneId}" }) { firewallEventsAdaptive(limit: 1, filter: { rayName: "${ray}" }) { ${fields} } } } }`;
  let event: Event | undefined;
  await until(`an event of ${ray}`, async () => {
    const { text } = await app.request("POST", "/graphql", { body: { query } });
    event = JSON.parse(text).data.viewer.zones[0].firewallEventsAdaptive[0];
    return event !== undefined;
  });
  return event as Event;
}

const rayOf = (headers: Readonly<Record<string, unknown>>): string =>
  String(headers["cf-ray"]).split("-")[0] ?? "";
const sqlInjection = "/?q=1%27+or+%271%27=%271";
const form = (body: string): VisitOptions => ({
  method: "POST",
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body,
});

describe("the Core Rule Set at the edge", () => {
  test("blocks at the threshold, and the event says what matched", async (t) => {
    const edge = await startWith(t, writeRelease(t), { score_threshold: 8 });
    const { headers } = await edge.untilStatus(sqlInjection, 403);
    assert.equal((await edge.visit("/?q=evil")).status, 200);
    const { action, ruleId, edgeResponseStatus, metadata } = await eventOf(edge, rayOf(headers));
    assert.deepEqual([action, ruleId, edgeResponseStatus], ["block", finalScoreRuleId, 403]);
    const { score, scored_by, ...matches } = Object.fromEntries(
      metadata.map(({ key, value }) => [key, value]),
    );
    assert.equal(score, "8");
    assert.equal(scored_by, "942100: SQL Injection Attack Detected via libinjection; 942998: A quote");
    assert.ok(Object.keys(matches).every((key) => /^match_[0-9a-f]{32}$/.test(key)));
    const data = { variable: "ARGS:q", value: "1' or '1'='1" };
    assert.deepEqual(
      Object.values(matches).map((text) => JSON.parse(text)),
      [
        { description: "942100: SQL Injection Attack Detected via libinjection", score: 5, ...data },
        { description: "942998: A quote", score: 3, ...data },
      ],
    );
  });

  test("says in an event what a macro of a rule's message stands for, and no secret; the list of rules leaves it out", async (t) => {
    const crs = writeRelease(t);
    const naming = `SecRule REQUEST_HEADERS_NAMES "@rx ^x-restricted$" "id:920450,phase:1,t:lowercase,msg:'Restricted header (%{MATCHED_VAR})',severity:CRITICAL,setvar:tx.inbound_anomaly_score_pl1=+%{tx.critical_anomaly_score}"
      SecRule ARGS:password "@contains x" "id:920451,phase:1,msg:'Word %{MATCHED_VAR}',severity:CRITICAL,setvar:tx.inbound_anomaly_score_pl1=+%{tx.critical_anomaly_score}"`;
    replaceRules(crs, `${rulesOfRelease("4.4.0")}${naming}`);
    const edge = await startWith(t, crs, { score_threshold: 8 });
    await edge.untilStatus(sqlInjection, 403);
    const { headers } = await edge.visit("/?password=xsecret", { headers: { "x-restricted": "1" } });
    const { metadata } = await eventOf(edge, rayOf(headers));
    const scoredBy = metadata.find(({ key }) => key === "scored_by")?.value;
    assert.equal(scoredBy, "920450: Restricted header (x-restricted); 920451: (not shown)");
    const listed = await edge.app.request("GET", `/zones/${edge.zoneId}/rulesets/${owaspRulesetId}`);
    const names = new Set(
      JSON.parse(listed.text).result.rules.map((rule: { description: string }) => rule.description),
    );
    assert.ok(names.has("920450: Restricted header"));
    assert.ok(names.has("920451: Word"));
  });

  test("judges the beginning of a body of any length", async (t) => {
    const edge = await startWith(t, writeRelease(t), { score_threshold: 8 });
    await edge.untilStatus(sqlInjection, 403);
    const attack = "q=1' or '1'='1";
    assert.equal((await edge.visit("/", form(attack))).status, 403);
    assert.equal((await edge.visit("/", form(`p=${"x".repeat(50_000)}&${attack}`))).status, 403);
    const beyond = await edge.visit("/", form(`p=${"x".repeat(200_000)}&${attack}`));
    assert.equal(beyond.status, 200);
    assert.ok(beyond.echo.body.endsWith(attack));
  });

  test("judges what came, in its order and its octets, before the edge changed it", async (t) => {
    const crs = writeRelease(t);
    const edge = await startWith(t, crs, { score_threshold: 1 });
    await edge.untilStatus(sqlInjection, 403);
    const seen = `SecRule REQUEST_LINE "@streq GET /a/../b%2e?x=%E9 HTTP/1.1" "id:920001,phase:1,chain,msg:'line',severity:CRITICAL"
      SecRule REQUEST_HEADERS:X-Octets "@rx ^\\xe9$" "setvar:tx.inbound_anomaly_score_pl1=+%{tx.critical_anomaly_score}"
      SecRule &REQUEST_HEADERS:X-Twice "@eq 2" "id:920002,phase:1,msg:'twice',severity:CRITICAL,setvar:tx.inbound_anomaly_score_pl1=+%{tx.critical_anomaly_score}"
      SecRule &REQUEST_HEADERS:User-Agent "@eq 0" "id:920003,phase:1,msg:'no agent',severity:CRITICAL,setvar:tx.inbound_anomaly_score_pl1=+%{tx.critical_anomaly_score}"`;
    replaceRules(crs, `${rulesOfRelease("4.4.0")}${seen}`);
    const request = Buffer.from(
      "GET /a/../b%2e?x=%E9 HTTP/1.1\r\nHost: www.example.com\r\nX-Octets: \xe9\r\nX-Twice: 1\r\nx-twice: 2\r\nConnection: close\r\n\r\n",
      "latin1",
    );
    let text = "";
    await until("all of it was seen", async () => {
      const socket = connect(Number(new URL(edge.url).port), "127.0.0.1").setEncoding("latin1");
      text = "";
      socket.on("data", (part) => (text += part));
      socket.end(request);
      await once(socket, "close");
      return text.startsWith("HTTP/1.1 403");
    });
    const event = await eventOf(edge, /cf-ray: (\w+)/.exec(text)?.[1] ?? "");
    assert.deepEqual(
      event.metadata.find(({ key }) => key === "scored_by")?.value,
      "920001: line; 920002: twice; 920003: no agent",
    );
  });
});

describe("Debian's Core Rule Set at the edge", { skip: withoutDebianRules }, () => {
  test("scores textbook attacks, logs them and blocks them at the threshold", async (t) => {
    const level1 = [2, 3, 4].map((level) => ({ category: `paranoia-level-${level}`, enabled: false }));
    const edge = await startWith(t, debianRules, { score_threshold: 5 }, level1);
    const like = { headers: { "user-agent": "curl/8.5.0", accept: "*/*" } };
    await edge.untilStatus("/?id=1%27%20OR%201=1--%20-", 403, like);
    const attacks: readonly [path: string, number: number][] = [
      ["/?id=1%27%20UNION%20SELECT%20username,password%20FROM%20users--", 942_100],
      ["/?q=%3Cscript%3Ealert(1)%3C/script%3E", 941_100],
      ["/?f=../../../../etc/passwd", 930_120],
      ["/?c=;cat%20/etc/passwd", 932_160],
    ];
    for (const [path, number] of attacks) {
      const { status, headers } = await edge.visit(path, like);
      assert.equal(status, 403, path);
      const { metadata } = await eventOf(edge, rayOf(headers));
      assert.match(
        metadata.find(({ key }) => key === "scored_by")?.value ?? "",
        new RegExp(`\\b${number}: `),
      );
    }
    for (const path of ["/", "/search?q=select+a+chair&from=here", "/a/b.html?utm_source=mail"]) {
      assert.equal((await edge.visit(path, like)).status, 200, path);
    }
    assert.equal(
      (await edge.visit("/", { ...like, ...form("name=O%27Neill&note=hello+world") })).status,
      200,
    );
  });
});
