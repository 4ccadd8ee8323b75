import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { test, type TestContext } from "node:test";

import { startEdgeApp, type EdgeApp } from "../../test/support/edge-app.ts";
import { until } from "../../test/support/harness.ts";
import { openHttp2, serveHttps } from "../../test/support/http2-visitor.ts";
import { exchange } from "../../test/support/raw-http.ts";
import { startRawOrigin } from "../../test/support/raw-origin.ts";

const host = "Host: www.example.com\r\n";
const get = (edge: EdgeApp, path: string, method = "GET"): Promise<string> =>
  exchange(edge.url, `${method} ${path} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);

/** A connection of a visitor with what it has received. */
async function visitor({
  url,
}: EdgeApp): Promise<{ readonly socket: Socket; readonly received: () => string }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = "";
  socket.setEncoding("latin1").on("data", (part: string) => (received += part));
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return { socket, received: () => received };
}

/**
 * An origin that answers with the first text of a path, and sends the second on the same connection when it is
 * told to.
 */
async function startLateOrigin(
  t: TestContext,
  answers: Readonly<Record<string, readonly [answer: string, late: string]>>,
): Promise<{
  readonly port: number;
  readonly paths: readonly string[];
  readonly connections: Socket[];
  readonly sendLate: () => void;
}> {
  const connections: Socket[] = [];
  let late = (): void => undefined;
  const server = createServer((socket) => {
    connections.push(socket);
    socket.on("error", () => undefined);
    socket.on("data", (part: Buffer) => {
      const path = /^\S+ (\S+)/.exec(part.toString("latin1"))?.[1] ?? "";
      const [answer, more] = answers[path] ?? ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", ""];
      socket.write(answer);
      late = () => void (socket.writable && socket.write(more));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    for (const socket of connections) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  return { port, paths: Object.keys(answers), connections, sendLate: () => late() };
}

test("an origin has a bounded number of interim responses", async (t) => {
  const last = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  const interim = (status: string, count: number): string => `HTTP/1.1 ${status}\r\n\r\n`.repeat(count);
  const { port } = await startRawOrigin(t, {
    "/hints": `${interim("103 Early Hints", 32)}${last}`,
    "/many-hints": interim("103 Early Hints", 33),
    "/continues": `${interim("100 Continue", 300)}${last}`,
    "/many-continues": interim("100 Continue", 400),
  });
  const edge = await startEdgeApp(t, "sqlite", port);
  for (const path of ["/hints", "/continues"])
    assert.match(await get(edge, path), /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nok$/, path);
  for (const path of ["/many-hints", "/many-continues"])
    assert.match(await get(edge, path), /^HTTP\/1\.1 520 /, path);
});

test("interim responses come in any order, with any headers, and in any pieces", async (t) => {
  const last = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  const [goOn, hints, processing] = [
    "HTTP/1.1 100 Continue\r\n\r\n",
    "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nContent-Length: 10\r\n\r\n",
    "HTTP/1.1 102 Processing\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n",
  ];
  const { port, opened } = await startRawOrigin(t, {
    "/hints-first": `${hints}${goOn}${last}`,
    "/processing-first": `${processing}${goOn}${hints}${goOn}${last}`,
    "/octets": `${hints}${goOn}${processing}${last}`,
    "/unknown": `HTTP/1.1 199 Odd\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n${goOn}${last}`,
    "/old": `HTTP/1.0 100 Continue\r\n\r\n${last}`,
    "/switched": `HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n${last}`,
    "/never": `${hints}${goOn}CLOSE`,
  });
  const edge = await startEdgeApp(t, "sqlite", port);
  await get(edge, "/");
  const before = opened();
  for (const path of ["/hints-first", "/processing-first", "/octets", "/unknown", "/old"])
    for (const method of ["GET", "POST"]) {
      const received = await get(edge, path, method);
      assert.match(received, /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nok$/, path);
      assert.doesNotMatch(received, /link|processing|upgrade/i);
    }
  assert.equal(opened(), before, "the connection is used again");
  for (const path of ["/switched", "/never"]) assert.match(await get(edge, path), /^HTTP\/1\.1 520 /, path);
});

test("answers reach visitors with the body that their origin framed, and others are the error 520", async (t) => {
  const { port } = await startRawOrigin(t, {
    "/early-hints":
      "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    "/continue": "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    "/octets":
      "HTTP/1.1 100 Continue\r\nX-A: b\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 28\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nok!",
    "/until-close": "HTTP/1.1 200 OK\r\n\r\nuntil the endCLOSE",
    "/http-1.0": "HTTP/1.0 200 OK\r\n\r\noldCLOSE",
    "/cut-chunks": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloCLOSE",
    "/trailers":
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n5\r\nhello\r\n0\r\nX-T: 1\r\n\r\n",
    "/no-content": "HTTP/1.1 204 No Content\r\n\r\n",
    "/long-nothing": "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n",
    "/not-modified": 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\nContent-Length: 5\r\n\r\n',
    "/head": "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
    "/coded": "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    "/two-lengths": "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nokay",
    "/folded": "HTTP/1.1 200 OK\r\nX-A: b\r\n c\r\nContent-Length: 2\r\n\r\nok",
    "/long": `HTTP/1.1 200 OK\r\n${"X-Long: abcdefgh\r\n".repeat(3_000)}Content-Length: 2\r\n\r\nok`,
  });
  const edge = await startEdgeApp(t, "sqlite", port);
  const early = await get(edge, "/early-hints");
  assert.match(early, /^HTTP\/1\.1 200 OK\r\n/);
  assert.doesNotMatch(early, /103|Link/i);
  for (const method of ["GET", "POST"]) {
    assert.match(await get(edge, "/continue", method), /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nok$/);
    assert.match(
      await get(edge, "/octets", method),
      /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nHTTP\/1\.1 100 Continue\r\n\r\nok!$/,
    );
  }
  assert.match(await get(edge, "/until-close"), /\r\nd\r\nuntil the end\r\n0\r\n\r\n$/);
  assert.match(await get(edge, "/http-1.0"), /\r\n3\r\nold\r\n0\r\n\r\n$/);
  const cut = await get(edge, "/cut-chunks");
  assert.match(cut, /\r\n5\r\nhello/);
  assert.doesNotMatch(cut, /0\r\n\r\n$/);
  const trailers = await get(edge, "/trailers");
  assert.match(trailers, /\r\n5\r\nhello\r\n0\r\n\r\n$/);
  assert.doesNotMatch(trailers, /x-t|trailer/i);
  for (const [path, method, status] of [
    ["/no-content", "GET", 204],
    ["/long-nothing", "GET", 204],
    ["/not-modified", "GET", 304],
    ["/head", "HEAD", 200],
  ] as const) {
    const received = await get(edge, path, method);
    assert.match(received, new RegExp(`^HTTP/1\\.1 ${status} `), path);
    assert.match(received, /\r\n\r\n$/, path);
    assert.doesNotMatch(
      received,
      status === 204 ? /transfer-encoding|content-length/i : /transfer-encoding/i,
      path,
    );
  }
  for (const path of ["/coded", "/two-lengths", "/folded", "/long"]) {
    assert.match(await get(edge, path), /^HTTP\/1\.1 520 /, path);
  }
  // The connection to the origin is as it should be for whoever comes next.
  assert.match(await get(edge, "/"), /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nok$/);
});

test("the head of an answer reaches its visitor before the body begins", async (t) => {
  const head = (type: string): string =>
    `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const { port } = await startRawOrigin(t, {
    "/events": head("text/event-stream"),
    "/text": head("text/plain"),
    "/length": "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
  });
  const edge = await startEdgeApp(t, "sqlite", port);
  for (const path of ["/events", "/text", "/length"]) {
    const { socket, received } = await visitor(edge);
    socket.write(`GET ${path} HTTP/1.1\r\n${host}Accept-Encoding: gzip\r\n\r\n`);
    await until(`the head of ${path} is there`, () => /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n/.test(received()));
    socket.destroy();
  }
});

test("an answer without a length is cut where its origin resets the connection", async (t) => {
  const origins: Socket[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (part: Buffer) => {
      const isHalf = part.includes(" /half ");
      if (isHalf) origins.push(socket);
      socket[isHalf ? "write" : "end"](`HTTP/1.1 200 OK\r\n\r\n${isHalf ? "half" : "whole"}`);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const edge = await startEdgeApp(t, "sqlite", (server.address() as AddressInfo).port);
  const { socket, received } = await visitor(edge);
  socket.write(`GET /half HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
  await until("the beginning is there", () => received().endsWith("\r\n4\r\nhalf\r\n"));
  const left = once(socket, "close");
  for (const origin of origins) origin.resetAndDestroy();
  await left;
  assert.match(received(), /\r\n4\r\nhalf\r\n$/);
});

test("values of an origin's headers come without the whitespace around them", async (t) => {
  const { port } = await startRawOrigin(t, {
    "/padded":
      "HTTP/1.1 200 OK\r\nX-A: \t a b \t \r\nX-B: \xc3\xa0\r\nX-C:  \r\nContent-Length: 2 \r\n\r\nok",
  });
  const edge = await startEdgeApp(t, "sqlite", port);
  const received = await get(edge, "/padded");
  assert.match(received, /\r\nx-a: a b\r\n/);
  assert.match(received, /\r\nx-b: (?:\xc3\xa0|\xe0)\r\n/);
  assert.match(received, /\r\nx-c: ?\r\n/);
  assert.match(received, /\r\ncontent-length: 2\r\n[^]*\r\n\r\nok$/);
});

test("requests reach their origin with the framing that their body needs, and none without a body", async (t) => {
  const { port, seen } = await startRawOrigin(t, {});
  const edge = await startEdgeApp(t, "sqlite", port);
  const sent = async (head: string, body = ""): Promise<string> => {
    seen.length = 0;
    const answer = await exchange(edge.url, `${head}${host}Connection: close\r\n\r\n${body}`);
    assert.match(answer, /^HTTP\/1\.1 200 /);
    await until("the request is whole", () => seen.length === 1);
    return seen[0] ?? "";
  };
  assert.doesNotMatch(await sent("GET / HTTP/1.1\r\n"), /content-length|transfer-encoding/i);
  assert.match(await sent("POST / HTTP/1.1\r\nContent-Length: 0\r\n"), /\r\ncontent-length: 0\r\n/);
  await serveHttps(edge);
  const session = openHttp2(t, edge);
  seen.length = 0;
  const stream = session.request({ ":path": "/", ":authority": "www.example.com" });
  const [answered] = await once(stream, "response");
  assert.equal(answered[":status"], 200);
  assert.doesNotMatch(seen[0] ?? "", /content-length|transfer-encoding/i);
});

test("a visitor whose body its origin did not wait for is answered, and may send another request", async (t) => {
  const { port } = await startRawOrigin(t, {
    "/large": "HTTP/1.1 413 Payload Too Large\r\nContent-Length: 4\r\nConnection: close\r\n\r\nlessCLOSE",
  });
  const edge = await startEdgeApp(t, "sqlite", port);
  const { socket, received } = await visitor(edge);
  const part = "a".repeat(64 * 1024);
  socket.write(`POST /large HTTP/1.1\r\n${host}Content-Length: ${20 * part.length}\r\n\r\n${part}`);
  await until("the answer is there", () => /^HTTP\/1\.1 413 [^]*less$/.test(received()));
  for (let sent = 1; sent < 20; sent += 1) socket.write(part);
  socket.write(`GET / HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
  await once(socket, "close");
  assert.match(received(), /less(?:HTTP\/1\.1 200 OK\r\n[^]*ok)$/);
});

test("what an origin sends behind an answer is never the answer to another request", async (t) => {
  const late = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong";
  const answers: Record<string, [method: string, answer: string, status: number]> = {
    "/head": ["HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n", 200],
    "/head-chunked": ["HEAD", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", 200],
    "/head-kept": [
      "HEAD",
      "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nKeep-Alive: timeout=60\r\nContent-Length: 60\r\n\r\n",
      200,
    ],
    "/head-old": ["HEAD", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 60\r\n\r\n", 200],
    "/head-404": ["HEAD", "HTTP/1.1 404 Not Found\r\nContent-Length: 60\r\n\r\n", 404],
    "/nothing": ["GET", "HTTP/1.1 204 No Content\r\nContent-Length: 60\r\n\r\n", 204],
    "/nothing-chunked": ["GET", "HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n", 204],
    "/nothing-hinted": [
      "POST",
      "HTTP/1.1 103 Early Hints\r\nContent-Length: 3\r\n\r\nHTTP/1.1 204 No Content\r\nContent-Length: 60\r\n\r\n",
      204,
    ],
    "/same": ["GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 60\r\n\r\n", 304],
    "/same-chunked": ["GET", "HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n", 304],
    "/close": ["GET", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok", 200],
    "/old": ["GET", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", 200],
  };
  const origin = await startLateOrigin(
    t,
    Object.fromEntries(Object.entries(answers).map(([path, [, answer]]) => [path, [answer, late]])),
  );
  const edge = await startEdgeApp(t, "sqlite", origin.port);
  for (const [path, [method, , status]] of Object.entries(answers)) {
    const before = origin.connections.length;
    assert.match(await get(edge, path, method), new RegExp(`^HTTP/1\\.1 ${status} `), path);
    const used = origin.connections.at(-1);
    // The next visitor has a connection of its own, even before the octets have come.
    assert.match(await get(edge, "/"), /\r\n\r\nok$/, path);
    assert.equal(origin.connections.length, before + 1, path);
    assert.notEqual(origin.connections.at(-1), used);
    await until(`the connection of ${path} is closed`, () => used?.destroyed === true);
  }
});

test("octets of an origin that nobody asked for end its connection", async (t) => {
  const whole = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  const wrong = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong";
  const origin = await startLateOrigin(t, {
    "/another": [whole, wrong],
    "/half": [whole, wrong.slice(0, 20)],
    "/hints": [whole, "HTTP/1.1 103 Early Hints\r\n\r\n"],
    "/goes-on": [whole, "HTTP/1.1 100 Continue\r\n\r\n"],
    "/longer": [whole, "more of it"],
    "/at-once": [`${whole}${wrong}`, ""],
    "/longer-at-once": [`${whole}more of it`, ""],
    "/reset-content": ["HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n", wrong],
    "/chunks": ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", wrong],
    "/timed-out": [whole, "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n"],
  });
  const edge = await startEdgeApp(t, "sqlite", origin.port);
  for (const path of origin.paths) {
    assert.match(await get(edge, path), /^HTTP\/1\.1 20[05] /, path);
    const used = origin.connections.at(-1);
    origin.sendLate();
    await until(`the connection of ${path} is closed`, () => used?.destroyed === true);
    assert.match(await get(edge, "/"), /\r\n\r\nok$/, path);
  }
});

test("requests of one connection are answered in their order", async (t) => {
  const { port } = await startRawOrigin(t, {
    "/first": "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst",
    "/second": "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond",
  });
  const edge = await startEdgeApp(t, "sqlite", port);
  const received = await exchange(
    edge.url,
    `GET /first HTTP/1.1\r\n${host}\r\nGET /second HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
  );
  assert.match(received, /^HTTP\/1\.1 200 [^]*\r\n\r\nfirstHTTP\/1\.1 200 [^]*\r\n\r\nsecond$/);
});

test("a WebSocket that its origin refuses is answered as the origin does", async (t) => {
  const { port } = await startRawOrigin(t, {
    "/live": "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic\r\nContent-Length: 2\r\n\r\nno",
  });
  const edge = await startEdgeApp(t, "sqlite", port);
  const handshake =
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
  const refused = await exchange(edge.url, `GET /live HTTP/1.1\r\n${host}${handshake}\r\n`);
  assert.match(refused, /^HTTP\/1\.1 401 Unauthorized\r\n[^]*www-authenticate: Basic\r\n[^]*no$/);
});

test("a visitor that closes its side of the connection before it is answered counts as gone", async (t) => {
  const { port, seen, closed } = await startRawOrigin(t, { "/silent": "" });
  const edge = await startEdgeApp(t, "sqlite", port);
  const { socket, received } = await visitor(edge);
  socket.write(`GET /silent HTTP/1.1\r\n${host}\r\n`);
  await until("the origin has the request", () => seen.some((request) => request.startsWith("GET /silent ")));
  const before = closed();
  const left = once(socket, "close");
  socket.end();
  await left;
  await until("the origin is told", () => closed() > before);
  assert.equal(received(), "");
});
