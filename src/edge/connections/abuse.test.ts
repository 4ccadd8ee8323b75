import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import {
  connect as connectHttp2,
  constants,
  createServer as createHttp2Server,
  type ClientHttp2Session,
} from "node:http2";
import { connect, type AddressInfo, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { echo, startEdgeApp, startOrigin, type EdgeApp } from "../../../test/support/edge-app.ts";
import { until } from "../../../test/support/harness.ts";
import { serveHttps } from "../../../test/support/http2-visitor.ts";
import { exchange } from "../../../test/support/raw-http.ts";
import { frame } from "../../../test/support/raw-http2.ts";
import { VisitorConnections } from "./listeners.ts";

const host = "Host: www.example.com\r\n";

async function open(t: TestContext, port: number, bytes = ""): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined).resume();
  t.after(() => socket.destroy());
  await once(socket, "connect");
  if (bytes !== "") socket.write(bytes);
  return socket;
}

const portOf = ({ url }: EdgeApp): number => Number(new URL(url).port);

test("visitors who never finish a request keep nobody out", async (t) => {
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t), { connections_max: 6 });
  const slow: Socket[] = [];
  for (const bytes of ["", "GET", "GET / HTTP/1.1\r\n", `GET / HTTP/1.1\r\n${host}X-`])
    slow.push(await open(t, portOf(edge), bytes), await open(t, portOf(edge), bytes));
  for (let n = 0; n < 8; n += 1) assert.equal((await edge.visit("/")).status, 200);
  await until("the longest idle are closed", () => slow.slice(0, 3).every(({ destroyed }) => destroyed));
});

test("of 10,000 idle connections as many stay open as there may be, and others are served", async (t) => {
  const connections_max = 500;
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t), { connections_max });
  const idle: Socket[] = [];
  const openOnes = () => idle.filter(({ destroyed }) => !destroyed).length;
  for (let round = 0; round < 20; round += 1) {
    const port = portOf(edge);
    idle.push(...(await Promise.all(Array.from({ length: 500 }, () => open(t, port)))));
    await until("those above the limit are closed", () => openOnes() <= connections_max);
    assert.equal((await edge.visit("/")).status, 200);
  }
  assert.equal(idle.length, 10_000);
  assert.ok(openOnes() > connections_max / 2, "only as many are closed as have to be");
});

test("one address has a part of all connections, and only those without a request give way", async (t) => {
  const connections = new VisitorConnections({
    connectionsMax: 10,
    perClientMax: 2,
    clientOf: (address) => address,
  });
  const server = createServer((_request, response) => void response.writeHead(200).write("begun"));
  connections.watch(server);
  server.listen(0, "127.0.0.1");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const silent = await open(t, port);
  const next = async () => {
    const socket = await open(t, port, `GET / HTTP/1.1\r\n${host}\r\n`);
    await once(socket, "data");
    return socket;
  };
  const answered = [await next(), await next()];
  await until("the silent one is closed", () => silent.destroyed);
  const refused = await open(t, port);
  await until("a further one is refused", () => refused.destroyed);
  assert.deepEqual(
    answered.map(({ destroyed }) => destroyed),
    [false, false],
  );
});

test("a connection of HTTP/2 whose requests have ended gives way to another one", async (t) => {
  const connections = new VisitorConnections({
    connectionsMax: 10,
    perClientMax: 2,
    clientOf: (address) => address,
  });
  const server = createHttp2Server((request, response) => {
    if (request.url === "/") response.end("whole");
  });
  connections.watch(server as unknown as Server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const next = async (): Promise<ClientHttp2Session> => {
    const session = connectHttp2(url).on("error", () => undefined);
    t.after(() => session.destroy());
    const whole = session.request({ ":path": "/" }).resume();
    await once(whole, "end");
    const reset = session.request({ ":path": "/reset" }).on("error", () => undefined);
    reset.close(constants.NGHTTP2_CANCEL);
    await once(reset, "close");
    return session;
  };
  t.after(() => server.close());
  const first = await next();
  const [second, third] = [await next(), await next()];
  await until("the first one is closed", () => first.destroyed);
  assert.deepEqual([second.destroyed, third.destroyed], [false, false]);
});

test("an origin that does not finish its answer holds its own visitor alone, and not for ever", async (t) => {
  const port = await startOrigin(t, (request, response) => {
    if (request.url === "/part") {
      response.writeHead(200, { "content-length": "10" });
      response.write("part");
    } else if (request.url !== "/silent") echo(request, response);
  });
  const edge = await startEdgeApp(t, "sqlite", port);
  await edge.change("PATCH", "/settings/proxy_read_timeout", { value: 1 });
  const { status } = await edge.untilStatus("/silent", 524);
  assert.equal(status, 524);
  const cut = exchange(edge.url, `GET /part HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
  assert.equal((await edge.visit("/")).status, 200);
  assert.match(await cut, /^HTTP\/1\.1 200 [^]*part$/);
});

const part = Buffer.alloc(64 * 1024, "x");
const bodyBytes = 1_024 * part.length;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Octets of buffers that are in use, beyond those at the start, at their highest; it looks once in 8 MiB. */
function watchBuffers(): { readonly look: (octets: number) => void; readonly highest: () => number } {
  const used = (): number => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  };
  const before = used();
  let highest = 0;
  let passed = 0;
  return {
    look: (octets) => {
      const isDue = (passed + octets) >> 23 > passed >> 23;
      passed += octets;
      if (isDue) highest = Math.max(highest, used() - before);
    },
    highest: () => highest,
  };
}

test("bodies of 64 MiB pass in both directions without being collected", async (t) => {
  const buffers = watchBuffers();
  const port = await startOrigin(t, (request, response) => {
    if (request.method === "GET" && request.url === "/large") {
      response.writeHead(200, { "content-length": String(bodyBytes) });
      let sent = 0;
      const more = (): void => {
        while (sent < bodyBytes) {
          sent += part.length;
          if (!response.write(part)) return void response.once("drain", more);
        }
        response.end();
      };
      more();
      return;
    }
    let bytes = 0;
    request.on("data", ({ length }: Buffer) => {
      bytes += length;
      buffers.look(length);
      // An origin that is slower than its visitor.
      request.pause();
      setImmediate(() => request.resume());
    });
    request.on("end", () => response.end(String(bytes)));
  });
  const edge = await startEdgeApp(t, "sqlite", port);
  const uploading = await open(
    t,
    portOf(edge),
    `POST / HTTP/1.1\r\n${host}Connection: close\r\nContent-Length: ${bodyBytes}\r\n\r\n`,
  );
  let answer = "";
  uploading.on("data", (text: Buffer) => (answer += text.toString()));
  for (let sent = 0; sent < bodyBytes; sent += part.length)
    if (!uploading.write(part)) await once(uploading, "drain");
  await once(uploading, "close");
  assert.match(answer, new RegExp(`^HTTP/1\\.1 200 [^]*${bodyBytes}`));

  const downloading = await open(t, portOf(edge), `GET /large HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
  let received = 0;
  downloading.on("data", ({ length }: Buffer) => {
    received += length;
    buffers.look(length);
    downloading.pause();
    setImmediate(() => downloading.resume());
  });
  await once(downloading, "close");
  assert.ok(received > bodyBytes);
  assert.ok(buffers.highest() < bodyBytes / 2, `${buffers.highest()} octets were held`);
});

test("floods of headers are refused", async (t) => {
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t));
  const send = (headers: string) =>
    exchange(edge.url, `GET / HTTP/1.1\r\n${host}${headers}Connection: close\r\n\r\n`);
  for (const flood of [
    "a: b\r\n".repeat(5_000),
    `a: ${"b".repeat(40_000)}\r\n`,
    `${"a".repeat(40_000)}: b\r\n`,
  ])
    assert.match(await send(flood), /^HTTP\/1\.1 431 /);
});

const frames = { headers: 1, reset: 3, settings: 4, ping: 6, continuation: 9 };

test("floods of HTTP/2 end their connection, and renegotiation is refused, while others are served", async (t) => {
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t));
  await serveHttps(edge);
  const securely = { port: edge.securePort, host: "127.0.0.1", servername: "www.example.com" };
  const trusting = { ...securely, rejectUnauthorized: false };
  const isServed = async () =>
    assert.equal((await edge.visit("/", { isSecure: true })).status, 200, "another visitor");

  const openHttp2 = async (): Promise<TLSSocket> => {
    const socket = connectTls({ ...trusting, ALPNProtocols: ["h2"] });
    socket.on("error", () => undefined).resume();
    t.after(() => socket.destroy());
    await once(socket, "secureConnect");
    socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    socket.write(frame(frames.settings, 0, 0));
    return socket;
  };
  const flood = async (title: string, frameOf: (n: number) => Buffer): Promise<void> => {
    const socket = await openHttp2();
    const count = 20_000;
    for (let n = 0; n < count && !socket.destroyed; n += 100) {
      socket.write(Buffer.concat(Array.from({ length: 100 }, (_, one) => frameOf(n + one))));
      await new Promise(setImmediate);
    }
    await isServed();
    await until(`${title}: the connection is closed`, () => socket.destroyed);
  };
  const block = Buffer.from("828684410f7777772e6578616d706c652e636f6d", "hex");
  await flood("CONTINUATION", (n) =>
    n === 0
      ? frame(frames.headers, 0, 1, block)
      : frame(frames.continuation, 0, 1, Buffer.from("400161016200", "hex").subarray(0, 5)),
  );
  await flood("rapid reset", (n) =>
    Buffer.concat([
      frame(frames.headers, 5, 2 * n + 1, block),
      frame(frames.reset, 0, 2 * n + 1, Buffer.from([0, 0, 0, constants.NGHTTP2_CANCEL])),
    ]),
  );
  await flood("SETTINGS of more values than there are", () =>
    frame(frames.settings, 0, 0, Buffer.from("000300000064".repeat(100), "hex")),
  );
  await flood("frames that are none", () => frame(frames.ping, 0, 0, "short"));

  const deaf = await openHttp2();
  deaf.pause();
  const pings = Buffer.concat(Array.from({ length: 1_000 }, () => frame(frames.ping, 0, 0, "8 octets")));
  let sent = 0;
  for (; sent < 2_000 && !deaf.destroyed; sent += 1) {
    if (!deaf.write(pings)) await Promise.race([once(deaf, "drain"), once(deaf, "close")]);
  }
  assert.ok(sent < 2_000, "who reads no answers to pings is disconnected");
  await isServed();

  // Frames that ask for answers are answered as fast as the client reads.
  const session = connectHttp2(`https://127.0.0.1:${edge.securePort}`, trusting);
  t.after(() => session.destroy());
  await once(session, "connect");
  for (let n = 0; n < 1_000; n += 1) await new Promise((resolve) => session.ping(resolve));
  await isServed();

  const renegotiating = connectTls({ ...trusting, maxVersion: "TLSv1.2" });
  t.after(() => renegotiating.destroy());
  await once(renegotiating, "secureConnect");
  const refused = new Promise<Error | null>((resolve) => {
    renegotiating.on("error", resolve);
    renegotiating.renegotiate({ rejectUnauthorized: false }, resolve);
  });
  assert.match(String(await refused), /no.renegotiation/i);
  await isServed();
});
