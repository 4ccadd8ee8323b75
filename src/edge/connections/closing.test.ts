import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { connect as connectTls } from "node:tls";

import { startEdgeApp, startOrigin, type EdgeApp } from "../../../test/support/edge-app.ts";
import { until } from "../../../test/support/harness.ts";

/** An edge whose origin answers `/held` when the test says so, and anything else at once. */
async function startHeld(t: TestContext) {
  const held: ServerResponse[] = [];
  const origin = await startOrigin(t, ({ url }, response) => {
    if (url === "/held") held.push(response);
    else response.end("at once");
  });
  const edge = await startEdgeApp(t, "sqlite", origin, {
    new_zone_settings: { ssl: "flexible", websockets: "on" },
  });
  return { edge, held };
}

interface Connection {
  readonly socket: Socket;
  readonly received: () => string;
}

const get = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nhost: www.example.com\r\nuser-agent: test\r\n\r\n`;

const handshake = [
  "connection: upgrade",
  "upgrade: websocket",
  "sec-websocket-version: 13",
  "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
];

async function open(t: TestContext, edge: EdgeApp, sent = ""): Promise<Connection> {
  const socket = connect(Number(new URL(edge.url).port), "127.0.0.1").setEncoding("latin1");
  t.after(() => socket.destroy());
  // The connection may end with a reset.
  socket.on("error", () => undefined);
  let received = "";
  socket.on("data", (part: string) => (received += part));
  await once(socket, "connect");
  socket.write(sent);
  return { socket, received: () => received };
}

test("an edge that closes ends idle connections at once, and those in use after the answer in flight", async (t) => {
  const { edge, held } = await startHeld(t);
  const silent = await open(t, edge);
  const handshaking = connect(edge.securePort, "127.0.0.1").on("error", () => undefined);
  t.after(() => handshaking.destroy());
  const idle = await open(t, edge, get("/"));
  await until("the answer", () => idle.received().endsWith("at once"));
  const used = await open(t, edge, get("/held"));
  const ahead = await open(t, edge, get("/held") + get("/held") + get("/held"));
  await until("the requests at the origin", () => held.length === 2);

  const closed = edge.app.close();
  for (const socket of [silent.socket, handshaking, idle.socket])
    await until("the end of an idle connection", () => socket.closed);
  assert.ok(!used.socket.closed && !ahead.socket.closed);
  for (const response of held.splice(0)) response.end("held");
  await until("the end of the connection in use", () => used.socket.closed);
  assert.match(used.received(), /^HTTP\/1\.1 200 [^]*held$/);
  await until("the request behind it", () => held.length === 1);
  held[0]?.end("last");
  await until("the end of the connection with requests sent ahead", () => ahead.socket.closed);
  assert.match(
    ahead.received(),
    /^HTTP\/1\.1 200 [^]*held[^]*HTTP\/1\.1 200 [^]*connection: close[^]*last$/i,
  );
  await closed;
});

test("an edge that closes waits for nobody beyond its grace period", async (t) => {
  const { edge, held } = await startHeld(t);
  const kinds = [
    get("/held").repeat(100),
    get("/held").replace("\r\n\r\n", `\r\n${handshake.join("\r\n")}\r\n\r\n`),
    "POST / HTTP/1.1\r\nhost: www.example.com\r\nuser-agent: test\r\ncontent-length: 1000\r\n\r\nbeginning",
  ];
  const connections = await Promise.all(kinds.map((sent) => open(t, edge, sent)));
  await until("the requests at the origin", () => held.length === 2);
  await edge.app.close();
  for (const { socket } of connections) await until("the end of a connection", () => socket.closed);
});

test("an edge that closes finishes the streams of HTTP/2 that are open, and takes no others", async (t) => {
  const { edge, held } = await startHeld(t);
  await edge.change("POST", "/ssl/certificate_packs/order", {
    type: "advanced",
    hosts: ["example.com", "*.example.com"],
    validation_method: "txt",
    validity_days: 90,
    certificate_authority: "lets_encrypt",
  });
  const createConnection = () =>
    connectTls({
      host: "127.0.0.1",
      port: edge.securePort,
      servername: "www.example.com",
      ALPNProtocols: ["h2"],
      rejectUnauthorized: false,
    });
  await until("the certificate", async () => {
    const socket = createConnection();
    const isServed = once(socket, "secureConnect").then(
      () => true,
      () => false,
    );
    return isServed.finally(() => socket.destroy());
  });
  const session = connectHttp2("https://www.example.com", { createConnection });
  t.after(() => session.destroy());
  const stream = session.request({ ":path": "/held", "user-agent": "test" }).setEncoding("latin1");
  let text = "";
  stream.on("data", (part: string) => (text += part));
  await until("the request at the origin", () => held.length === 1);

  const closed = edge.app.close();
  await once(session, "goaway");
  held[0]?.end("held");
  await once(stream, "end");
  assert.equal(text, "held");
  await closed;
});
