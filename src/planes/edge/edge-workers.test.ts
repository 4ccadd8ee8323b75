import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import type { ClientHttp2Session } from "node:http2";
import { connect, type TLSSocket } from "node:tls";
import { test, type TestContext } from "node:test";

import { cookieOf, sendAnswer, solvePage } from "../../../test/support/challenge.ts";
import {
  eventsOf,
  startEdgeApp,
  startOrigin,
  type EdgeApp,
  type VisitOptions,
  type VisitorAnswer,
} from "../../../test/support/edge-app.ts";
import { endEdgeWorkers } from "../../../test/support/edge-workers.ts";
import { onEachEngine, until, type Engine } from "../../../test/support/harness.ts";
import { openHttp2, serveHttps } from "../../../test/support/http2-visitor.ts";

/** Connections of which each of two threads gets some. */
const connections = 24;
const blocking = (path: string) => ({ action: "block", expression: `http.request.uri.path eq "${path}"` });
const custom = "http_request_firewall_custom";

async function start(t: TestContext, engine: Engine = "sqlite", origin?: number): Promise<EdgeApp> {
  return startEdgeApp(
    t,
    engine,
    origin ?? (await startOrigin(t)),
    { edge_workers: 2 },
    { edgeWorkerProgram: new URL("../../../test/support/ending-edge.worker.ts", import.meta.url) },
  );
}

/** The answers to the same request on many connections, at the same time. */
function answers(edge: EdgeApp, path: string, options?: VisitOptions): Promise<VisitorAnswer[]> {
  return Promise.all(Array.from({ length: connections }, () => edge.visit(path, options)));
}

async function untilAll(edge: EdgeApp, path: string, status: number, options?: VisitOptions): Promise<void> {
  await until(`all threads answer ${path} with ${status}`, async () => {
    const all = await answers(edge, path, options).catch(() => []);
    return all.length > 0 && all.every((answer) => answer.status === status);
  });
}

/** The number of sockets that listen at a port. */
function listeningAt(port: number): number {
  const place = `:${port.toString(16).toUpperCase().padStart(4, "0")} 00000000:0000 0A`;
  return readFileSync("/proc/net/tcp", "utf8").split(place).length - 1;
}

const isLinux = existsSync("/proc/net/tcp");
const portOf = ({ url }: EdgeApp): number => Number(new URL(url).port);

onEachEngine("threads of the edge", (engine) => {
  test("follow every change, and their requests are counted and their events stored together", async (t) => {
    const edge = await start(t, engine);
    if (isLinux) assert.deepEqual([listeningAt(portOf(edge)), listeningAt(edge.securePort)], [2, 2]);
    for (const path of ["/one", "/two"]) {
      await edge.rules(custom, [blocking(path)]);
      await untilAll(edge, path, 403);
    }
    await untilAll(edge, "/one", 200);
    await edge.rules(custom, [{ ...blocking("/gone"), action_parameters: gone }]);
    await untilAll(edge, "/gone", 410);
    const counted = async (): Promise<number> => {
      const metrics = await (await fetch(new URL("/metrics", edge.app.baseUrl))).text();
      return Number(/^zoneward_edge_requests_total\{status="410"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
    };
    let before = 0;
    await until("what was answered is counted", async () => {
      const now = await counted();
      const isSettled = now === before && now >= connections;
      before = now;
      return isSettled;
    });
    const refused = await answers(edge, "/gone");
    await until("all are counted", async () => (await counted()) >= before + connections);
    assert.equal(await counted(), before + connections);
    for (const { headers } of refused) assert.equal((await eventsOf(edge, headers["cf-ray"])).length, 1);
  });

  test("are replaced when they end, without the port being lost, and stop with the server", async (t) => {
    const edge = await start(t, engine);
    const port = portOf(edge);
    const ending = new BroadcastChannel(endEdgeWorkers);
    t.after(() => ending.close());
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no origin
    ending.postMessage("now");
    if (isLinux) {
      await until("a thread has ended", () => listeningAt(port) === 1);
      await untilAll(edge, "/", 200);
      await until("another one has taken its place", () => listeningAt(port) === 2);
    }
    await edge.rules(custom, [blocking("/later")]);
    await untilAll(edge, "/later", 403);
    await edge.app.close();
    if (isLinux) assert.equal(listeningAt(port), 0);
  });
});

const gone = { response: { status_code: 410, content_type: "text/plain", content: "gone" } };

test("a rate limit counts the requests to all threads", async (t) => {
  const edge = await start(t);
  await edge.rules("http_ratelimit", [
    {
      action: "block",
      expression: 'http.request.uri.path eq "/limited"',
      ratelimit: {
        characteristics: ["ip.src", "cf.colo.id"],
        period: 600,
        requests_per_period: connections - 2,
        mitigation_timeout: 600,
        counting_expression: 'http.request.uri.path eq "/counted"',
      },
    },
  ]);
  await edge.rules(custom, [blocking("/ready")]);
  await untilAll(edge, "/ready", 403);
  await untilAll(edge, "/limited", 200);
  await answers(edge, "/counted");
  await untilAll(edge, "/limited", 429);
});

test("the answer to a challenge is taken once, and counts for all threads", async (t) => {
  const edge = await start(t);
  await edge.rules(custom, [{ action: "js_challenge", expression: 'http.request.uri.path eq "/asked"' }]);
  await untilAll(edge, "/asked", 403);
  const solved = solvePage(await edge.visit("/asked"));
  const taken = await Promise.all(Array.from({ length: 8 }, () => sendAnswer(edge, solved)));
  const accepted = taken.filter(({ status }) => status === 200);
  assert.equal(accepted.length, 1);
  const [answer] = accepted;
  assert.ok(answer !== undefined);
  await untilAll(edge, "/asked", 200, { headers: { cookie: cookieOf(answer) } });
});

test("what is judged aside is judged for all threads", async (t) => {
  const edge = await start(t);
  await edge.rules(custom, [{ action: "block", expression: 'http.request.body.raw matches "a.{50}[n-z]"' }]);
  const body = `a${"b".repeat(50)}n${"ab".repeat(30_000)}`;
  await untilAll(edge, "/", 403, { method: "POST", body });
  await untilAll(edge, "/", 200, { method: "POST", body: body.slice(60) });
});

test("all threads serve HTTPS, HTTP/2 and sessions that another one began", async (t) => {
  const edge = await start(t);
  await serveHttps(edge);
  await untilAll(edge, "/", 200, { isSecure: true });
  const statuses = await Promise.all(
    Array.from({ length: connections }, async () => statusOf(openHttp2(t, edge))),
  );
  assert.deepEqual(new Set(statuses), new Set([200]));
  const first = openTls(t, edge);
  await once(first, "secureConnect");
  const session = first.getSession();
  for (let n = 0; n < connections; n += 1) {
    const later = openTls(t, edge, session);
    await once(later, "secureConnect");
    assert.equal(later.isSessionReused(), true);
    later.destroy();
  }
});

function openTls(t: TestContext, { securePort: port }: EdgeApp, session?: Buffer): TLSSocket {
  const socket = connect({
    port,
    host: "127.0.0.1",
    servername: "www.example.com",
    rejectUnauthorized: false,
    maxVersion: "TLSv1.2",
    ...(session && { session }),
  });
  t.after(() => socket.destroy());
  return socket;
}

async function statusOf(session: ClientHttp2Session): Promise<unknown> {
  const stream = session.request({ ":path": "/", ":authority": "www.example.com" });
  stream.resume();
  const [headers] = (await once(stream, "response")) as [Record<string, unknown>];
  return headers[":status"];
}

test("a shutdown finishes the requests in flight of all threads", async (t) => {
  const held: (() => void)[] = [];
  const origin = await startOrigin(t, (request, response) => {
    if (request.url === "/held") held.push(() => void response.end("late"));
    else response.end("at once");
  });
  const edge = await start(t, "sqlite", origin);
  const visits = answers(edge, "/held");
  await until("all requests are at the origin", () => held.length === connections);
  const closed = edge.app.close();
  if (isLinux) await until("no thread listens", () => listeningAt(portOf(edge)) === 0);
  for (const answer of held) answer();
  assert.deepEqual(
    (await visits).map(({ text }) => text),
    Array.from({ length: connections }, () => "late"),
  );
  await closed;
});
