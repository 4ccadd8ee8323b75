import assert from "node:assert/strict";
import { test } from "node:test";

import { startEdgeApp, startOrigin, echo } from "../../../test/support/edge-app.ts";
import { exchange } from "../../../test/support/raw-http.ts";

const host = "Host: www.example.com\r\n";
const end = "Connection: close\r\n\r\n";

test("requests that could mean one thing to the edge and another to an origin never reach the origin", async (t) => {
  const seen: string[] = [];
  const port = await startOrigin(t, (request, response) => {
    seen.push(request.url ?? "");
    echo(request, response);
  });
  const { url } = await startEdgeApp(t, "sqlite", port);
  const chunks = "5\r\nhello\r\n0\r\n\r\n";
  const hostile: readonly (readonly [title: string, bytes: string, status: number])[] = [
    [
      "Content-Length and chunks",
      `POST / HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n${end}${chunks}`,
      400,
    ],
    [
      "two Content-Lengths",
      `POST / HTTP/1.1\r\n${host}Content-Length: 5\r\nContent-Length: 6\r\n${end}hello`,
      400,
    ],
    [
      "the same Content-Length twice",
      `POST / HTTP/1.1\r\n${host}Content-Length: 5\r\nContent-Length: 5\r\n${end}hello`,
      400,
    ],
    ["a list of Content-Lengths", `POST / HTTP/1.1\r\n${host}Content-Length: 5, 5\r\n${end}hello`, 400],
    ["a signed Content-Length", `POST / HTTP/1.1\r\n${host}Content-Length: +5\r\n${end}hello`, 400],
    [
      "another transfer coding",
      `POST / HTTP/1.1\r\n${host}Transfer-Encoding: gzip, chunked\r\n${end}${chunks}`,
      501,
    ],
    [
      "an unknown transfer coding",
      `POST / HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\n${end}${chunks}`,
      501,
    ],
    [
      "two Transfer-Encodings",
      `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n${end}${chunks}`,
      400,
    ],
    [
      "a transfer coding after the chunks",
      `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked, identity\r\n${end}${chunks}`,
      400,
    ],
    ["chunks in HTTP/1.0", `POST / HTTP/1.0\r\n${host}Transfer-Encoding: chunked\r\n${end}${chunks}`, 400],
    ["a folded header", `GET / HTTP/1.1\r\n${host}X-A: b\r\n c\r\n${end}`, 400],
    ["a space before the colon", `GET / HTTP/1.1\r\n${host}X-A : b\r\n${end}`, 400],
    ["a bare line feed", `GET / HTTP/1.1\r\n${host}X-A: b\nX-B: c\r\n${end}`, 400],
    ["a bare carriage return", `GET / HTTP/1.1\r\n${host}X-A: b\rX-B: c\r\n${end}`, 400],
    ["a NUL in a header", `GET / HTTP/1.1\r\n${host}X-A: b\0c\r\n${end}`, 400],
    [
      "a chunk size that is none",
      `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n${end}0x5\r\nhello\r\n0\r\n\r\n`,
      400,
    ],
    [
      "chunks without carriage returns",
      `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n${end}5\nhello\n0\n\n`,
      400,
    ],
    ["a tab in the target", `GET /a\tb HTTP/1.1\r\n${host}${end}`, 400],
    ["octets beyond ASCII in the target", `GET /\u00e9 HTTP/1.1\r\n${host}${end}`, 400],
    ["two hosts", `GET / HTTP/1.1\r\n${host}Host: www.example.net\r\n${end}`, 400],
    ["the same host twice", `GET / HTTP/1.1\r\n${host}${host}${end}`, 400],
    ["a port that none can be", `GET / HTTP/1.1\r\nHost: www.example.com:65536\r\n${end}`, 400],
    ["no host", `GET / HTTP/1.1\r\n${end}`, 400],
    ["a host that is none", `GET / HTTP/1.1\r\nHost: www.example.com/x\r\n${end}`, 400],
    ["a target of another host", `GET http://www.example.net/ HTTP/1.1\r\n${host}${end}`, 400],
    ["a fragment", `GET /a#b HTTP/1.1\r\n${host}${end}`, 400],
    ["an asterisk", `OPTIONS * HTTP/1.1\r\n${host}${end}`, 400],
    ["TRACE", `TRACE / HTTP/1.1\r\n${host}${end}`, 405],
    ["PURGE", `PURGE / HTTP/1.1\r\n${host}${end}`, 405],
    ["CONNECT", `CONNECT www.example.com:443 HTTP/1.1\r\n${host}\r\n`, 405],
    ["an unknown method", `BREW / HTTP/1.1\r\n${host}${end}`, 400],
    ["a version that there is not", `GET / HTTP/1.2\r\n${host}${end}`, 400],
    ["the version 0.9", `GET / HTTP/0.9\r\n${host}${end}`, 400],
    ["the version 2.0", `GET / HTTP/2.0\r\n${host}${end}`, 505],
    ["the version 2.0 with a body", `POST / HTTP/2.0\r\n${host}Content-Length: 5\r\n${end}hello`, 505],
    [
      "the version 2.0 with chunks",
      `POST / HTTP/2.0\r\n${host}Transfer-Encoding: chunked\r\n${end}${chunks}`,
      505,
    ],
    ["the beginning of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
    ["no version", "GET /\r\n\r\n", 400],
    ["a method in lower case", `get / HTTP/1.1\r\n${host}${end}`, 400],
    ["headers that are too long", `GET / HTTP/1.1\r\n${host}X-A: ${"a".repeat(33_000)}\r\n${end}`, 431],
    ["a target that is too long", `GET /${"a".repeat(17_000)} HTTP/1.1\r\n${host}${end}`, 414],
  ];
  seen.length = 0;
  for (const [title, bytes, status] of hostile) {
    const received = await exchange(url, bytes);
    assert.match(received, new RegExp(`^HTTP/1.1 ${status} `), `${title}: ${received.slice(0, 200)}`);
    // Nothing behind a refused request is answered as another one.
    assert.equal(received.match(/HTTP\/1\.1 \d{3} /g)?.length, 1, title);
  }
  assert.deepEqual(seen, []);
});

test("what is unusual but clear reaches the origin, framed anew", async (t) => {
  const { url } = await startEdgeApp(t, "sqlite", await startOrigin(t));
  const send = async (bytes: string) => {
    const received = await exchange(url, bytes);
    assert.match(received, /^HTTP\/1.1 200 /, received.slice(0, 300));
    const text = received.slice(received.indexOf('{"method"'));
    return JSON.parse(text.slice(0, text.lastIndexOf("}") + 1));
  };
  const chunked = await send(
    `POST /c HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nTrailer: X-T\r\n${end}5;ext="a"\r\nhello\r\n0\r\nX-T: 1\r\n\r\n`,
  );
  assert.deepEqual(
    [chunked.body, chunked.headers["transfer-encoding"], chunked.headers["content-length"]],
    ["hello", "chunked", undefined],
  );
  assert.deepEqual([chunked.headers.trailer, chunked.headers["x-t"]], [undefined, undefined]);

  const withBody = await send(`GET /g HTTP/1.1\r\n${host}Content-Length: 5\r\n${end}hello`);
  assert.deepEqual(
    [withBody.method, withBody.body, withBody.headers["content-length"]],
    ["GET", "hello", "5"],
  );

  for (const method of ["GET", "POST"]) {
    const upgrading = await send(
      `${method} /u HTTP/1.1\r\n${host}Content-Length: 5\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\n\r\nhello`,
    );
    assert.deepEqual(
      [upgrading.method, upgrading.body, upgrading.headers.upgrade, upgrading.headers["content-length"]],
      [method, "hello", undefined, "5"],
    );
  }

  const absolute = await send(`GET http://www.example.com/x?y HTTP/1.1\r\n${host}${end}`);
  assert.deepEqual([absolute.url, absolute.headers.host], ["/x?y", "www.example.com"]);
  assert.equal((await send(`GET //b/x HTTP/1.1\r\n${host}${end}`)).url, "/b/x");
  assert.equal((await send(`\r\nGET /crlf HTTP/1.1\r\n${host}${end}`)).url, "/crlf");
  assert.equal((await send(`GET /old HTTP/1.0\r\n${host}\r\n`)).url, "/old");

  const hops = await send(
    `GET /h HTTP/1.1\r\n${host}X-Kept: a\r\nX-Hop: b\r\nConnection: close, X-Hop\r\nKeep-Alive: 5\r\nTE: trailers\r\nProxy-Authorization: x\r\nX_Under: c\r\nX.Dot: d\r\nUpgrade: h2c\r\n\r\n`,
  );
  assert.equal(hops.headers["x-kept"], "a");
  for (const name of ["x-hop", "keep-alive", "te", "proxy-authorization", "x_under", "x.dot", "upgrade"]) {
    assert.equal(hops.headers[name], undefined, name);
  }
});

test("a visitor that waits for 100 is told to go on, and one whose request a rule stops is not", async (t) => {
  const { url, rules, untilStatus } = await startEdgeApp(t, "sqlite", await startOrigin(t));
  const expecting = (path: string) =>
    exchange(url, `POST ${path} HTTP/1.1\r\n${host}Content-Length: 5\r\nExpect: 100-continue\r\n${end}hello`);
  const passed = await expecting("/");
  assert.match(passed, /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /);
  assert.ok(!passed.includes('"expect"'));
  await rules("http_request_firewall_custom", [
    { action: "block", expression: 'http.request.uri.path eq "/no"' },
  ]);
  await untilStatus("/no", 403);
  assert.match(await expecting("/no"), /^HTTP\/1.1 403 /);
});
