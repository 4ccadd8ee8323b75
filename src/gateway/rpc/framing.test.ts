import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { assert as assertProperty, asyncProperty, double, integer, oneof, string } from "fast-check";

import { startGateway, type GatewayApp, type RpcResponse } from "../../../test/support/gateway-app.ts";
import { startNode, type JsonRpcNode } from "../../../test/support/json-rpc-node.ts";
import { exchange, requestText, sendThenRead } from "../../../test/support/raw-http.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";

const call = '"jsonrpc":"2.0","method":"eth_gasPrice"';
const gasPrice = "0x3b9aca00";

describe("framing (JSON-RPC 2.0)", () => {
  const suite = suiteContext();
  let shared: Promise<{ app: GatewayApp; node: JsonRpcNode }> | undefined;
  const started = (): Promise<{ app: GatewayApp; node: JsonRpcNode }> =>
    (shared ??= (async () => {
      const node = await startNode(suite);
      return { node, app: await startGateway(suite, [{ name: "mainnet", upstreams: [node.url] }]) };
    })());
  const post = async (body: string | Uint8Array<ArrayBuffer>) => (await started()).app.post("mainnet", body);

  describe("a call", () => {
    for (const [title, body] of [
      ["without params", `{${call},"id":1}`],
      ["with null for no params, as go-ethereum takes it", `{${call},"params":null,"id":1}`],
      ["with positional params", `{${call},"params":[],"id":1}`],
      ["with members in any order and white space", ` {"id" : 1 ,\n"params": [ ], ${call} }\r\n`],
      ["with unknown members", `{${call},"id":1,"extra":{"id":2},"__proto__":{"id":3}}`],
      ["with a member twice, of which the last counts", `{"id":7,${call},"id":1}`],
      ["with escapes in names", `{"json\\u0072pc":"2.0","method":"eth_gasPric\\u0065","i\\u0064":1}`],
    ] as const) {
      test(`${title} is answered`, async () => {
        const { status, headers, text } = await post(body);
        assert.deepEqual([status, headers.get("content-type")], [200, "application/json"]);
        assert.equal(text, `{"jsonrpc":"2.0","id":1,"result":"${gasPrice}"}`);
      });
    }

    test("is read whatever its sender calls it", async () => {
      const { app } = await started();
      for (const type of [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/json; charset=utf-8",
      ]) {
        const { body } = await app.post("mainnet", `{${call},"id":1}`, { "content-type": type });
        assert.equal(body.result, gasPrice, type);
      }
    });

    const ids = [
      "0",
      "1",
      "-1",
      "1.0",
      "1.50",
      "1e3",
      "12345678901234567890123",
      '""',
      '"a"',
      '"\\u0061\\"\\\\"',
      "null",
    ];
    for (const id of ids) {
      test(`with the id ${id} gets it back byte for byte`, async () => {
        assert.equal(
          (await post(`{${call},"id":${id}}`)).text,
          `{"jsonrpc":"2.0","id":${id},"result":"${gasPrice}"}`,
        );
        assert.ok((await post(`[{${call},"id": ${id} }]`)).text.startsWith(`[{"jsonrpc":"2.0","id":${id},`));
        const refused = await post(`{"jsonrpc":"1.0","method":"eth_gasPrice","id":${id}}`);
        assert.ok(refused.text.startsWith(`{"jsonrpc":"2.0","id":${id},"error":`), refused.text);
      });
    }

    test("with any id at all gets it back byte for byte", async () => {
      const id = oneof(
        string({ unit: "grapheme" }),
        integer(),
        double({ noNaN: true, noDefaultInfinity: true }),
      );
      await assertProperty(
        asyncProperty(id, async (value) => {
          const text = JSON.stringify(value);
          assert.ok((await post(`{"id":${text},${call}}`)).text.startsWith(`{"jsonrpc":"2.0","id":${text},`));
        }),
        { numRuns: 50 },
      );
    });

    test("without an id is a notification: done and not answered", async () => {
      const { node } = await started();
      const before = node.calls.length;
      const { status, text } = await post(`{${call}}`);
      assert.deepEqual([status, text, node.calls.length - before], [204, "", 1]);
      for (const silent of ['"params":{}', '"method":"no_such"']) {
        assert.deepEqual([(await post(`{${call},${silent}}`)).status], [204], silent);
      }
    });
  });

  describe("a malformed call", () => {
    const refusals: readonly (readonly [title: string, body: string, code: number, id: string])[] = [
      ["not JSON", `{${call},"id":1`, -32700, "null"],
      ["nothing", "", -32700, "null"],
      ["a byte order mark", `\uFEFF{${call},"id":1}`, -32700, "null"],
      ["bytes behind the value", `{${call},"id":1} x`, -32700, "null"],
      ["two values", `{${call},"id":1}{${call},"id":2}`, -32700, "null"],
      ["a batch that is not JSON", `[{${call},"id":1},{${call}`, -32700, "null"],
      ["a number", "1", -32600, "null"],
      ["a text", '"x"', -32600, "null"],
      ["null", "null", -32600, "null"],
      ["true", "true", -32600, "null"],
      ["an empty object", "{}", -32600, "null"],
      ["an empty batch", "[]", -32600, "null"],
      ["no method", '{"jsonrpc":"2.0","id":5}', -32600, "5"],
      ["a method that is a number", '{"jsonrpc":"2.0","method":1,"id":5}', -32600, "5"],
      ["no version", '{"method":"eth_gasPrice","id":5}', -32600, "5"],
      ["version 1.0", '{"jsonrpc":"1.0","method":"eth_gasPrice","id":5}', -32600, "5"],
      ["version 2 as a number", '{"jsonrpc":2.0,"method":"eth_gasPrice","id":5}', -32600, "5"],
      ["an id that is an object", `{${call},"id":{}}`, -32600, "null"],
      ["an id that is an array", `{${call},"id":[1]}`, -32600, "null"],
      ["an id that is true", `{${call},"id":true}`, -32600, "null"],
      ["params that are a text", `{${call},"params":"x","id":5}`, -32600, "5"],
      ["params that are a number", `{${call},"params":1,"id":5}`, -32600, "5"],
      ["named params, which no Ethereum method has", `{${call},"params":{"a":1},"id":5}`, -32602, "5"],
      ["an unknown method", '{"jsonrpc":"2.0","method":"eth_nothing","id":5}', -32601, "5"],
      ["a reserved method", '{"jsonrpc":"2.0","method":"rpc.discover","id":5}', -32601, "5"],
      ["a method with NUL", '{"jsonrpc":"2.0","method":"eth_gasPrice\\u0000","id":5}', -32601, "5"],
      ["a method of Object's", '{"jsonrpc":"2.0","method":"__proto__","id":5}', -32601, "5"],
      [
        "deep nesting",
        `{${call},"id":5,"params":${"[".repeat(90_000)}${"]".repeat(90_000)}}`,
        -32600,
        "null",
      ],
      ["deep nesting that never ends", "[".repeat(100_000), -32600, "null"],
    ];
    for (const [title, body, code, id] of refusals) {
      test(`${title}: ${code}`, async () => {
        const { node } = await started();
        const before = node.calls.length;
        const answer = await post(body);
        assert.deepEqual([answer.status, answer.body.error?.code], [200, code]);
        assert.ok(answer.text.startsWith(`{"jsonrpc":"2.0","id":${id},"error":{`), answer.text);
        assert.equal("result" in answer.body, false);
        assert.equal(node.calls.length, before);
      });
    }

    test("bytes that are not UTF-8: -32700", async () => {
      const { body } = await post(new Uint8Array(Buffer.from(`{${call},"id":"\xff"}`, "latin1")));
      assert.deepEqual([body.error?.code, body.id], [-32700, null]);
    });
  });

  describe("a batch", () => {
    const codesOf = (batch: readonly RpcResponse[]): (number | undefined)[] =>
      batch.map(({ error }) => error?.code);

    test("is answered element by element, in its order, notifications left out", async () => {
      const { status, batch } = await post(
        `[{${call},"id":1},{${call}},{"jsonrpc":"2.0","method":"eth_accounts","id":"2"},{"jsonrpc":"2.0","method":"eth_blockNumber","id":null}]`,
      );
      assert.equal(status, 200);
      assert.deepEqual(
        batch.map(({ id }) => id),
        [1, "2", null],
      );
      assert.deepEqual(codesOf(batch), [undefined, -32601, undefined]);
      assert.deepEqual([batch[0]?.result, batch[2]?.result], [gasPrice, "0x3e8"]);
    });

    test("of malformed calls is an array with an error for each", async () => {
      assert.deepEqual(codesOf((await post("[1]")).batch), [-32600]);
      assert.deepEqual(codesOf((await post("[1,2,3]")).batch), [-32600, -32600, -32600]);
      assert.deepEqual(codesOf((await post(`[[{${call},"id":1}],{${call},"id":2}]`)).batch), [
        -32600,
        undefined,
      ]);
    });

    test("of notifications alone is not answered", async () => {
      const { status, text } = await post(`[{${call}},{${call}}]`);
      assert.deepEqual([status, text], [204, ""]);
    });

    test("may use an id twice", async () => {
      const { batch } = await post(`[{${call},"id":1},{${call},"id":1}]`);
      assert.deepEqual(
        batch.map(({ id, result }) => [id, result]),
        [
          [1, gasPrice],
          [1, gasPrice],
        ],
      );
    });

    test("of 1,000 calls is answered, of 1,001 refused once", async () => {
      const { node } = await started();
      const calls = (count: number): string =>
        `[${Array.from({ length: count }, (_, id) => `{${call},"id":${id}}`).join(",")}]`;
      const { batch: answered } = await post(calls(1000));
      assert.deepEqual(
        answered.map(({ id, result }) => [id, result]),
        Array.from({ length: 1000 }, (_, id) => [id, gasPrice]),
      );
      const before = node.calls.length;
      const { status, body } = await post(calls(1001));
      assert.deepEqual([status, body.id, body.error?.code], [200, null, -32600]);
      assert.deepEqual(body.error?.data, { limit: 1000, requested: 1001, unit: "calls" });
      assert.equal(node.calls.length, before);
    });
  });

  describe("over HTTP", () => {
    test("other methods are 405 with Allow and a JSON-RPC error", async () => {
      const { app } = await started();
      for (const method of ["GET", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
        const response = await fetch(`${app.url}mainnet`, { method });
        assert.deepEqual([response.status, response.headers.get("allow")], [405, "POST, OPTIONS"], method);
        assert.equal(((await response.json()) as RpcResponse).error?.code, -32600);
      }
      assert.equal((await fetch(`${app.url}mainnet`, { method: "HEAD" })).status, 405);
    });

    test("a request without a host, or with two, is 400 with a JSON-RPC error, and nothing is asked", async () => {
      const { app, node } = await started();
      const before = node.calls.length;
      const body = `{${call},"id":1}`;
      const posted = `POST /gateway/v1/mainnet HTTP/1.1\r\nconnection: close\r\ncontent-length: ${body.length}\r\n`;
      const upgraded = `GET /gateway/v1/mainnet HTTP/1.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n`;
      for (const hosts of ["", "host: a\r\nhost: b\r\n", "host: a\r\nHOST: a\r\n"]) {
        for (const bytes of [`${posted}${hosts}\r\n${body}`, `${upgraded}${hosts}\r\n`]) {
          const answer = await exchange(app.url, bytes);
          assert.match(answer, /^HTTP\/1\.1 400 [^]*"code":-32600,"message":"The request must have one Host/);
        }
      }
      assert.equal(node.calls.length, before);
    });

    test("a trailing slash and a query change nothing", async () => {
      const { app } = await started();
      for (const path of ["mainnet/", "mainnet?key=1", "mainnet/?key=1"]) {
        assert.equal((await app.post(path, `{${call},"id":1}`)).body.result, gasPrice, path);
      }
    });

    test("a body over the limit is 413, announced or not, and nothing is asked", async (t) => {
      const { node } = await started();
      const app = await startGateway(t, [{ name: "mainnet", upstreams: [node.url] }], {
        gateway_body_bytes_max: 2048,
      });
      const large = `{${call},"id":1,"params":["${"x".repeat(4000)}"]}`;
      const before = node.calls.length;
      const announced = await app.post("mainnet", large);
      assert.deepEqual(
        [announced.status, announced.body.id, announced.body.error?.code],
        [413, null, -32600],
      );
      assert.deepEqual(announced.body.error?.data, { limit: 2048, unit: "bytes" });
      const chunked = await exchange(
        app.url,
        requestText(
          "POST",
          "/gateway/v1/mainnet",
          { "transfer-encoding": "chunked" },
          `fff\r\n${"x".repeat(4095)}\r\n0\r\n\r\n`,
        ),
      );
      assert.match(chunked, /^HTTP\/1\.1 413 /);
      // Much more than the buffers of a connection hold.
      const body = "x".repeat(24_000_000);
      const headers = { "content-length": String(body.length) };
      const unread = await sendThenRead(app.url, requestText("POST", "/gateway/v1/mainnet", headers, body));
      assert.match(unread, /^HTTP\/1\.1 413 /);
      assert.equal(node.calls.length, before);
    });

    test("a compressed body is 415", async () => {
      const { app } = await started();
      const { status, body } = await app.post("mainnet", `{${call},"id":1}`, { "content-encoding": "gzip" });
      assert.deepEqual([status, body.error?.code], [415, -32600]);
    });

    test("a client that disconnects in the middle of its body affects no other", async () => {
      const { app } = await started();
      const half = requestText("POST", "/gateway/v1/mainnet", { "content-length": "100" }, "{");
      const { hostname, port } = new URL(app.url);
      const { connect } = await import("node:net");
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () => socket.write(half, () => socket.destroy()));
        socket.on("close", () => resolve());
      });
      assert.equal((await post(`{${call},"id":1}`)).body.result, gasPrice);
    });

    test("the API on the same listener answers as before", async () => {
      const { app } = await started();
      assert.equal((await app.app.request("GET", "/zones")).status, 200);
      const other = await fetch(`${new URL(app.app.baseUrl).origin}/gatewayother`);
      assert.deepEqual([other.status, ((await other.json()) as { success: boolean }).success], [400, false]);
    });
  });
});
