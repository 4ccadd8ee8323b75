import assert from "node:assert/strict";
import { once } from "node:events";
import { constants, type ClientHttp2Session, type ClientHttp2Stream, type Settings } from "node:http2";
import { connect } from "node:net";
import { test, type TestContext } from "node:test";

import { echo, startEdgeApp, startOrigin, type EdgeApp } from "../../../test/support/edge-app.ts";
import { until } from "../../../test/support/harness.ts";
import { openHttp2, serveHttps } from "../../../test/support/http2-visitor.ts";

/** More than the buffers of a connection hold. */
const longBytes = 32 * 1024 * 1024;

interface Served {
  readonly edge: EdgeApp;
  /** Requests for the long answer that the origin is still answering. */
  readonly open: () => number;
}

/** An edge whose origin answers `/long` with more than a visitor can have in its buffers, and `/short` with little. */
async function serve(t: TestContext, settings: object = {}): Promise<Served> {
  let open = 0;
  const port = await startOrigin(t, (request, response) => {
    if (request.url === "/long") {
      open += 1;
      response.on("close", () => (open -= 1));
      response.end(Buffer.alloc(longBytes));
    } else if (request.url === "/short") response.end("short");
    else echo(request, response);
  });
  const edge = await startEdgeApp(t, "sqlite", port, settings);
  await serveHttps(edge);
  return { edge, open: () => open };
}

function openSession(t: TestContext, edge: EdgeApp, settings: Settings = {}): ClientHttp2Session {
  return openHttp2(t, edge, settings).on("error", () => undefined);
}

/** Asks by HTTP/2 without ever taking any of the answers. */
async function ask(t: TestContext, edge: EdgeApp, paths: readonly string[]): Promise<ClientHttp2Stream[]> {
  const session = openSession(t, edge, { initialWindowSize: 0 });
  const streams: ClientHttp2Stream[] = [];
  for (const path of paths) {
    const stream = session.request({ ":path": path, ":authority": "www.example.com" });
    stream.on("error", () => undefined).resume();
    streams.push(stream);
    await once(stream, "response");
  }
  return streams;
}

test("a visitor that takes nothing of its answer for 400 seconds is cut, and so is the origin's connection", async (t) => {
  const { edge, open } = await serve(t, { connections_max: 6 });
  const streams = await ask(t, edge, [...Array.from({ length: 7 }, () => "/long"), "/short"]);
  const closed = () => streams.map((stream) => stream.closed);
  // Two are more than may wait: then the six others do.
  await until("the first two are cut", () => closed()[1] === true && open() === 5);
  edge.app.advance(399_000);
  assert.equal((await edge.visit("/")).status, 200);
  assert.deepEqual([open(), closed()], [5, [true, true, false, false, false, false, false, false]]);
  edge.app.advance(2_000);
  await until("all are cut", () => open() === 0);
  await until("the streams are reset", () => !closed().includes(false));
  assert.ok(streams.every(({ rstCode }) => rstCode === constants.NGHTTP2_INTERNAL_ERROR));
  assert.equal((await edge.visit("/")).status, 200);
});

test("a visitor of HTTP/1.1 that takes no more of its answer than its buffers hold is cut as well", async (t) => {
  const { edge, open } = await serve(t);
  const reader = connect(Number(new URL(edge.url).port), "127.0.0.1");
  t.after(() => reader.destroy());
  reader.on("error", () => undefined).write("GET /long HTTP/1.1\r\nHost: www.example.com\r\n\r\n");
  await once(reader, "readable");
  edge.app.advance(399_000);
  assert.equal((await edge.visit("/")).status, 200);
  assert.equal(open(), 1);
  await until("it is cut", () => {
    // Nobody is told when the buffers are full, and it waits for 400 seconds from then on.
    edge.app.advance(2_000);
    return open() === 0;
  });
  assert.equal((await edge.visit("/")).status, 200);
});

test("no more answers wait for visitors than there may be connections: the one that waited longest is cut", async (t) => {
  const { edge } = await serve(t, { connections_max: 6 });
  const streams = await ask(
    t,
    edge,
    Array.from({ length: 8 }, () => "/long"),
  );
  const closed = () => streams.map((stream) => stream.closed);
  await until("the first two are cut", () => closed()[1] === true);
  assert.deepEqual(closed(), [true, true, false, false, false, false, false, false]);
  assert.equal((await edge.visit("/")).status, 200);
});

test("no more bodies wait to be judged than there may be connections, each for 400 seconds", async (t) => {
  const { edge } = await serve(t, { connections_max: 6 });
  await edge.rules("http_request_firewall_custom", [
    { action: "block", expression: 'http.request.body.raw contains "evil"' },
  ]);
  await edge.untilStatus("/", 403, { method: "POST", body: "evil" });
  const session = openSession(t, edge);
  const streams = Array.from({ length: 8 }, () => {
    const stream = session.request({ ":path": "/", ":method": "POST", ":authority": "www.example.com" });
    stream.on("error", () => undefined).resume();
    stream.write("the beginning of a body");
    return stream;
  });
  await until("the first two are cut", () => streams[1]?.closed === true);
  assert.deepEqual(
    streams.map(({ closed }) => closed),
    [true, true, false, false, false, false, false, false],
  );
  edge.app.advance(401_000);
  await until("the others are cut", () => streams.every(({ closed }) => closed));
  assert.equal((await edge.visit("/", { method: "POST", body: "hello" })).status, 200);
});
