import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";

import { startEdgeApp } from "../../../test/support/edge-app.ts";
import { until } from "../../../test/support/harness.ts";
import { openHttp2, serveHttps } from "../../../test/support/http2-visitor.ts";
import { startRawOrigin } from "../../../test/support/raw-origin.ts";

test("visitors of HTTP/2 get a 204 or 205 whose origin gave it a length, and statuses that no RFC knows", async (t) => {
  const { port } = await startRawOrigin(t, {
    "/nothing": "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n",
    "/reset": "HTTP/1.1 205 Reset Content\r\nContent-Length: 4\r\n\r\nbody",
    "/odd": "HTTP/1.1 999 Odd\r\nContent-Length: 3\r\n\r\nodd",
    "/absent": "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno",
  });
  const edge = await startEdgeApp(t, "sqlite", port);
  const parameters = { content: "moved", content_type: "text/plain", status_code: 700 };
  await edge.rules("http_custom_errors", [
    { action: "serve_error", expression: "http.response.code eq 404", action_parameters: parameters },
  ]);
  await edge.untilStatus("/absent", 700);
  await serveHttps(edge);
  const session = openHttp2(t, edge);
  const ask = async (path: string) => {
    const stream = session.request({ ":path": path, ":authority": "www.example.com" });
    const [head] = (await once(stream, "response")) as [Record<string, unknown>];
    let text = "";
    for await (const part of stream.setEncoding("utf8")) text += part as string;
    return [head[":status"], text];
  };
  assert.deepEqual(await ask("/nothing"), [204, ""]);
  assert.deepEqual(await ask("/reset"), [205, ""]);
  assert.deepEqual(await ask("/odd"), [599, "odd"]);
  assert.deepEqual(await ask("/absent"), [599, "moved"]);
});

test("visitors of HTTP/2 get answers whose origin sent a header twice", async (t) => {
  const both =
    "access-control-allow-credentials access-control-max-age access-control-request-method age authorization content-encoding content-language content-location content-md5 content-range content-type dnt etag expires from host if-match if-modified-since if-none-match if-range if-unmodified-since last-modified location max-forwards range referer retry-after tk upgrade-insecure-requests user-agent www-authenticate x-content-type-options".split(
      " ",
    );
  const twice = (first: string, second: string): string =>
    both.map((name) => `${name}: ${first}\r\n${name}: ${second}\r\n`).join("");
  const answer = (headers: string): string => `HTTP/1.1 200 OK\r\n${headers}Content-Length: 2\r\n\r\nok`;
  const { port } = await startRawOrigin(t, {
    "/same": answer(twice("a", "a")),
    "/different": answer(twice("a", "b")),
  });
  const edge = await startEdgeApp(t, "sqlite", port);
  await serveHttps(edge);
  const session = openHttp2(t, edge);
  for (const [path, single, several] of [
    ["/same", "a", "a, a"],
    ["/different", "a, b", "a, b"],
  ] as const) {
    const stream = session.request({ ":path": path, ":authority": "www.example.com" });
    const [head] = (await once(stream.resume(), "response")) as [Record<string, unknown>];
    assert.equal(head[":status"], 200);
    for (const name of both) assert.equal(head[name], name === "www-authenticate" ? several : single, name);
  }
});

test("cookies that a visitor of HTTP/2 sends one by one reach rules and the origin as one header", async (t) => {
  const { port, seen } = await startRawOrigin(t, {});
  const edge = await startEdgeApp(t, "sqlite", port);
  await edge.rules("http_request_firewall_custom", [
    { action: "block", expression: `http.request.uri.path eq "/blocked"` },
    { action: "block", expression: `http.cookie eq "a=1; bad=2; c=3"` },
  ]);
  await edge.untilStatus("/blocked", 403);
  await serveHttps(edge);
  const session = openHttp2(t, edge);
  const send = async (...cookie: string[]): Promise<unknown> => {
    const stream = session.request({
      ":path": "/cookies",
      ":authority": "www.example.com",
      cookie: cookie as unknown as string,
    });
    const [head] = (await once(stream.resume(), "response")) as [Record<string, unknown>];
    return head[":status"];
  };
  assert.equal(await send("a=1", "b=2; c=3", "d=4"), 200);
  const received = seen.filter((request) => request.startsWith("GET /cookies "));
  assert.deepEqual(received.join("").match(/^cookie:.*$/gim), ["cookie: a=1; b=2; c=3; d=4"]);
  assert.equal(await send("a=1", "bad=2", "c=3"), 403);
});

test("a visitor that resets its stream of HTTP/2 ends the request to the origin", async (t) => {
  const { port, closed } = await startRawOrigin(t, {
    "/endless": "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
  });
  const edge = await startEdgeApp(t, "sqlite", port);
  await serveHttps(edge);
  const session = openHttp2(t, edge);
  const stream = session.request({ ":path": "/endless", ":authority": "www.example.com" });
  stream.on("error", () => undefined);
  await once(stream, "data");
  const before = closed();
  stream.close(8 /* CANCEL */);
  await until("the origin is told", () => closed() > before);
});
