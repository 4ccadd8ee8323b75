import assert from "node:assert/strict";
import { connect } from "node:net";
import { describe, test } from "node:test";

import { byToken, startTestApp, type TestApp } from "../../test/support/harness.ts";
import { exchange, requestText, sendBytes, sendThenRead } from "../../test/support/raw-http.ts";

const malformedRequest =
  '{"success":false,"errors":[{"code":6003,"message":"Invalid request headers"}],"messages":[],"result":null}';

function post(headers: Record<string, string>, body: string): string {
  return requestText("POST", "/client/v4/zones", { ...byToken, ...headers }, body);
}

async function assertServes(app: TestApp): Promise<void> {
  assert.equal((await app.request("GET", "/zones")).body.result_info?.total_count, 0);
}

describe("connections", () => {
  test("bytes that are not an HTTP request get a clear envelope, and the server goes on", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const large = "x".repeat(20_000);
    const cases: readonly (readonly [title: string, bytes: string | Buffer, status: number])[] = [
      ["garbage", "\x01\x02\x03 what is this\r\n\r\n", 400],
      ["a TLS greeting", Buffer.from("160301020001000001fc0303aabbccdd", "hex"), 400],
      ["an unknown method", "BREW /client/v4/zones HTTP/1.1\r\n\r\n", 400],
      ["an unknown version", "GET /client/v4/zones HTTP/9.9\r\n\r\n", 400],
      ["a header without a name", "GET /client/v4/ips HTTP/1.1\r\nhost: a\r\n: b\r\n\r\n", 400],
      ["no host", "GET /client/v4/ips HTTP/1.1\r\nconnection: close\r\n\r\n", 400],
      ["two hosts", requestText("GET", "/client/v4/ips", { Host: "example.com" }), 400],
      [
        "the same host twice, from an old client",
        "GET /client/v4/ips HTTP/1.0\r\nhost: a\r\nhost: a\r\n\r\n",
        400,
      ],
      ["an oversized header", requestText("GET", "/client/v4/ips", { "x-large": large }), 431],
      ["an oversized path", requestText("GET", `/client/v4/zones/${large}`, byToken), 431],
      ["a length that is not a number", post({ "content-length": "many" }, "{}"), 400],
      ["two lengths", post({ "content-length": "2", "Content-Length": "30" }, "{}"), 400],
      [
        "a length and chunks",
        post({ "content-length": "2", "transfer-encoding": "chunked" }, "0\r\n\r\n"),
        400,
      ],
      ["a malformed chunk", post({ "transfer-encoding": "chunked" }, "zz\r\n{}\r\n0\r\n\r\n"), 400],
    ];
    for (const [title, bytes, status] of cases) {
      const answer = await sendBytes(app.baseUrl, bytes);
      assert.equal(answer.status, status, title);
      assert.equal(answer.text, malformedRequest, title);
      assert.equal(answer.headers.get("content-type"), "application/json", title);
      assert.equal(answer.headers.get("content-length"), String(malformedRequest.length), title);
      assert.equal(answer.headers.get("cache-control")?.startsWith("no-store"), true, title);
      assert.match(answer.headers.get("cf-ray") ?? "", /^[0-9a-f]{16}-[A-Z]{3}$/, title);
    }
    await assertServes(app);
  });

  test("a client that sends everything before it reads gets its refusal, and not a reset", async (t) => {
    const app = await startTestApp(t, "sqlite");
    // Much more than the buffers of a connection hold.
    const bytes = 24_000_000;
    const body = "x".repeat(bytes);
    const announced = { "content-length": String(bytes) };
    const chunk = `${bytes.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const cases: readonly (readonly [title: string, request: string, status: number])[] = [
      ["a body that is announced", post(announced, body), 413],
      ["a body in chunks", post({ "transfer-encoding": "chunked" }, chunk), 413],
      ["a body without credentials", requestText("POST", "/client/v4/zones", announced, body), 400],
      ["a body to nowhere", requestText("POST", "/client/v4/nothing", announced, body), 400],
      ["headers", requestText("GET", "/client/v4/ips", { "x-large": body }), 431],
    ];
    for (const [title, request, status] of cases) {
      const received = await sendThenRead(app.baseUrl, request);
      assert.match(received, new RegExp(`^HTTP/1\\.1 ${status} `), title);
      assert.match(received, /^connection: close\r$/im, title);
      assert.match(received, /\r\n\r\n\{.*"success":false.*\}$/, title);
    }
    await assertServes(app);
  });

  test("an HTTP/1.0 client gets Content-Length and no chunks, with and without a host", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const authorization = `authorization: ${byToken.authorization}\r\n`;
    for (const host of ["", "host: localhost\r\n"]) {
      for (const path of ["/client/v4/zones", "/client/v4/ips", "/client/v4/nothing", "/healthz"]) {
        const answer = await sendBytes(app.baseUrl, `GET ${path} HTTP/1.0\r\n${host}${authorization}\r\n`);
        assert.equal(answer.headers.get("content-length"), String(Buffer.byteLength(answer.text)), path);
        assert.equal(answer.headers.get("transfer-encoding"), undefined, path);
        assert.equal(answer.status, path.endsWith("nothing") ? 400 : 200, path);
      }
    }
    const body = '{"name":"example.com"}';
    const created = await sendBytes(
      app.baseUrl,
      `POST /client/v4/zones HTTP/1.0\r\n${authorization}content-length: ${body.length}\r\n\r\n${body}`,
    );
    assert.equal(created.body.result.name, "example.com");

    const path = `/client/v4/zones/${created.body.result.id}/dns_records/export`;
    const received = await exchange(app.baseUrl, `GET ${path} HTTP/1.0\r\n${authorization}\r\n`);
    const [head = "", text = ""] = received.split("\r\n\r\n");
    assert.match(text, /^example\.com\.\t\d+\tIN\tSOA\t/m);
    assert.match(head, new RegExp(`^content-length: ${Buffer.byteLength(text)}$`, "m"));
    assert.doesNotMatch(head, /^transfer-encoding/im);
  });

  test("bytes behind a request that ends the connection do not take the place of its answer", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const lines = (version: string): string =>
      `GET /client/v4/zones HTTP/${version}\r\nhost: localhost\r\nauthorization: ${byToken.authorization}\r\n`;
    for (const request of [`${lines("1.0")}\r\n`, `${lines("1.1")}connection: close\r\n\r\n`]) {
      const received = await exchange(app.baseUrl, request + "\0".repeat(7_900));
      assert.deepEqual(
        [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
        ["200"],
      );
      assert.match(received, /"total_count":0/);
    }
    await assertServes(app);
  });

  test("bytes behind requests that are no request are refused after their answers", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const one = requestText("GET", "/client/v4/zones", { ...byToken, connection: "keep-alive" });
    const received = await exchange(app.baseUrl, `${one}${one}\x01 what is this\r\n\r\n`);
    assert.deepEqual(
      [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
      ["200", "200", "400"],
    );
    assert.ok(received.endsWith(malformedRequest), received);

    const { hostname, port } = new URL(app.baseUrl);
    const socket = connect(Number(port), hostname).setEncoding("utf8");
    socket.write(one);
    let later = "";
    for await (const part of socket) {
      if (later === "") socket.write("\x01 what is this\r\n\r\n");
      later += part as string;
    }
    assert.deepEqual(
      [...later.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
      ["200", "400"],
    );
    await assertServes(app);
  });

  test("a request may name its target in full, as proxies write it", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const answer = await sendBytes(app.baseUrl, requestText("GET", "http://api.example/client/v4/ips", {}));
    assert.equal(answer.status, 200);
  });

  test("requests sent together on one connection are answered in their order", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const create = '{"name":"example.com"}';
    const received = await exchange(
      app.baseUrl,
      [
        requestText(
          "POST",
          "/client/v4/zones",
          { ...byToken, connection: "keep-alive", "content-length": String(create.length) },
          create,
        ),
        requestText("GET", "/client/v4/nothing", { connection: "keep-alive" }),
        // Refused before its body is read.
        requestText(
          "POST",
          "/client/v4/zones",
          { connection: "keep-alive", "content-length": String(create.length) },
          create,
        ),
        requestText("GET", "/client/v4/zones?per_page=5", byToken),
      ].join(""),
    );
    assert.deepEqual(
      [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
      ["200", "400", "400", "200"],
    );
    assert.ok(received.endsWith("}"), "the last answer is whole");
  });

  test("a client that disconnects within its body leaves nothing behind", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const { hostname, port } = new URL(app.baseUrl);
    await new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      const headers = { ...byToken, "content-length": "1000" };
      socket.on("error", reject);
      socket.on("close", () => resolve());
      socket.write(requestText("POST", "/client/v4/zones", headers, '{"name":"example.com"}'), () =>
        socket.destroy(),
      );
    });
    await assertServes(app);
  });
});
