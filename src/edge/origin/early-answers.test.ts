import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { createServer as createTlsServer, type SecureContextOptions } from "node:tls";

import { certifiedKeys } from "../../../test/support/certificates.ts";
import { routeTo, startEdgeApp, startOrigin } from "../../../test/support/edge-app.ts";
import { openHttp2, serveHttps } from "../../../test/support/http2-visitor.ts";

const answerText =
  "HTTP/1.1 413 Payload Too Large\r\nConnection: close\r\nContent-Length: 9\r\n\r\ntoo large";

/** Answers, and ends the connection, for an origin that has read the beginning of a request. */
type Ending = (socket: Socket) => void;

const endings: Readonly<Record<string, Ending>> = {
  "closes at once": (socket) => socket.write(answerText, () => socket.destroy()),
  "closes its side": (socket) => socket.end(answerText),
  resets: (socket) => socket.write(answerText, () => socket.resetAndDestroy()),
  "closes later": (socket) => socket.write(answerText, () => setTimeout(() => socket.destroy(), 2)),
  "has no length": (socket) =>
    socket.write("HTTP/1.1 413 Too Large\r\n\r\ntoo large", () => socket.destroy()),
};

/** An origin that answers once it has the head of a request, as its path says, and reads no body. */
async function startHastyOrigin(t: TestContext, certified?: SecureContextOptions): Promise<number> {
  const serve = (socket: Socket): void => {
    socket.on("error", () => undefined);
    let head = "";
    socket.on("data", (part: Buffer) => {
      head += part.toString("latin1");
      if (!head.includes("\r\n\r\n")) return;
      const ending = decodeURIComponent(/^\S+ \/(\S*)/.exec(head)?.[1] ?? "");
      head = "";
      if (ending === "") return void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      socket.pause();
      socket.removeAllListeners("data");
      endings[ending]?.(socket);
    });
  };
  const server = certified === undefined ? createServer(serve) : createTlsServer(certified, serve);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

const tries = Number(process.env["ROUNDS"] ?? 4);
const part = Buffer.alloc(64 * 1024, "a");
const sizes = [1, 10_000, part.length * 3, part.length * 40];

test("the answer of an origin that reads no body reaches its visitor, however the origin closes", async (t) => {
  const edge = await startEdgeApp(t, "sqlite", await startHastyOrigin(t));
  await serveHttps(edge);
  const session = openHttp2(t, edge);
  const { port } = new URL(edge.url);
  const overHttp1 = async (path: string, size: number, isChunked: boolean): Promise<string> => {
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("error", () => undefined);
    let received = "";
    const answered = new Promise<void>((resolve) => {
      socket.on("data", (octets: Buffer) => {
        received += octets.toString("latin1");
        if (received.includes("too large")) resolve();
      });
      socket.on("close", resolve);
    });
    const framing = isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${size}`;
    socket.write(`POST ${path} HTTP/1.1\r\nHost: www.example.com\r\n${framing}\r\n\r\n`);
    for (let sent = 0; sent < size && !socket.destroyed; sent += part.length) {
      const octets = part.subarray(0, Math.min(part.length, size - sent));
      if (isChunked) socket.write(`${octets.length.toString(16)}\r\n`);
      socket.write(octets);
      if (isChunked) socket.write("\r\n");
      if (sent % (part.length * 4) === 0) await new Promise(setImmediate);
    }
    if (isChunked) socket.write("0\r\n\r\n");
    await answered;
    socket.destroy();
    return received;
  };
  const overHttp2 = async (path: string, size: number): Promise<string> => {
    const stream = session.request({ ":method": "POST", ":path": path, ":authority": "www.example.com" });
    stream.on("error", () => undefined);
    let received = "";
    stream.on("response", (head) => (received += `HTTP/2 ${head[":status"]} `));
    stream.setEncoding("latin1").on("data", (text: string) => (received += text));
    for (let sent = 0; sent < size; sent += part.length)
      stream.write(part.subarray(0, Math.min(part.length, size - sent)));
    stream.end();
    await once(stream, "close");
    return received;
  };
  for (const name of Object.keys(endings)) {
    const path = `/${encodeURIComponent(name)}`;
    for (const size of sizes) {
      for (let n = 0; n < tries; n += 1) {
        assert.match(
          await overHttp1(path, size, n % 2 === 1),
          /^HTTP\/1\.1 413 [^]*too large/,
          `${name}, ${size} octets, try ${n}`,
        );
        assert.equal(
          await overHttp2(path, size),
          "HTTP/2 413 too large",
          `${name}, ${size} octets over HTTP/2, try ${n}`,
        );
      }
    }
  }
});

test("so does that of an origin that speaks TLS", async (t) => {
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t));
  await serveHttps(edge);
  const packs = await edge.change("GET", "/ssl/certificate_packs");
  const [keys] = Object.values(await certifiedKeys(edge.app, packs[0].id));
  const port = await startHastyOrigin(t, { cert: keys?.certificate, key: keys?.privateKey });
  await edge.rules("http_request_origin", [routeTo(port)]);
  await edge.change("PATCH", "/settings/ssl", { value: "full" });
  const body = Buffer.alloc(300_000, "a");
  // Node.js resets no connection of TLS.
  for (const name of Object.keys(endings).filter((each) => each !== "resets")) {
    const path = `/${encodeURIComponent(name)}`;
    await edge.untilStatus(path, 413, { isSecure: true, method: "POST", body });
    for (let n = 0; n < tries; n += 1) {
      const { status, text } = await edge.visit(path, { isSecure: true, method: "POST", body });
      assert.deepEqual([status, text], [413, "too large"], `${name}, try ${n}`);
    }
  }
});
