import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { createSecureServer } from "node:http2";
import { Agent } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { test, type TestContext } from "node:test";

import { WebSocket, WebSocketServer } from "ws";

import { certifiedKeys, untilAllIssued } from "../../../test/support/certificates.ts";
import { echo, routeTo, startEdgeApp, startOrigin, type EdgeApp } from "../../../test/support/edge-app.ts";
import type { CertifiedKey } from "../../tls/local-ca.ts";

/** An edge whose zone leads to an origin that speaks TLS with a certificate of the zone, and offers HTTP/2. */
async function startSecureOrigin(
  t: TestContext,
): Promise<{ readonly edge: EdgeApp; readonly port: number; readonly names: string[] }> {
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t));
  await untilAllIssued(edge.app);
  const path = `/zones/${edge.zoneId}/ssl/certificate_packs`;
  const [pack] = (await edge.app.request("GET", path)).body.result as [{ id: string }];
  const [{ certificate: cert, privateKey: key }] = Object.values(await certifiedKeys(edge.app, pack.id)) as [
    CertifiedKey,
  ];
  const origin = createSecureServer({ cert, key, allowHTTP1: true }, echo as never);
  const names: string[] = [];
  origin.on("secureConnection", ({ servername }) => names.push(String(servername)));
  const sockets = new WebSocketServer({ noServer: true });
  sockets.on("connection", (socket) => socket.on("message", (data: Buffer) => socket.send(data.toString())));
  origin.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    sockets.handleUpgrade(request, socket, head, (accepted) => sockets.emit("connection", accepted)),
  );
  origin.listen(0, "127.0.0.1");
  await once(origin, "listening");
  t.after(() => {
    for (const socket of sockets.clients) socket.terminate();
    origin.close();
  });
  const { port } = origin.address() as AddressInfo;
  await edge.rules("http_request_origin", [routeTo(port)]);
  return { edge, port, names };
}

test("an origin that speaks TLS, and HTTP/2 too, gets requests and WebSockets", async (t) => {
  const { edge } = await startSecureOrigin(t);
  await edge.change("PATCH", "/settings/ssl", { value: "full" });
  const answer = await edge.untilStatus("/secure?a=b", 200, {
    isSecure: true,
    method: "POST",
    body: "hello",
  });
  assert.deepEqual(
    [answer.echo.method, answer.echo.url, answer.echo.body, answer.echo.headers.host],
    ["POST", "/secure?a=b", "hello", "www.example.com"],
  );
  const socket = new WebSocket(`wss://127.0.0.1:${edge.securePort}/live`, {
    headers: { host: "www.example.com" },
    agent: new Agent({ servername: "www.example.com", rejectUnauthorized: false }),
  });
  t.after(() => socket.terminate());
  await once(socket, "open");
  socket.send("hello");
  const [data] = await once(socket, "message");
  assert.equal(String(data), "hello");
});

test("with `strict`, the certificate of an origin has to be trusted, and for the name that a rule asks it for", async (t) => {
  const { edge, port, names } = await startSecureOrigin(t);
  await edge.change("PATCH", "/settings/ssl", { value: "strict" });
  await edge.untilStatus("/", 200, { isSecure: true });
  assert.equal(names.at(-1), "www.example.com");
  const misnamed = {
    ...routeTo(port),
    action_parameters: { origin: { port }, sni: { value: "www.example.net" } },
  };
  await edge.rules("http_request_origin", [misnamed]);
  await edge.untilStatus("/", 526, { isSecure: true });
  await edge.change("PATCH", "/settings/ssl", { value: "full" });
  await edge.untilStatus("/", 200, { isSecure: true });
  assert.equal(names.at(-1), "www.example.net");
});
