import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { request as httpRequest } from "node:http";
import { test } from "node:test";

import { WebSocket, WebSocketServer } from "ws";

import { echo, routeTo, startEdgeApp, startOrigin, type Echo } from "../../../test/support/edge-app.ts";
import { freePort } from "../../../test/support/fixed-port.ts";
import { until } from "../../../test/support/harness.ts";
import { exchange } from "../../../test/support/raw-http.ts";

const host = "www.example.com";

test("an origin gets the headers that are documented, and none that a visitor forged", async (t) => {
  const { visit } = await startEdgeApp(t, "sqlite", await startOrigin(t));
  const { echo: seen, headers } = await visit("/", {
    headers: {
      "cf-connecting-ip": "192.0.2.9",
      "x-real-ip": "192.0.2.9",
      "x-forwarded-for": "192.0.2.8",
      "cf-ray": "x",
    },
  });
  const { "cf-connecting-ip": address, "x-forwarded-for": forwarded, "x-real-ip": real } = seen.headers;
  assert.deepEqual([address, forwarded, real], ["127.0.0.1", "192.0.2.8, 127.0.0.1", undefined]);
  assert.equal(seen.headers["cf-ipcountry"], "XX");
  assert.match(String(seen.headers["cdn-loop"]), /^zoneward-[0-9a-f]{8}$/);
  assert.deepEqual([headers.server, headers["cf-cache-status"]], ["zoneward", "DYNAMIC"]);
  const looped = await visit("/", {
    headers: { "cdn-loop": `other, ${String(seen.headers["cdn-loop"])}`, accept: "application/json" },
  });
  assert.deepEqual([looped.status, JSON.parse(looped.text).error_code], [403, 1000]);
});

test("octets that are no UTF-8 reach rules and the origin as they came", async (t) => {
  const { rules, url, untilStatus } = await startEdgeApp(t, "sqlite", await startOrigin(t));
  const of = (path: string, headers: string, body = "") =>
    exchange(
      url,
      Buffer.from(
        `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`,
        "latin1",
      ),
    );
  const echoed = await of("/", "X-Name: caf\u00e9\r\n", "\u00ff\u00fe");
  const { rawHeaders, body } = JSON.parse(/\{"method".*\}/.exec(echoed)?.[0] ?? "{}") as Echo;
  assert.equal(body, "\u00ff\u00fe");
  assert.equal(rawHeaders[rawHeaders.indexOf("x-name") + 1], "caf\u00e9");
  await rules("http_request_firewall_custom", [
    { action: "block", expression: String.raw`http.request.uri.path eq "/blocked"` },
    { action: "block", expression: String.raw`any(http.request.headers["x-name"][*] eq "caf\xe9")` },
    { action: "block", expression: String.raw`http.request.body.raw contains "\xff\xfe"` },
  ]);
  await untilStatus("/blocked", 403);
  assert.match(await of("/", "X-Name: caf\u00e9\r\n"), /^HTTP\/1\.1 403 /);
  assert.match(await of("/", "", "a\u00ff\u00fe"), /^HTTP\/1\.1 403 /);
  assert.match(await of("/", "X-Name: caf\u00c3\u00a9\r\n", "\u00c3\u00bf\u00c3\u00be"), /^HTTP\/1\.1 200 /);
});

test("each failure of an origin has its own error", async (t) => {
  const raw = (answer: string) => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end(answer));
    });
    server.listen(0, "127.0.0.1");
    t.after(() => server.close());
    return once(server, "listening").then(() => (server.address() as { port: number }).port);
  };
  const closed = await raw("");
  const failures: readonly (readonly [title: string, port: number, status: number])[] = [
    ["no answer", closed, 520],
    ["no HTTP", await raw("hello\r\n\r\n"), 520],
    [
      "two lengths",
      await raw("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
      520,
    ],
    ["nobody listens", await freePort(), 521],
  ];
  const { rules, untilStatus, change } = await startEdgeApp(t, "sqlite", await startOrigin(t));
  for (const [title, port, status] of failures) {
    await rules("http_request_origin", [routeTo(port)]);
    const answer = await untilStatus("/", status, { headers: { accept: "application/json" } });
    assert.equal(JSON.parse(answer.text).error_code, status, title);
  }
  const records: readonly (readonly [name: string, content: string, status: number])[] = [
    ["unresolved", "nowhere.invalid", 530],
    ["forbidden", "metadata.example.com", 403],
    ["nothing", "100::", 522],
  ];
  await change("POST", "/dns_records", { type: "A", name: "metadata", content: "169.254.169.254" });
  for (const [name, content, status] of records) {
    const type = content.includes(":") ? "AAAA" : "CNAME";
    await change("POST", "/dns_records", { type, name, content, proxied: true });
    await untilStatus("/", status, { host: `${name}.example.com` });
  }
});

test("an answer that its origin cuts short is cut for the visitor, and a visitor that leaves ends its request", async (t) => {
  const left: string[] = [];
  const port = await startOrigin(t, (request, response) => {
    if (request.url === "/cut") {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.destroy());
    } else if (request.url === "/slow") {
      response.on("close", () => left.push("slow"));
      response.write("never ends");
    } else echo(request, response);
  });
  const { url, visit } = await startEdgeApp(t, "sqlite", port);
  await assert.rejects(visit("/cut"), /aborted|hang up|ECONNRESET/);
  const request = httpRequest(`${url}/slow`, { headers: { host } });
  request.on("error", () => undefined);
  request.end();
  await once(request, "response");
  request.destroy();
  await until("the origin is told", async () => left.length === 1);
});

test("a large body passes in both directions without being kept", async (t) => {
  const size = 20 * 1024 * 1024;
  const port = await startOrigin(t, (request, response) => {
    if (request.method === "GET") echo(request, response);
    else request.pipe(response);
  });
  const { url } = await startEdgeApp(t, "sqlite", port);
  const request = httpRequest(`${url}/`, { method: "POST", headers: { host } });
  const part = Buffer.alloc(64 * 1024, "a");
  let sent = 0;
  const send = (): void => {
    while (sent < size) {
      sent += part.length;
      if (!request.write(part)) {
        request.once("drain", send);
        return;
      }
    }
    request.end();
  };
  send();
  const [response] = await once(request, "response");
  let received = 0;
  for await (const chunk of response) received += (chunk as Buffer).length;
  assert.equal(received, size);
});

test("WebSockets pass in both directions, unless a rule or a setting stops them", async (t) => {
  const { createServer: createHttpServer } = await import("node:http");
  const server = createHttpServer(echo);
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket, request) => {
    socket.on("message", (data: Buffer) => socket.send(`${request.url} ${data.toString()}`));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    sockets.close();
    server.close();
    server.closeAllConnections();
  });
  const { url, rules, change, untilStatus } = await startEdgeApp(
    t,
    "sqlite",
    (server.address() as { port: number }).port,
  );
  const open = (path: string) => new WebSocket(`${url.replace("http", "ws")}${path}`, { headers: { host } });
  const socket = open("/live");
  t.after(() => socket.terminate());
  await once(socket, "open");
  socket.send("hello");
  const [data] = await once(socket, "message");
  assert.equal(String(data), "/live hello");

  const refusal = async (path: string): Promise<number> => {
    const refused = open(path);
    refused.on("error", () => undefined);
    return Promise.race([
      once(refused, "unexpected-response").then(([, response]) => response.statusCode as number),
      once(refused, "open").then(() => {
        refused.terminate();
        return 101;
      }),
    ]);
  };
  await rules("http_request_firewall_custom", [
    { action: "block", expression: 'http.request.uri.path eq "/no"' },
  ]);
  await untilStatus("/no", 403);
  assert.equal(await refusal("/no"), 403);
  await change("PATCH", "/settings/websockets", { value: "off" });
  await until("WebSockets are off", async () => (await refusal("/live")) === 403);
  // Another upgrade is answered as if it had not been asked for.
  const plain = await exchange(
    url,
    `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n`,
  );
  assert.match(plain, /^HTTP\/1.1 200 /);
});

test("an origin is asked for the encodings that the visitor takes", async (t) => {
  const origin = await startOrigin(t, (request, response) => {
    response.setHeader("cache-control", "no-transform");
    echo(request, response);
  });
  const { visit } = await startEdgeApp(t, "sqlite", origin);
  const asked = async (accepted?: string) => {
    const headers = accepted === undefined ? {} : { "accept-encoding": accepted };
    return (await visit("/", { headers })).echo.headers["accept-encoding"];
  };
  assert.equal(await asked(), "identity");
  assert.equal(await asked("gzip, deflate, br, zstd"), "gzip, br");
  assert.equal(await asked("br;q=0.5, gzip;q=0, *;q=0.1"), "br");
  assert.equal(await asked("*"), "gzip, br");
  assert.equal(await asked("identity, GZIP"), "gzip");
});
