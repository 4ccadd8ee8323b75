import assert from "node:assert/strict";
import { once } from "node:events";
import { request, type IncomingHttpHeaders, type IncomingMessage, type RequestListener } from "node:http";
import { test, type TestContext } from "node:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";

import { startEdgeApp, startOrigin, type EdgeApp } from "../../../test/support/edge-app.ts";
import { until } from "../../../test/support/harness.ts";
import { openHttp2, serveHttps } from "../../../test/support/http2-visitor.ts";
import { exchange } from "../../../test/support/raw-http.ts";

const text = "Compression pays for texts that repeat themselves. ".repeat(200);
const large = Array.from({ length: 200_000 }, (_, n) => `line ${n * 7919}`).join("\n");

interface Reply {
  readonly headers: IncomingHttpHeaders;
  readonly octets: Buffer;
}

async function begin(
  { url }: EdgeApp,
  path: string,
  headers: object,
  method = "GET",
): Promise<IncomingMessage> {
  const { hostname, port } = new URL(url);
  const asked = request({
    hostname,
    port,
    path,
    method,
    agent: false,
    headers: { host: "www.example.com", ...headers },
  });
  asked.end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  return response;
}

async function get(edge: EdgeApp, path: string, accepted?: string, method = "GET"): Promise<Reply> {
  const response = await begin(
    edge,
    path,
    accepted === undefined ? {} : { "accept-encoding": accepted },
    method,
  );
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return { headers: response.headers, octets: Buffer.concat(parts) };
}

/** Answers what the path says: its name, with headers of the query. */
const answers: RequestListener = (asked, response) => {
  const { pathname, searchParams } = new URL(asked.url ?? "", "http://origin");
  const body = pathname === "/large" ? large : pathname === "/small" ? "x".repeat(40) : text;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-length": String(body.length),
    etag: '"v1"',
    "accept-ranges": "bytes",
    ...Object.fromEntries(searchParams),
  };
  response.writeHead(Number(searchParams.get("status") ?? 200), headers);
  response.end(asked.method === "HEAD" ? undefined : body);
};

const startCompressing = async (t: TestContext, listener: RequestListener = answers): Promise<EdgeApp> =>
  startEdgeApp(t, "sqlite", await startOrigin(t, listener));

const untilEncoded = (edge: EdgeApp, path: string, accepted: string, encoding: string | undefined) =>
  until(`${path} is encoded as ${encoding}`, async () => {
    const { headers } = await get(edge, path, accepted);
    return headers["content-encoding"] === encoding;
  });

test("visitors get texts in the encoding that they accept, with headers for that", async (t) => {
  const edge = await startCompressing(t);
  const { headers, octets } = await get(edge, "/", "gzip, br");
  assert.equal(gunzipSync(octets).toString(), text);
  assert.ok(octets.length < text.length / 10);
  assert.partialDeepStrictEqual(headers, {
    "content-encoding": "gzip",
    vary: "accept-encoding",
    etag: 'W/"v1"',
    "content-type": "text/html; charset=utf-8",
  });
  assert.deepEqual([headers["content-length"], headers["accept-ranges"]], [undefined, undefined]);

  const head = await get(edge, "/", "gzip", "HEAD");
  const changing = new Set(["date", "cf-ray", "transfer-encoding"]);
  const kept = (all: IncomingHttpHeaders) => Object.entries(all).filter(([name]) => !changing.has(name));
  assert.deepEqual(kept(head.headers), kept(headers));
  assert.equal(head.octets.length, 0);

  const plain = await get(edge, "/");
  assert.equal(plain.octets.toString(), text);
  assert.partialDeepStrictEqual(plain.headers, {
    "content-length": String(text.length),
    vary: "accept-encoding",
    etag: '"v1"',
    "accept-ranges": "bytes",
  });

  const varied = await get(edge, "/?vary=Origin,%20Accept-Encoding&etag=W/%22v1%22", "gzip");
  assert.deepEqual([varied.headers.vary, varied.headers.etag], ["Origin, Accept-Encoding", 'W/"v1"']);

  await edge.change("PATCH", "/settings/brotli", { value: "on" });
  await untilEncoded(edge, "/", "gzip, br", "br");
  const brotli = await get(edge, "/", "gzip, br");
  assert.equal(brotliDecompressSync(brotli.octets).toString(), text);
  for (const [accepted, encoding] of [
    ["*", "br"],
    ["br;q=0.5, gzip", "gzip"],
    ["br;q=0, gzip;q=0.1", "gzip"],
    ["gzip;q=0, deflate", undefined],
    ["identity", undefined],
    ["", undefined],
  ] as const) {
    assert.equal((await get(edge, "/", accepted)).headers["content-encoding"], encoding, accepted);
  }
});

test("a body stays as the origin sent it where it may not, or need not, be another one", async (t) => {
  const edge = await startCompressing(t);
  for (const query of [
    "?content-encoding=x-own",
    "?cache-control=public,%20No-Transform",
    "?content-type=image/png",
    "?content-type=text/event-stream",
    "?content-digest=sha-256%3D:AA:",
    "?status=206&content-range=bytes%200-9/10",
    "?status=500",
  ]) {
    const { headers, octets } = await get(edge, `/${query}`, "gzip, br");
    assert.equal(octets.toString(), text, query);
    assert.equal(headers["content-length"], String(text.length), query);
    assert.equal(headers.etag, '"v1"', query);
    assert.equal(headers.vary, undefined, query);
  }
  assert.equal((await get(edge, "/small", "gzip")).headers["content-encoding"], undefined);
  const old = await exchange(
    edge.url,
    "GET / HTTP/1.0\r\nHost: www.example.com\r\nAccept-Encoding: gzip\r\n\r\n",
  );
  assert.doesNotMatch(old, /content-encoding/i);
  assert.ok(old.includes(text));
  for (const status of [403, 404])
    assert.equal((await get(edge, `/?status=${status}`, "gzip")).headers["content-encoding"], "gzip");
});

test("rules say how answers are compressed", async (t) => {
  const edge = await startCompressing(t);
  const rule = (path: string, ...names: readonly string[]) => ({
    action: "compress_response",
    expression: `http.request.uri.path eq "${path}"`,
    action_parameters: { algorithms: names.map((name) => ({ name })) },
  });
  await edge.rules("http_response_compression", [
    {
      ...rule("", "none"),
      expression: 'http.response.content_type.media_type eq "text/csv"',
    },
    rule("/zstd", "zstd", "gzip"),
    rule("/image", "auto"),
    rule("/default", "default"),
  ]);
  await untilEncoded(edge, "/zstd", "gzip, zstd", "zstd");
  const { octets } = await get(edge, "/zstd", "gzip, zstd");
  assert.equal(zstdDecompressSync(octets).toString(), text);
  for (const [path, encoding] of [
    ["/zstd", "gzip"],
    ["/?content-type=text/csv", undefined],
    ["/image?content-type=image/png", "gzip"],
    ["/default?content-type=image/png", undefined],
    ["/default", "gzip"],
    ["/", "gzip"],
  ] as const) {
    assert.equal((await get(edge, path, "gzip, br")).headers["content-encoding"], encoding, path);
  }
});

test("what an origin sends bit by bit arrives bit by bit", async (t) => {
  let goOn = (): void => undefined;
  const edge = await startCompressing(t, (asked, response) => {
    if (asked.url !== "/parts") {
      response.end();
      return;
    }
    response.writeHead(200, { "content-type": "application/json" }).write('{"part":1}\n');
    goOn = () => response.end('{"part":2}\n');
  });
  const response = await begin(edge, "/parts", { "accept-encoding": "gzip" });
  const parts: Buffer[] = [];
  response.on("data", (part: Buffer) => parts.push(part));
  // The end of a stream that was flushed lacks its checksum, so only its beginning is asked for.
  const read = (): string => gunzipSync(Buffer.concat(parts), { finishFlush: 2 }).toString();
  await until("the first part is there", () => parts.length > 0 && read() === '{"part":1}\n');
  goOn();
  await once(response, "end");
  assert.equal(gunzipSync(Buffer.concat(parts)).toString(), '{"part":1}\n{"part":2}\n');
});

test("a large body is whole over either version of HTTP, also to visitors who read slowly", async (t) => {
  const edge = await startCompressing(t);
  const slow = await begin(edge, "/large", { "accept-encoding": "gzip" });
  const other = await get(edge, "/large", "gzip");
  assert.equal(gunzipSync(other.octets).toString(), large);
  const parts: Buffer[] = [];
  for await (const part of slow) parts.push(part as Buffer);
  assert.equal(gunzipSync(Buffer.concat(parts)).toString(), large);

  await serveHttps(edge);
  const session = openHttp2(t, edge);
  const stream = session.request({
    ":path": "/large",
    ":authority": "www.example.com",
    "accept-encoding": "gzip",
  });
  const received: Buffer[] = [];
  for await (const part of stream) received.push(part as Buffer);
  assert.equal(gunzipSync(Buffer.concat(received)).toString(), large);
});

/** A quarter of 256: an account that is alone has a half, and so has a client of it. */
const compressedOfClient = 64;

test("visitors who leave do not keep the answers of others from being compressed", async (t) => {
  const edge = await startCompressing(t, (asked, response) => {
    response.writeHead(200, { "content-type": "text/plain" }).write(text);
    if (asked.url !== "/endless") response.end();
  });
  const endless: IncomingMessage[] = [];
  for (let n = 0; n < compressedOfClient; n += 1)
    endless.push(await begin(edge, "/endless", { "accept-encoding": "gzip" }));
  assert.ok(endless.every(({ headers }) => headers["content-encoding"] === "gzip"));
  const { headers, octets } = await get(edge, "/", "gzip");
  assert.deepEqual([headers["content-encoding"], octets.toString()], [undefined, text], "too many at a time");
  for (const response of endless) response.on("error", () => undefined).destroy();
  await untilEncoded(edge, "/", "gzip", "gzip");
});

test("an origin that breaks off does not end the compressed answer cleanly", async (t) => {
  const edge = await startCompressing(t, (asked, response) => {
    if (asked.headers["accept-encoding"] !== "gzip") {
      response.end();
      return;
    }
    response.writeHead(200, { "content-type": "text/plain" });
    response.write(text, () => response.destroy());
  });
  await assert.rejects(get(edge, "/", "gzip"), { code: "ECONNRESET" });
});
