import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, constants } from "node:http2";
import type { AddressInfo } from "node:net";
import { describe, test, type TestContext } from "node:test";

import WebSocketClient, { WebSocketServer } from "ws";

import { startEdgeApp, startOrigin, type EdgeApp } from "../../test/support/edge-app.ts";
import { untilAllIssued } from "../../test/support/certificates.ts";
import { handshake } from "../../test/support/handshake.ts";
import { until } from "../../test/support/harness.ts";
import { testControlsOf, withTestControls } from "../../test/support/test-controls-api.ts";

interface FaultyEdge extends EdgeApp {
  readonly fault: (rule: object) => Promise<void>;
  readonly journal: (match: object) => Promise<readonly Record<string, unknown>[]>;
}

async function startFaultyEdge(t: TestContext, originPort?: number): Promise<FaultyEdge> {
  const edge = await startEdgeApp(t, "sqlite", originPort ?? (await startOrigin(t)), withTestControls);
  const controls = testControlsOf(edge.app);
  return {
    ...edge,
    fault: async (rule) => void (await controls.result("POST", "/faults", rule)),
    journal: async (match) => (await controls.result("POST", "/journal/search", { match })).entries,
  };
}

/** Starts an origin that sends back the messages of WebSockets; answers its port. */
async function startEcho(t: TestContext): Promise<number> {
  const server = createServer((_request, response) => response.end("{}"));
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket) => socket.on("message", (data: Buffer) => socket.send(data.toString())));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    sockets.close();
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

describe("a fault at the edge", () => {
  test("answers visitors of its zone with an error, once, and the journal keeps both visits", async (t) => {
    const { visit, fault, journal, zoneId } = await startFaultyEdge(t);
    const match = { listener: "edge", zone: zoneId, path: "/shop/**" };
    await fault({ match: { ...match, next: 1 }, effect: { type: "error", status: 503 } });
    assert.equal((await visit("/other")).status, 200);
    const failed = await visit("/shop/cart", { method: "POST", body: "x".repeat(100_000) });
    assert.equal(failed.status, 503);
    assert.match(failed.text, /503 Service Unavailable/);
    assert.equal(failed.headers["zoneward-test-controls"], "on");
    const served = await visit("/shop/cart", { method: "POST", body: "hello" });
    assert.deepEqual([served.status, served.echo.body], [200, "hello"]);
    assert.equal(served.headers["zoneward-test-controls"], "on");

    const kept = await journal(match);
    assert.deepEqual(
      kept.map(({ status, zone }) => [status, zone]),
      [
        [503, zoneId],
        [200, zoneId],
      ],
    );
    assert.deepEqual(await journal({ ...match, zone: "0".repeat(32) }), []);
  });

  test("limits the rate of visitors, sends slowly and late, and closes connections", async (t) => {
    const { visit, fault } = await startFaultyEdge(t);
    const match = { listener: "edge", next: 1 };
    await fault({ match, effect: { type: "rate_limit", retry_after_seconds: 7 } });
    const limited = await visit("/");
    assert.deepEqual([limited.status, limited.headers["retry-after"]], [429, "7"]);
    for (const effect of [
      { type: "latency", ms: 1 },
      { type: "slow_body", bytes_per_second: 100_000 },
    ]) {
      await fault({ match, effect });
      assert.equal((await visit("/")).echo.url, "/", effect.type);
    }
    for (const effect of [
      { type: "close", when: "before" },
      { type: "close", when: "within" },
      { type: "lost_answer" },
    ]) {
      await fault({ match, effect });
      await assert.rejects(visit("/"), effect.type);
      assert.equal((await visit("/")).status, 200);
    }
  });

  test("acts on HTTP/2 as on HTTP/1.1", async (t) => {
    const { app, securePort, fault, change, untilStatus } = await startFaultyEdge(t);
    await untilAllIssued(app);
    await change("PATCH", "/settings/ssl", { value: "flexible" });
    await until("the certificate is served", () =>
      untilStatus("/", 200, { isSecure: true }).then(
        () => true,
        () => false,
      ),
    );
    const get = async (): Promise<string> => {
      const client = connect(`https://127.0.0.1:${securePort}`, {
        servername: "www.example.com",
        rejectUnauthorized: false,
      });
      client.on("error", () => undefined);
      const stream = client.request({ ":path": "/h2", ":authority": "www.example.com" });
      let [status, missing] = ["", 0];
      stream.on("response", (headers) => {
        status = String(headers[constants.HTTP2_HEADER_STATUS]);
        missing = Number(headers["content-length"] ?? 0);
      });
      stream.on("data", (part: Buffer) => (missing -= part.length));
      const result = new Promise<string>((resolve) => {
        stream.on("close", () =>
          resolve(stream.rstCode === 0 && missing === 0 && status !== "" ? status : "lost"),
        );
        stream.on("error", () => undefined);
      });
      try {
        return await result;
      } finally {
        client.destroy();
      }
    };
    const match = { listener: "edge", next: 1 };
    for (const [effect, expected] of [
      [{ type: "error", status: 500 }, "500"],
      [{ type: "html" }, "502"],
      [{ type: "close", when: "before" }, "lost"],
      [{ type: "close", when: "within" }, "lost"],
      [{ type: "lost_answer" }, "lost"],
    ] as const) {
      await fault({ match, effect });
      assert.equal(await get(), expected, effect.type);
      assert.equal(await get(), "200");
    }
  });

  test("acts on the handshake of a WebSocket, and the journal has its status", async (t) => {
    const { url, fault, journal } = await startFaultyEdge(t, await startEcho(t));
    const outcomes: unknown[] = [];
    for (const effect of [
      { type: "error", status: 503 },
      { type: "close", when: "before" },
      { type: "lost_answer" },
      { type: "latency", ms: 1 },
    ]) {
      await fault({ match: { listener: "edge", next: 1 }, effect });
      outcomes.push(await handshake(t, `${url.replace("http", "ws")}/live`, { host: "www.example.com" }));
    }
    assert.deepEqual(outcomes, [503, "lost", "lost", 101]);
    const statuses = async () =>
      (await journal({ listener: "edge", method: "GET", path: "/live" })).map(({ status }) => status);
    assert.deepEqual(await statuses(), [503, null, null, 101]);
  });

  test("delays, slows or ends what an origin sends on a WebSocket, and the journal has its octets when it ends", async (t) => {
    const { url, zoneId, fault, journal } = await startFaultyEdge(t, await startEcho(t));
    const echo = async (): Promise<number> => {
      const headers = { host: "www.example.com" };
      const socket = new WebSocketClient(`${url.replace("http", "ws")}/live`, { headers });
      t.after(() => socket.terminate());
      socket.on("error", () => undefined);
      socket.on("open", () => socket.send("x".repeat(100)));
      let received = 0;
      socket.on("message", (data: Buffer) => {
        received += data.length;
        socket.terminate();
      });
      await once(socket, "close");
      return received;
    };
    const match = { listener: "edge", method: "RELAY", next: 1 };
    for (const [effect, expected] of [
      [{ type: "latency", ms: 20 }, 100],
      [{ type: "slow_body", bytes_per_second: 1_000 }, 100],
      [{ type: "close", when: "before" }, 0],
      [{ type: "close", when: "within" }, 0],
      [{ type: "lost_answer" }, 0],
      [{ type: "close", when: "after" }, 100],
      // Faults that act after the answer, when it is too late to refuse.
      [{ type: "html" }, 100],
    ] as const) {
      await fault({ match, effect });
      assert.equal(await echo(), expected, JSON.stringify(effect));
    }
    const relays = { listener: "edge", method: "RELAY", path: "/live", zone: zoneId };
    await until("all have ended", async () => (await journal(relays)).length === 7);
    const entries = await journal(relays);
    // A frame has a head of two octets, and four for its mask where a client sends it.
    const sent = { octets: 106 };
    const whole = { octets: 102 };
    assert.deepEqual(
      entries.map(({ status, fault: by, body, answer }) => [status, by, body, answer]),
      [
        [200, null, sent, whole],
        [200, "2", sent, whole],
        [200, "3", entries[2]?.["body"], { octets: 0 }],
        [200, "4", sent, { octets: 0 }],
        [200, "5", sent, { octets: 0 }],
        [200, "6", sent, whole],
        [200, null, sent, whole],
      ],
    );
    assert.ok(Number(entries[0]?.["milliseconds"]) >= 19);
    assert.ok(Number(entries[1]?.["milliseconds"]) >= 90);
  });

  test("that only the API can carry is refused, and without a listener leaves visits alone", async (t) => {
    const { visit, fault } = await startFaultyEdge(t);
    for (const effect of [{ type: "stale_read" }, { type: "page", form: "repeated" }]) {
      await assert.rejects(fault({ match: { listener: "edge" }, effect }), /not by edge/);
      await fault({ effect });
      assert.equal((await visit("/?page=2")).echo.url, "/?page=2");
    }
  });
});
