import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";

import { startEdgeApp, startOrigin, type EdgeApp } from "../../../test/support/edge-app.ts";
import { until } from "../../../test/support/harness.ts";
import { openHttp2, serveHttps } from "../../../test/support/http2-visitor.ts";
import { exchange } from "../../../test/support/raw-http.ts";
import { managedRulesetId } from "../../../test/support/ruleset-api.ts";
import { queryGraphql } from "../../../test/support/security-event-api.ts";

const isAt = (path: string) => `http.request.uri.path eq "${path}"`;
const isEvil = 'http.request.body.raw contains "evil"';

/** The statuses that a visitor gets which sends its body only once it is told to. */
async function statusesOf(
  { url }: EdgeApp,
  path: string,
  body: string,
  framing = `Content-Length: ${body.length}`,
): Promise<number[]> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1").setEncoding("latin1");
  let received = "";
  const head = `POST ${path} HTTP/1.1\r\nHost: www.example.com\r\nUser-Agent: test\r\n${framing}`;
  socket.write(`${head}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`);
  for await (const part of socket) {
    received += part as string;
    if (received === "HTTP/1.1 100 Continue\r\n\r\n") socket.write(body);
    else if (/^HTTP\/1.1 (?!100)/m.test(received)) break;
  }
  socket.destroy();
  return [...received.matchAll(/^HTTP\/1.1 (\d+)/gm)].map(([, status]) => Number(status));
}

test("a rule about the size of a body of unknown length waits for the body", async (t) => {
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t));
  await edge.rules("http_request_firewall_custom", [
    { action: "block", expression: "http.request.body.size gt 3" },
    { action: "block", expression: isAt("/ready") },
  ]);
  await edge.untilStatus("/ready", 403);
  const chunked = "Transfer-Encoding: chunked";
  assert.deepEqual(await statusesOf(edge, "/", "4\r\nlong\r\n0\r\n\r\n", chunked), [100, 403]);
  assert.deepEqual(await statusesOf(edge, "/", "3\r\nfew\r\n0\r\n\r\n", chunked), [100, 200]);
});

test("a visitor that waits for 100 is told to go on once a rule needs its body, or all have passed it", async (t) => {
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t), { new_zone_waf: "new" });
  await edge.rules("http_request_firewall_managed", [
    { action: "execute", expression: "true", action_parameters: { id: managedRulesetId } },
  ]);
  await edge.rules("http_request_firewall_custom", [
    { action: "log", expression: 'starts_with(http.request.uri.path, "/")' },
    { action: "block", expression: isAt("/ahead") },
    { action: "block", expression: `${isAt("/size")} and http.request.body.size gt 3` },
    { action: "block", expression: `not ${isAt("/other")} and ${isEvil}` },
    { action: "block", expression: isAt("/behind") },
    { action: "block", expression: isAt("/other") },
  ]);
  await edge.untilStatus("/other", 403);
  assert.deepEqual(await statusesOf(edge, "/ahead", "evil"), [403]);
  assert.deepEqual(await statusesOf(edge, "/other", "evil"), [403], "no rule had to look at the body");
  assert.deepEqual(await statusesOf(edge, "/size", "good"), [403], "the length is known");
  const chunks = "4\r\ngood\r\n0\r\n\r\n";
  assert.deepEqual(await statusesOf(edge, "/size", chunks, "Transfer-Encoding: chunked"), [100, 403]);
  assert.deepEqual(await statusesOf(edge, "/behind", "good"), [100, 403], "rules keep their order");
  assert.deepEqual(await statusesOf(edge, "/", "evil"), [100, 403]);
  assert.deepEqual(await statusesOf(edge, "/", "good"), [100, 200]);
  const old =
    "POST / HTTP/1.0\r\nHost: www.example.com\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\ngood";
  assert.match(await exchange(edge.url, old), /^HTTP\/1.1 200 /, "HTTP/1.0 has no 100");

  const events = async (): Promise<string[]> => {
    const query = `{ viewer { zones(filter: { zoneTag: "${edge.zoneId}" }) { firewallEventsAdaptive(limit: 100, filter: { userAgent: "test" }) { action clientRequestPath } } } }`;
    const { data } = await queryGraphql(edge.app, query);
    return data.viewer.zones[0].firewallEventsAdaptive
      .map((event: Record<string, string>) => `${event["action"]} ${event["clientRequestPath"]}`)
      .toSorted();
  };
  const blocked = ["/", "/ahead", "/behind", "/other", "/size", "/size"];
  const expected = [
    ...blocked.map((path) => `block ${path}`),
    ...[...blocked, "/"].map((path) => `log ${path}`),
  ];
  await until("all events are there", async () => (await events()).length >= expected.length);
  assert.deepEqual(await events(), expected.toSorted());
});

test("a rate limit counts a visitor that waits for 100 once, and stops it before its body is there", async (t) => {
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t));
  const perAddress = { characteristics: ["ip.src", "cf.colo.id"], period: 60 };
  await edge.rules("http_ratelimit", [
    { action: "block", expression: isAt("/a"), ratelimit: { ...perAddress, requests_per_period: 3 } },
    { action: "block", expression: isEvil, ratelimit: { ...perAddress, requests_per_period: 2 } },
  ]);
  await edge.rules("http_request_firewall_custom", [{ action: "block", expression: isAt("/ready") }]);
  await edge.untilStatus("/ready", 403);
  const told: number[][] = [];
  for (const body of ["good", "evil", "evil", "good"]) told.push(await statusesOf(edge, "/a", body));
  assert.deepEqual(told, [[100, 200], [100, 200], [100, 200], [429]]);
  assert.deepEqual(await statusesOf(edge, "/b", "evil"), [100, 429]);
  assert.deepEqual(await statusesOf(edge, "/b", "good"), [100, 200]);
});

test("a rule that looks at the response sees the body of a visitor that waits for 100", async (t) => {
  const port = await startOrigin(t, (request, response) => {
    request.resume().on("end", () => response.writeHead(request.url === "/" ? 200 : 503).end());
  });
  const edge = await startEdgeApp(t, "sqlite", port);
  await edge.rules("http_custom_errors", [
    {
      action: "serve_error",
      expression: `http.response.code eq 503 and ${isEvil}`,
      action_parameters: { content_type: "text/plain", content: "told", status_code: 530 },
    },
  ]);
  await edge.rules("http_request_firewall_custom", [{ action: "block", expression: isAt("/no") }]);
  await edge.untilStatus("/no", 403);
  assert.deepEqual(await statusesOf(edge, "/fails", "evil"), [100, 530]);
  assert.deepEqual(await statusesOf(edge, "/fails", "good"), [100, 503]);
  assert.deepEqual(await statusesOf(edge, "/no", "evil"), [403]);
});

test("a visitor of HTTP/2 that waits for 100 is told to go on only where a rule needs its body", async (t) => {
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t));
  await edge.rules("http_request_firewall_custom", [
    { action: "block", expression: isAt("/ahead") },
    { action: "block", expression: isEvil },
  ]);
  await edge.untilStatus("/ahead", 403);
  await serveHttps(edge);
  const session = openHttp2(t, edge);
  const told = (path: string, body: string): Promise<number[]> =>
    new Promise((resolve, reject) => {
      const statuses: number[] = [];
      const stream = session.request({
        ":path": path,
        ":method": "POST",
        ":authority": "www.example.com",
        expect: "100-continue",
      });
      stream.on("continue", () => {
        statuses.push(100);
        stream.end(body);
      });
      stream.on("response", ({ ":status": status }) => {
        resolve([...statuses, Number(status)]);
        stream.close();
      });
      stream.on("error", reject);
    });
  assert.deepEqual(await told("/ahead", "evil"), [403]);
  assert.deepEqual(await told("/", "evil"), [100, 403]);
  assert.deepEqual(await told("/", "good"), [100, 200]);
});
