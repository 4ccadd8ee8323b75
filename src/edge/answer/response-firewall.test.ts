import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { get, type IncomingMessage, type RequestListener } from "node:http";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";

import { replaceRules, rulesOfRelease, writeRelease } from "../../../test/support/core-rules.ts";
import { startEdgeApp, startOrigin, type EdgeApp } from "../../../test/support/edge-app.ts";
import { newDirectory, until } from "../../../test/support/harness.ts";
import { owaspRulesetId } from "../../../test/support/ruleset-api.ts";

const responseRulesetId = "15106db3366fe2f0868759d9065f8438";
const responseScoreRuleId = "b267fa314078e80abd0f5970459f549d";
const phase = "http_response_firewall_managed";

const responseRules = `
SecRule RESPONSE_STATUS "@rx ^5" "id:950100,phase:3,block,msg:'Error of the application',tag:'attack-disclosure',\\
    tag:'paranoia-level/1',severity:'NOTICE',setvar:'tx.outbound_anomaly_score_pl1=+2'"
SecRule RESPONSE_BODY "@contains ORA-00933" "id:951120,phase:4,block,t:none,msg:'Oracle SQL Information Leakage',\\
    tag:'attack-disclosure',tag:'paranoia-level/1',severity:'CRITICAL',setvar:'tx.outbound_anomaly_score_pl1=+5'"
SecRule TX:DETECTION_PARANOIA_LEVEL "@lt 2" "id:951014,phase:4,pass,nolog,skipAfter:END-951"
SecRule RESPONSE_BODY "@contains maybe" "id:951998,phase:4,block,t:none,msg:'Maybe a leak',\\
    tag:'paranoia-level/2',severity:'ERROR',setvar:'tx.outbound_anomaly_score_pl2=+4'"
SecMarker "END-951"
`;
const leak = "<p>ORA-00933: SQL command not properly ended</p>";

/** An edge whose zone has answers judged by a release. */
async function startWith(
  t: TestContext,
  origin: RequestListener,
  rules: readonly object[],
  settings: object = {},
): Promise<EdgeApp> {
  const crs = writeRelease(t);
  replaceRules(crs, `${rulesOfRelease("4.3.1")}${responseRules}`);
  const listener: RequestListener = (request, response) => {
    if (request.url === "/" || request.url === "/last") response.end("ready");
    else origin(request, response);
  };
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t, listener), {
    crs,
    new_zone_waf: "new",
    ...settings,
  });
  await edge.rules(phase, [...rules, { action: "block", expression: 'http.request.uri.path eq "/last"' }]);
  await edge.untilStatus("/last", 403);
  return edge;
}

const execute = (overrides?: object) => ({
  action: "execute",
  expression: "true",
  action_parameters: { id: responseRulesetId, ...(overrides && { overrides }) },
});

interface Event {
  readonly action: string;
  readonly metadata: readonly { readonly key: string; readonly value: string }[];
}

/** The events of a request that was answered with these headers. */
async function eventsOf(
  { app, zoneId }: EdgeApp,
  headers: IncomingMessage["headers"],
): Promise<readonly Event[]> {
  const ray = String(headers["cf-ray"]).split("-")[0];
  const fields = "action source ruleId edgeResponseStatus originResponseStatus metadata { key value }";
  const query = `{ viewer { zones(filter: { zoneTag: "${zoneId}" }) { firewallEventsAdaptive(limit: 9, filter: { rayName: "${ray}" }) { ${fields} } } } }`;
  let events: Event[] = [];
  await until(`events of ${ray}`, async () => {
    const { text } = await app.request("POST", "/graphql", { body: { query } });
    events = JSON.parse(text).data.viewer.zones[0].firewallEventsAdaptive;
    return events.length > 0;
  });
  return events;
}

const html =
  (body: string | Buffer, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(200, { "content-type": "text/html", ...headers }).end(body);
  };

test("an answer in which the Core Rule Set finds a leak is replaced by a page, and the event says why", async (t) => {
  const edge = await startWith(t, html(leak, { "x-of-origin": "1" }), [execute()]);
  await edge.rules("http_response_headers_transform", [
    {
      action: "rewrite",
      expression: "true",
      action_parameters: { headers: { "x-ruled": { operation: "set", value: "yes" } } },
    },
  ]);
  await until("the transform is in force", async () => (await edge.visit("/")).headers["x-ruled"] === "yes");
  const { status, text, headers } = await edge.visit("/a", { headers: { accept: "text/html" } });
  assert.equal(status, 403);
  assert.doesNotMatch(text, /ORA-/);
  assert.match(text, /<html/);
  assert.deepEqual([headers["x-of-origin"], headers["x-ruled"]], [undefined, "yes"]);
  const [event, ...others] = await eventsOf(edge, headers);
  assert.deepEqual(others, []);
  assert.ok(event);
  const { metadata, ...fields } = event;
  assert.deepEqual(fields, {
    action: "block",
    source: "dlp",
    ruleId: responseScoreRuleId,
    edgeResponseStatus: 403,
    originResponseStatus: 200,
  });
  const said = Object.fromEntries(
    metadata.map((one: { key: string; value: string }) => [one.key, one.value]),
  );
  assert.deepEqual([said["score"], said["scored_by"]], ["5", "951120: Oracle SQL Information Leakage"]);
});

test("levels, thresholds, actions and exceptions are those of the zone", async (t) => {
  const body = (text: string) => html(text);
  const edge = await startWith(t, (request, response) => body(String(request.url))(request, response), [
    {
      action: "skip",
      expression: 'http.request.uri.path eq "/except"',
      action_parameters: { ruleset: "current" },
    },
    execute({
      categories: [{ category: "paranoia-level-2", enabled: false }],
      rules: [{ id: responseScoreRuleId, action: "log", score_threshold: 5 }],
    }),
  ]);
  assert.equal((await edge.visit("/maybe")).status, 200);
  assert.equal((await edge.visit("/except?ORA-00933")).status, 200);
  const logged = await edge.visit("/a?ORA-00933");
  assert.equal(logged.status, 200);
  assert.equal((await eventsOf(edge, logged.headers))[0]?.action, "log");
  await edge.rules(phase, [execute({ rules: [{ id: responseScoreRuleId, score_threshold: 4 }] })]);
  await edge.untilStatus("/maybe", 403);
});

test("compressed and long bodies are judged as far as the documents say, and pass as they came", async (t) => {
  const long = `${"x".repeat(50_000)}${leak}`;
  const beyond = `${"x".repeat(131_072)}${leak}`;
  const bodies: Record<string, RequestListener> = {
    "/gzip": html(gzipSync(leak), { "content-encoding": "gzip" }),
    "/br": html(brotliCompressSync(leak), { "content-encoding": "br" }),
    "/long": html(long),
    "/bomb": html(gzipSync(`${"x".repeat(5_000_000)}${leak}`), { "content-encoding": "gzip" }),
    "/beyond": html(beyond),
    "/image": html(leak, { "content-type": "image/png" }),
    "/unknown": html(leak, { "content-encoding": "exi" }),
    "/constructor": html(leak, { "content-encoding": "constructor" }),
  };
  const edge = await startWith(t, (request, response) => bodies[request.url ?? ""]?.(request, response), [
    execute(),
  ]);
  for (const path of ["/gzip", "/br", "/long"]) assert.equal((await edge.visit(path)).status, 403, path);
  assert.equal((await edge.visit("/bomb")).status, 200);
  const whole = await edge.visit("/beyond");
  assert.deepEqual([whole.status, whole.text === beyond], [200, true]);
  for (const path of ["/image", "/unknown", "/constructor"]) {
    const { status, text } = await edge.visit(path);
    assert.deepEqual([status, text], [200, leak], path);
  }
});

test("a body that no rule reads is streamed", async (t) => {
  const origin: RequestListener = (request, response) => {
    response.writeHead(request.url === "/error" ? 500 : 200, { "content-type": "text/event-stream" });
    response.write("data: 1\n\n");
  };
  const edge = await startWith(t, origin, [
    { action: "block", expression: "http.response.code eq 500" },
    execute(),
  ]);
  const request = get(`${edge.url}/events`, { headers: { host: "www.example.com" }, agent: false });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const [part] = (await once(response, "data")) as [Buffer];
  assert.equal(String(part), "data: 1\n\n");
  response.on("error", () => undefined);
  request.destroy();
  assert.equal((await edge.visit("/error")).status, 403);
});

test("an origin that breaks off before its answer was judged is error 520", async (t) => {
  const edge = await startWith(
    t,
    (_, response) => {
      response.writeHead(200, { "content-type": "text/html", "content-length": "100" });
      response.write("begun", () => response.destroy());
    },
    [execute()],
  );
  assert.equal((await edge.visit("/a")).status, 520);
});

test("the log of matched rules has those of answers, also where only requests are acted on", async (t) => {
  const file = join(newDirectory(t), "matched.jsonl");
  const edge = await startWith(t, html(leak), [], { edge_matched_rules_log: file });
  await edge.rules("http_request_firewall_managed", [
    { action: "execute", expression: "true", action_parameters: { id: owaspRulesetId } },
  ]);
  const numbersOf = (marker: string): number[] => {
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    const its = lines.map((line) => JSON.parse(line)).filter((line) => line.marker === marker);
    assert.equal(its.length, 1, marker);
    return its[0].core_rules.map(({ id }: { id: number }) => id);
  };
  let count = 0;
  await until("both are named", async () => {
    const marker = `m${(count += 1)}`;
    assert.equal((await edge.visit("/a?q=evil", { headers: { "x-crs-test": marker } })).status, 200);
    return [942_999, 951_120].every((number) => numbersOf(marker).includes(number));
  });
});
