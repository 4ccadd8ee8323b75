import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { dirname } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { connect as connectTls } from "node:tls";

import { openDatabase } from "../../src/storage/open-database.ts";
import { startDnsServer } from "../support/dns-server.ts";
import {
  newDirectory,
  newLocation,
  onEachEngine,
  ownerToken,
  sendRequest,
  startTestApp,
  until,
} from "../support/harness.ts";
import { ownerFlags, spawnServer } from "../support/spawned-server.ts";

interface Connection {
  readonly socket: Socket;
  readonly received: () => string;
}

async function open(t: TestContext, baseUrl: string): Promise<Connection> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname).setEncoding("utf8");
  // The server may end it with a reset, which is as good an end as any.
  socket.on("error", () => undefined);
  t.after(() => socket.destroy());
  let received = "";
  socket.on("data", (part: string) => (received += part));
  await once(socket, "connect");
  return { socket, received: () => received };
}

async function refusesConnections(baseUrl: string): Promise<boolean> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, "connect");
    return false;
  } catch {
    return true;
  } finally {
    socket.destroy();
  }
}

/** Sends the head of a request and waits until the server asks for the body: it is in flight then. */
async function beginUpload(t: TestContext, baseUrl: string, body: string): Promise<Connection> {
  const connection = await open(t, baseUrl);
  connection.socket.write(
    [
      `POST ${new URL(baseUrl).pathname}/zones HTTP/1.1`,
      "host: localhost",
      `authorization: Bearer ${ownerToken}`,
      `content-length: ${body.length}`,
      "expect: 100-continue",
      "\r\n",
    ].join("\r\n"),
  );
  await until("the server asks for the body", () => connection.received().includes("100 Continue"));
  return connection;
}

onEachEngine("SIGTERM", (engine) => {
  test("finishes the request whose body is still on its way, and ends with 0", async (t) => {
    const location = await newLocation(t, engine);
    const store =
      location.engine === "postgres" ? `--database=${location.url}` : `--data=${dirname(location.file)}`;
    const server = await spawnServer(t, [store, ...ownerFlags]);
    const body = JSON.stringify({ name: "example.com" });
    const upload = await beginUpload(t, server.baseUrl, body);
    upload.socket.write(body.slice(0, 9));

    server.signal("SIGTERM");
    await until("the server takes no more connections", () => refusesConnections(server.baseUrl));
    assert.ok(server.isRunning());
    upload.socket.write(body.slice(9));
    await until("the answer", () => upload.received().endsWith("}"));
    assert.match(upload.received(), /HTTP\/1\.1 200 OK[^]*"name":"example\.com"/);
    // No second signal: Node hears none any more while it takes itself down, and would end by it. The connection was
    // kept alive: a server that it held up would end with 1.
    assert.equal(await server.ended, 0);

    const db = await openDatabase(location);
    t.after(() => db.close());
    const zones = await db.read.selectFrom("zones").select("name").execute();
    assert.deepEqual(
      zones.map(({ name }) => name),
      ["example.com"],
    );
  });
});

describe("a shutdown", { concurrency: 2 }, () => {
  test("is not held up by connections that carry no request", async (t) => {
    const server = await spawnServer(t, ["--ephemeral"]);
    const silent = await open(t, server.baseUrl);
    const unfinished = await open(t, server.baseUrl);
    unfinished.socket.write("GET /healthz HTTP/1.1\r\nhost:");
    const idle = await open(t, server.baseUrl);
    idle.socket.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n");
    await until("the answer", () => idle.received().endsWith("}"));
    assert.match(idle.received(), /connection: keep-alive/i);

    // One that is held up ends with 1.
    assert.equal(await server.end("SIGINT"), 0);
    for (const { socket } of [silent, unfinished, idle]) {
      await until("the connection ends", () => socket.closed);
    }
  });

  test("ends at once by a second signal, but not by the one that npm repeats", async (t) => {
    const server = await spawnServer(t, ["--ephemeral", ...ownerFlags]);
    const upload = await beginUpload(t, server.baseUrl, "x".repeat(1_000));
    server.signal("SIGTERM");
    server.signal("SIGTERM");
    await until("the server takes no more connections", () => refusesConnections(server.baseUrl));
    assert.ok(server.isRunning());
    await until("the server ends", () => {
      server.signal("SIGINT");
      return !server.isRunning();
    });
    assert.equal(await server.ended, "SIGINT");
    assert.doesNotMatch(upload.received(), /HTTP\/1\.1 [245]/);
  });

  test("is not held up by a body that never ends, and takes the store down in order", async (t) => {
    const server = await spawnServer(t, [`--data=${newDirectory(t)}`, ...ownerFlags]);
    await beginUpload(t, server.baseUrl, "x".repeat(1_000));
    assert.equal(await server.end("SIGTERM"), 0);
  });

  test("is not held up by such connections under TLS either", async (t) => {
    const server = await spawnServer(t, [`--data=${newDirectory(t)}`, "--tls=self-signed"]);
    const { hostname, port } = new URL(server.baseUrl);
    const silent = connectTls({ host: hostname, port: Number(port), rejectUnauthorized: false });
    silent.on("error", () => undefined);
    t.after(() => silent.destroy());
    await once(silent, "secureConnect");
    assert.equal(await server.end("SIGTERM"), 0);
  });

  test("cuts short the look-ups of the timer, which say nothing about their zones then", async (t) => {
    const resolver = await startDnsServer(t, "silence");
    const lookUpMs = 600_000;
    const app = await startTestApp(
      t,
      "sqlite",
      { activation: "check-ns", resolvers: [resolver.address] },
      { activationRoundMs: 20, lookUpMs },
    );
    for (const name of ["a.example", "b.example", "c.example"]) await app.createZone(name);
    await until("a look-up", () => resolver.asked.length > 0);

    const since = performance.now();
    await app.restart();
    assert.ok(performance.now() - since < lookUpMs);
    const { body } = await app.request("GET", "/zones");
    assert.deepEqual(
      new Set(body.result.map(({ status }: { status: string }) => status)),
      new Set(["initializing"]),
    );
  });
});

test("a client that hangs up in the middle of its body harms nobody and is no failure of the store", async (t) => {
  const server = await spawnServer(t, ["--ephemeral", ...ownerFlags]);
  const upload = await beginUpload(t, server.baseUrl, "x".repeat(1_000));
  upload.socket.write("x");
  upload.socket.resetAndDestroy();
  assert.equal((await sendRequest(server.baseUrl, "GET", "/zones")).status, 200);
  assert.equal(await server.end("SIGTERM"), 0);
  assert.match(server.stderr(), /"route":"\/client\/v4\/zones"/);
  assert.doesNotMatch(server.stderr(), /database/);
});
