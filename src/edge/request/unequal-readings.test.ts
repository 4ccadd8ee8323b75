import assert from "node:assert/strict";
import { once } from "node:events";
import type { ClientHttp2Session } from "node:http2";
import { test } from "node:test";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";

import { startEdgeApp, startOrigin } from "../../../test/support/edge-app.ts";
import { openHttp2, serveHttps } from "../../../test/support/http2-visitor.ts";
import { ask, startJudge } from "../../../test/support/judge.ts";
import { exchange } from "../../../test/support/raw-http.ts";

const custom = "http_request_firewall_custom";
const form = "application/x-www-form-urlencoded";
const block = (expression: string) => ({ action: "block", expression });
const forForms = [block('any(http.request.body.form["user"][*] eq "root")')];
const evil = "a=b&user=root";

/** The status of a request in HTTP/2, whose headers may repeat. */
async function statusOf(
  session: ClientHttp2Session,
  headers: Record<string, string | string[]>,
  body: Buffer | string,
) {
  const stream = session.request({
    ":method": "POST",
    ":path": "/",
    ":authority": "www.example.com",
    ...headers,
  });
  stream.on("error", () => undefined).end(body);
  const [head] = (await once(stream.resume(), "response")) as [Record<string, unknown>];
  return head[":status"];
}

test("a header with a single value that is there twice, or is a list, reaches neither rules nor origins", async (t) => {
  const seen: string[] = [];
  const port = await startOrigin(t, (request, response) => {
    seen.push(request.url ?? "");
    response.end();
  });
  const edge = await startEdgeApp(t, "sqlite", port);
  await edge.rules(custom, [...forForms, block('http.user_agent contains "bad"')]);
  await edge.untilStatus("/", 403, { headers: { "user-agent": "bad" } });
  seen.length = 0;
  const post = async (headers: string) => {
    const received = await exchange(
      edge.url,
      `POST / HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: ${evil.length}\r\n${headers}\r\nConnection: close\r\n\r\n${evil}`,
    );
    return Number(received.split(" ", 2)[1]);
  };
  assert.equal(await post(`Content-Type: ${form}`), 403);
  for (const headers of [
    `Content-Type: text/plain\r\nContent-Type: ${form}`,
    `Content-Type: ${form}\r\ncontent-type: ${form}`,
    `Content-Type: text/plain, ${form}`,
    `Content-Type: ${form},text/plain`,
    `Content-Type: text/plain; a="b", ${form}`,
    `Content-Type: ,${form}`,
    "Authorization: Basic YTpi\r\nAuthorization: Basic Yzpk",
    "User-Agent: good\r\nUser-Agent: bad",
    "Referer: https://example.com/\r\nReferer: https://example.net/",
    "Range: bytes=0-1\r\nRange: bytes=2-3",
    "Origin: https://example.com\r\nOrigin: https://example.net",
    "If-Modified-Since: Sat, 01 Jan 2000 00:00:00 GMT\r\nIf-Modified-Since: Sat, 01 Jan 2000 00:00:00 GMT",
  ])
    assert.equal(await post(headers), 400, headers);
  assert.equal(await post(`Content-Type: ${form} text/plain`), 403, "programs end a type at a space");
  assert.deepEqual(seen, []);
  for (const headers of [
    'Content-Type: text/plain; a="b,c"; d="\\","',
    "Accept: text/html\r\nAccept: */*",
    "Cache-Control: a\r\nCache-Control: b",
    "Content-Type: text/plain",
  ])
    assert.equal(await post(headers), 200, headers);

  await serveHttps(edge);
  const session = openHttp2(t, edge);
  seen.length = 0;
  assert.equal(await statusOf(session, { "content-type": form }, evil), 403);
  assert.equal(await statusOf(session, { "content-type": `text/plain, ${form}` }, evil), 400);
  assert.deepEqual(seen, []);
});

test("rules see what is in an encoded body, and its origin gets it as it came", async (t) => {
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t));
  const { rules, visit, untilStatus } = edge;
  await rules(custom, forForms);
  await untilStatus("/", 403, { method: "POST", headers: { "content-type": form }, body: evil });
  await serveHttps(edge);
  const session = openHttp2(t, edge);
  const encoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
    gzip: gzipSync,
    "x-gzip": gzipSync,
    GZIP: gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
    zstd: zstdCompressSync,
    identity: (body) => body,
    "identity, gzip": gzipSync,
  };
  const post = (encoding: string, body: Buffer) =>
    visit("/", { method: "POST", headers: { "content-type": form, "content-encoding": encoding }, body });
  for (const [encoding, encode] of Object.entries(encoders)) {
    const hostile = encode(Buffer.from(evil));
    assert.equal((await post(encoding, hostile)).status, 403, encoding);
    const headers = { "content-type": form, "content-encoding": encoding };
    assert.equal(await statusOf(session, headers, hostile), 403, `HTTP/2 ${encoding}`);
    const harmless = encode(Buffer.from("user=me"));
    const { status, echo } = await post(encoding, harmless);
    assert.deepEqual([status, echo.body], [200, harmless.toString("latin1")], encoding);
    assert.equal(echo.headers["content-encoding"], encoding);
  }
  assert.equal((await post("deflate", deflateRawSync(evil))).status, 403);
  assert.equal((await post("gzip", gzipSync(Buffer.alloc(1_000_000)))).status, 200, "of much, the beginning");
  assert.equal(
    (await post("gzip", Buffer.concat([gzipSync("a=b&"), gzipSync("user=root")]))).status,
    403,
    "of several members, all",
  );
  const half = gzipSync(evil).subarray(0, -8);
  assert.equal((await post("gzip", half)).status, 403, "of one that ends too early, what there is");
});

test("a body that cannot be decoded is 415 where a rule needs it, and passes where none does", async (t) => {
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t));
  const { rules, visit, untilStatus } = edge;
  const ofForms = block(
    'http.request.uri.path eq "/form" and any(http.request.body.form["user"][*] eq "root")',
  );
  await rules(custom, [ofForms]);
  const post = (path: string, encoding: string, body: Buffer | string = evil) =>
    visit(path, { method: "POST", headers: { "content-type": form, "content-encoding": encoding }, body });
  await untilStatus("/form", 403, { method: "POST", headers: { "content-type": form }, body: evil });
  for (const encoding of ["gzip", "br", "zstd", "compress", "aws-chunked", "gzip, gzip", "gzip, br"]) {
    assert.equal((await post("/form", encoding)).status, 415, encoding);
    const { status, echo } = await post("/other", encoding);
    assert.deepEqual([status, echo.body], [200, evil], encoding);
  }
  assert.equal((await post("/form", "gzip, gzip", gzipSync(gzipSync(evil)))).status, 415);
  await rules(custom, []);
  while ((await post("/form", "compress")).status !== 200);
});

test("a proxy that hands bodies to the judge has encoded ones judged too", async (t) => {
  const { rules, port } = await startJudge(t, "sqlite");
  await rules(custom, forForms);
  const headers = {
    host: "www.example.com",
    "x-real-ip": "192.0.2.7",
    "x-forwarded-proto": "https",
    "content-type": form,
  };
  const asked = (more: object, body: string | Buffer) =>
    ask(port, "/envoy/", { method: "POST", headers: { ...headers, ...more }, body: body as string });
  assert.equal((await asked({}, evil)).status, 403);
  assert.equal((await asked({ "content-encoding": "gzip" }, gzipSync(evil))).status, 403);
  assert.equal((await asked({ "content-encoding": "gzip" }, gzipSync("user=me"))).status, 200);
  assert.equal((await asked({ "content-encoding": "compress" }, evil)).status, 415);
  assert.equal((await asked({ "content-type": [form, "text/plain"] }, evil)).status, 400);
});
