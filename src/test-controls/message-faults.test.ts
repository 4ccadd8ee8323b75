import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";

import {
  connect,
  startWithNode,
  untilItFollows,
  type Connection,
} from "../../test/support/gateway-websocket.ts";
import { handshake } from "../../test/support/handshake.ts";
import { byToken, sendRequest, until } from "../../test/support/harness.ts";
import { blockByHash } from "../../test/support/json-rpc-node.ts";

interface Entry {
  readonly path: string;
  readonly body: { readonly method: string };
  readonly fault: string | null;
  readonly status: number | null;
}

async function startWithFaults(t: TestContext) {
  const [app, node] = await startWithNode(t, {}, { test_controls: true });
  const control = async (method: string, path: string, body?: unknown) =>
    (await sendRequest(new URL("/test/v1", app.url).href, method, path, { headers: byToken, body })).body
      .result;
  return {
    app,
    node,
    open: (): Promise<Connection> => connect(t, app),
    fault: (effect: object, match: object = {}) =>
      control("POST", "/faults", { match: { listener: "gateway", next: 1, ...match }, effect }),
    journal: async (match: object = { method: "MESSAGE" }) =>
      (await control("POST", "/journal/search", { match })).entries,
  };
}

describe("a fault of the gateway", () => {
  test("acts on the handshake of a WebSocket, and the journal has every handshake with its status", async (t) => {
    const { app, fault, journal } = await startWithFaults(t);
    const url = `${app.url.replace("http", "ws")}mainnet`;
    const outcomes: unknown[] = [];
    for (const effect of [
      { type: "error", status: 503 },
      { type: "rate_limit" },
      { type: "html", status: 502 },
      { type: "close", when: "before" },
      { type: "close", when: "within" },
      { type: "lost_answer" },
      { type: "close", when: "after" },
      { type: "latency", ms: 1 },
    ]) {
      await fault(effect, { method: "GET" });
      outcomes.push(await handshake(t, url));
    }
    assert.deepEqual(outcomes, [503, 429, 502, "lost", "lost", "lost", 101, 101]);
    assert.equal(await handshake(t, `${url}-unknown`), 404);
    assert.equal(await handshake(t, url, { "sec-websocket-protocol": "," }), 400);
    assert.deepEqual(
      (await journal({ method: "GET" })).map(({ status, fault: id }: Entry) => [status, id]),
      [
        [503, "1"],
        [429, "2"],
        [502, "3"],
        [null, "4"],
        [null, "5"],
        [null, "6"],
        [101, "7"],
        [101, null],
        [404, null],
        [400, null],
      ],
    );
  });

  test("answers a message of a WebSocket with an error, and its call is not carried out", async (t) => {
    const { open, fault, journal, node } = await startWithFaults(t);
    const connection = await open();
    await fault({ type: "error", code: -32000, message: "try later" });
    await fault({ type: "rate_limit", retry_after_seconds: 3 });
    const asked = node.calls.length;
    assert.deepEqual((await connection.call("eth_getBalance", "0x1")).error, {
      code: -32000,
      message: "try later",
    });
    assert.equal((await connection.call("eth_getBalance", "0x1")).error?.code, -32005);
    assert.equal(node.calls.length, asked);
    assert.ok((await connection.call("eth_subscribe", "newHeads")).result);
    const entries = await journal();
    assert.deepEqual(
      entries.map((entry: Entry) => [entry.path, entry.body.method, entry.fault, entry.status]),
      [
        ["/gateway/v1/mainnet", "eth_getBalance", "1", 200],
        ["/gateway/v1/mainnet", "eth_getBalance", "2", 200],
        ["/gateway/v1/mainnet", "eth_subscribe", null, 200],
      ],
    );
    assert.equal(entries[0].answer.error.message, "try later");
  });

  test("closes a WebSocket before a call, after it without its answer, or after the answer", async (t) => {
    const { open, fault, journal } = await startWithFaults(t);
    for (const [effect, answers] of [
      [{ type: "close", when: "before" }, 0],
      [{ type: "close", when: "within" }, 0],
      [{ type: "lost_answer" }, 0],
      [{ type: "close", when: "after" }, 1],
    ] as const) {
      const connection = await open();
      await fault(effect);
      connection.send('{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}');
      await connection.closed;
      assert.equal(connection.messages.length, answers, JSON.stringify(effect));
    }
    assert.deepEqual(
      (await journal()).map(({ status }: { status: number | null }) => status),
      [null, null, null, 200],
    );
  });

  test("damages or delays the answer to a message, and leaves it alone where it cannot carry the effect", async (t) => {
    const { open, fault, journal } = await startWithFaults(t);
    const connection = await open();
    const texts: string[] = [];
    connection.socket.removeAllListeners("message");
    connection.socket.on("message", (data: Buffer) => texts.push(data.toString()));
    await fault({ type: "html" });
    // A timer may fire up to a millisecond early.
    await fault({ type: "latency", ms: 21 });
    await fault({ type: "bad_json", form: "truncated" });
    const call = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
    connection.send(call);
    await until("it is answered", () => texts.length === 1);
    connection.send(call);
    await until("it is answered again", () => texts.length === 2);
    const [damaged = "", whole = ""] = texts;
    assert.ok(whole.startsWith(damaged) && damaged.length < whole.length);
    const [first] = await journal();
    assert.ok(first.milliseconds >= 20);
  });

  test("damages, delays or loses what a subscription brings, in order, and the journal has it", async (t) => {
    const { open, fault, journal, node } = await startWithFaults(t);
    node.answers = { eth_getBlockByHash: ([hash]) => blockByHash(node, hash) };
    const connection = await open();
    const { result: id } = await connection.call("eth_subscribe", "newHeads");
    await untilItFollows(connection, [node]);
    const texts: string[] = [];
    connection.socket.removeAllListeners("message");
    connection.socket.on("message", (data: Buffer) => texts.push(data.toString()));
    const pushed = { method: "PUSH" };
    // No call could be refused.
    await fault({ type: "error" }, pushed);
    await fault({ type: "latency", ms: 20 }, pushed);
    await fault({ type: "bad_json", form: "truncated" }, { ...pushed, every: 2, next: undefined });
    node.head += 2;
    await until("both are there", () => texts.length === 2);
    const [whole = "", damaged = ""] = texts;
    const { params } = JSON.parse(whole);
    assert.deepEqual([params.subscription, Number(params.result.number)], [id, 1_001]);
    assert.throws(() => JSON.parse(damaged));
    await fault({ type: "lost_answer" }, pushed);
    node.head += 1;
    assert.equal((await connection.closed).code, 1006);
    assert.equal(texts.length, 2);
    const entries = await journal(pushed);
    // A timer may fire up to a millisecond early.
    assert.ok(entries[0].milliseconds >= 19);
    assert.deepEqual(
      entries.map(({ status, fault: by }: Entry) => [status, by]),
      [
        [200, null],
        [200, "3"],
        [null, "4"],
      ],
    );
  });

  test("that delays what a subscription brings closes the WebSocket once more than 4 MiB wait, and lets go of them", async (t) => {
    const { open, fault, journal, node } = await startWithFaults(t);
    const large = `{"extraData":"0x${"00".repeat(512 * 1024)}",`;
    node.answers = {
      eth_getBlockByHash: ([hash]) => ({ result: blockByHash(node, hash).result.replace("{", large) }),
    };
    const connection = await open();
    await connection.call("eth_subscribe", "newHeads");
    await untilItFollows(connection, [node]);
    const pushed = { method: "PUSH" };
    await fault({ type: "latency", ms: 86_400_000 }, { ...pushed, next: undefined });
    node.head += 6;
    await until("it is closed", () => connection.socket.readyState === connection.socket.CLOSED);
    assert.equal((await connection.closed).code, 1013);
    await until("those that waited are over", async () => (await journal(pushed)).length >= 3);
    const entries = await journal(pushed);
    assert.ok(entries.every(({ status }: Entry) => status === null));
  });
});
