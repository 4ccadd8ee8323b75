import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { array, assert as assertProperty, asyncProperty, boolean, nat, record } from "fast-check";

import {
  mayCall,
  startGateway,
  type GatewayApp,
  type RpcResponse,
} from "../../../test/support/gateway-app.ts";
import { connect, startWithNode, type Connection } from "../../../test/support/gateway-websocket.ts";
import { byToken } from "../../../test/support/harness.ts";
import { startNode } from "../../../test/support/json-rpc-node.ts";
import { exchange, requestText, sendThenRead } from "../../../test/support/raw-http.ts";

const mebibyte = 1024 * 1024;
/** A batch of as many entries as the largest body has room for. */
const zeros = `[${Array.from({ length: mebibyte / 2 - 1 }, () => 0).join(",")}]`;
const refusalBytesMax = 400;
const responseBytesMax = 8_192;

/** The last message, as it came. */
async function textAfter(connection: Connection, sent: string): Promise<string> {
  const { socket, send } = connection;
  const heard = new Promise<Buffer>((resolve) => void socket.once("message", resolve));
  send(sent);
  return (await heard).toString();
}

describe("a body that is refused is refused once", () => {
  for (const [why, network, settings, status, code] of [
    ["too many calls", "mainnet", {}, 200, -32600],
    ["no credentials", "mainnet", { gateway_auth: "token" }, 401, -32000],
    ["an unknown network", "nothing", {}, 404, -32001],
    ["a network that has ended", "rinkeby", {}, 410, -32004],
  ] as const) {
    test(`with one error object, for ${why}`, async (t) => {
      const [app, node] = await startWithNode(t, {}, settings);
      const answer = await app.post(network, zeros);
      assert.deepEqual([answer.status, answer.body.id, answer.body.error?.code], [status, null, code]);
      assert.ok(answer.text.length < refusalBytesMax, answer.text);
      assert.equal(node.calls.length, 0);
    });
  }

  test("with one error object, where its client may make no more calls", async (t) => {
    const [app] = await startWithNode(t, {}, { gateway_rate_limit: 1 });
    const batch = `[${Array.from({ length: 1_000 }, () => 0).join(",")}]`;
    await app.post("mainnet", batch);
    const answer = await app.post("mainnet", batch);
    assert.deepEqual([answer.status, answer.body.id, answer.body.error?.code], [429, null, -32005]);
    assert.ok(answer.text.length < refusalBytesMax, answer.text);
  });

  test("with one error object over a WebSocket, too", async (t) => {
    const [app] = await startWithNode(t);
    const text = await textAfter(await connect(t, app), zeros);
    const { id, error } = JSON.parse(text) as RpcResponse;
    assert.deepEqual([id, error?.code], [null, -32600]);
    assert.ok(text.length < refusalBytesMax, text);
  });

  test("with one error object over a WebSocket whose token was revoked; a single call gets its id back", async (t) => {
    for (const [sent, id] of [
      [zeros, null],
      ['{"jsonrpc":"2.0","id":"7","method":"eth_chainId"}', "7"],
    ] as const) {
      const [app] = await startWithNode(t, {}, { gateway_auth: "token" });
      const made = await app.app.request("POST", "/user/tokens", { body: mayCall });
      const { id: tokenId, value } = made.body.result as { id: string; value: string };
      const connection = await connect(t, app, "mainnet", { authorization: `Bearer ${value}` });
      assert.equal((await app.app.request("DELETE", `/user/tokens/${tokenId}`)).status, 200);
      const text = await textAfter(connection, sent);
      const answer = JSON.parse(text) as RpcResponse;
      assert.deepEqual([answer.id, answer.error?.code], [id, -32000]);
      assert.ok(text.length < refusalBytesMax, text);
      assert.equal((await connection.closed).code, 1008);
    }
  });

  test("before its body is read, where credentials are missing", async (t) => {
    const [app] = await startWithNode(t, {}, { gateway_auth: "token" });
    const head = requestText("POST", "/gateway/v1/mainnet", { "content-length": "1000000" });
    assert.match(await sendThenRead(app.url, head), /^HTTP\/1\.1 401 /);
  });

  test("and the connection serves on, where its body was short", async (t) => {
    const [app] = await startWithNode(t, {}, { gateway_auth: "token" });
    const body = '{"jsonrpc":"2.0","id":7,"method":"eth_chainId"}';
    const head = { connection: "keep-alive", "content-length": String(body.length) };
    const first = requestText("POST", "/gateway/v1/mainnet", head, body);
    const second = requestText(
      "POST",
      "/gateway/v1/mainnet",
      { ...head, ...byToken, connection: "close" },
      body,
    );
    const received = await exchange(app.url, first + second);
    assert.deepEqual(
      [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
      ["401", "200"],
    );
  });
});

describe("an answer never exceeds gateway_response_bytes_max", () => {
  const start = async (t: Parameters<typeof startNode>[0]): Promise<GatewayApp> => {
    const answers = {
      eth_call: ([length]: readonly unknown[]) => ({ result: `"${"x".repeat(Number(length))}"` }),
    };
    const node = await startNode(t, { answers });
    return startGateway(t, [{ name: "mainnet", upstreams: [node.url] }], {
      gateway_response_bytes_max: responseBytesMax,
      gateway_cache_bytes_max: 0,
    });
  };
  const callOf = (id: string, length: number): string =>
    `{"jsonrpc":"2.0","id":"${id}","method":"eth_call","params":[${length}]}`;

  test("whatever a batch asks for: each call has an answer of its own, or the batch one", async (t) => {
    const app = await start(t);
    const connection = await connect(t, app);
    const calls = array(record({ idLength: nat(300), length: nat(3_000), isNotification: boolean() }), {
      minLength: 1,
      maxLength: 60,
    });
    let served = 0;
    await assertProperty(
      asyncProperty(calls, async (made) => {
        const entries = made.map(({ idLength, length, isNotification }, index) => {
          const call = callOf(`${index} ${"é".repeat(idLength)}`, length);
          return isNotification ? call.replace(/"id":"[^"]*",/, "") : call;
        });
        const expected = made.flatMap(({ isNotification }, index) => (isNotification ? [] : [index]));
        const posted = (await app.post("mainnet", `[${entries.join(",")}]`)).text;
        const texts = [posted];
        if (posted !== "") texts.push(await textAfter(connection, `[${entries.join(",")}]`));
        for (const text of texts) {
          assert.ok(Buffer.byteLength(text) <= responseBytesMax, `${Buffer.byteLength(text)} bytes`);
          if (text === "") {
            assert.deepEqual(expected, []);
            continue;
          }
          const answer = JSON.parse(text) as RpcResponse | RpcResponse[];
          if (!Array.isArray(answer)) {
            assert.deepEqual([answer.id, answer.error?.code], [null, -32602]);
            continue;
          }
          served += 1;
          assert.deepEqual(
            answer.map(({ id }) => Number.parseInt(String(id), 10)),
            expected,
          );
          for (const { result, error } of answer) assert.ok(result !== undefined || error?.code === -32602);
        }
      }),
      { numRuns: 60 },
    );
    assert.ok(served > 20, `only ${served} batches were served`);
  });

  test("a batch has the answers that fit, and errors for those that do not", async (t) => {
    const app = await start(t);
    const { batch } = await app.post(
      "mainnet",
      `[${callOf("a", 10)},${callOf("b", 8_100)},${callOf("c", 10)}]`,
    );
    assert.deepEqual(
      batch.map(({ id, error }) => [id, error?.code]),
      [
        ["a", undefined],
        ["b", -32602],
        ["c", undefined],
      ],
    );
  });

  test("nor does that of a single call, with its id or without room for it", async (t) => {
    const app = await start(t);
    const long = await app.post("mainnet", callOf("a", responseBytesMax - 60));
    assert.equal(long.body.result.length, responseBytesMax - 60);
    for (const [id, length, answered] of [
      ["a", responseBytesMax - 20, "a"],
      ["x".repeat(4_000), 4_500, "x".repeat(4_000)],
      ["x".repeat(responseBytesMax), 10, null],
    ] as const) {
      const { status, text, body } = await app.post("mainnet", callOf(id, length));
      assert.deepEqual([status, body.id, body.error?.code], [200, answered, -32602]);
      assert.ok(text.length <= responseBytesMax);
    }
  });

  test("where a batch could not even be refused call by call, nothing of it is asked", async (t) => {
    const node = await startNode(t);
    const app = await startGateway(t, [{ name: "mainnet", upstreams: [node.url] }], {
      gateway_response_bytes_max: responseBytesMax,
    });
    const batch = Array.from({ length: 100 }, (_, id) => callOf(String(id), 1));
    const { body } = await app.post("mainnet", `[${batch.join(",")}]`);
    assert.deepEqual([body.id, body.error?.code], [null, -32602]);
    assert.equal(node.calls.length, 0);
  });
});
