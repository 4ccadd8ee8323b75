import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";

import { until } from "../../../test/support/harness.ts";
import { startGateway, type GatewayApp } from "../../../test/support/gateway-app.ts";
import { connect } from "../../../test/support/gateway-websocket.ts";
import {
  blockHash,
  hex,
  startNode,
  type JsonRpcNode,
  type NodeResult,
} from "../../../test/support/json-rpc-node.ts";
import type { Config } from "../../config/settings.ts";

/** Polls so rarely that no answer becomes unconfirmed, however busy the machine is. */
const pollsSeldom = { poll_ms: 60_000 };
const pollsOften = { poll_ms: 1_000 };

async function start(
  t: TestContext,
  node: Partial<JsonRpcNode> = {},
  network: object = pollsSeldom,
  settings: Partial<Config> = {},
): Promise<[GatewayApp, JsonRpcNode]> {
  const upstream = await startNode(t, node);
  return [
    await startGateway(t, [{ name: "mainnet", upstreams: [upstream.url], ...network }], settings),
    upstream,
  ];
}

async function outcomeOf(
  app: GatewayApp,
  method: string,
  ...params: readonly unknown[]
): Promise<string | null> {
  return (await app.call("mainnet", method, ...params)).headers.get("x-cache");
}

const hash = `0x${"ab".repeat(32)}`;
const mined = (block: number): { result: string } => ({
  result: JSON.stringify({ hash, blockNumber: hex(block) }),
});

describe("the cache", { concurrency: 4 }, () => {
  const lasting: readonly (readonly [method: string, ...params: unknown[]])[] = [
    ["eth_chainId"],
    ["net_version"],
    ["web3_sha3", "0x00"],
    ["eth_getBlockByNumber", hex(5), false],
    ["eth_getBlockByNumber", hex(990), true],
    ["eth_getBlockByHash", hash, false],
    ["eth_getBalance", "0x00", hex(5)],
    ["eth_getBalance", "0x00", { blockHash: hash }],
    ["eth_call", { to: "0x00" }, hex(5)],
    ["eth_getLogs", { fromBlock: hex(1), toBlock: hex(5) }],
    ["eth_getLogs", { blockHash: hash }],
    ["eth_getTransactionReceipt", hash],
    ["eth_getTransactionByHash", hash],
  ];
  const answers: JsonRpcNode["answers"] = {
    eth_call: () => ({ result: '"0x01"' }),
    eth_getLogs: () => ({ result: "[{}]" }),
    trace_filter: () => ({ result: "[{}]" }),
    eth_getBlockByHash: () => ({ result: "{}" }),
    eth_getTransactionReceipt: () => mined(5),
    eth_getTransactionByHash: () => mined(990),
  };
  for (const [method, ...params] of lasting) {
    test(`keeps answers that cannot change: ${method} ${JSON.stringify(params)}`, async (t) => {
      const [app, node] = await start(t, { answers });
      const first = await app.call("mainnet", method, ...params);
      assert.equal(first.headers.get("x-cache"), "MISS");
      await until("it is kept", async () => (await outcomeOf(app, method, ...params)) === "HIT");
      const asked = node.calls.length;
      const again = await app.post("mainnet", JSON.stringify({ id: "x", params, method, jsonrpc: "2.0" }));
      assert.equal(again.headers.get("x-cache"), "HIT");
      assert.equal(again.text, first.text.replace('"id":1', '"id":"x"'));
      assert.equal(node.calls.length, asked);
    });
  }

  test("distinguishes calls whose numbers differ beyond the precision of a double", async (t) => {
    const [app, node] = await start(t, { answers });
    const post = (value: string) =>
      app.post("mainnet", `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"value":${value}},"0x5"]}`);
    const outcomeOfValue = async (value: string) => (await post(value)).headers.get("x-cache");
    await post("9007199254740992");
    await until("it is kept", async () => (await outcomeOfValue("9007199254740992")) === "HIT");
    const asked = node.calls.length;
    assert.equal(await outcomeOfValue("9007199254740993"), "MISS");
    assert.equal(node.calls.length, asked + 1);
  });

  const passing: readonly (readonly [method: string, ...params: unknown[]])[] = [
    ["eth_blockNumber"],
    ["eth_gasPrice"],
    ...["latest", "pending", "safe", "finalized", "earliest"].map(
      (tag) => ["eth_getBlockByNumber", tag, true] as const,
    ),
    ["eth_getBalance", "0x00", "latest"],
    ["eth_getBalance", "0x00"],
    ["eth_call", { to: "0x00" }, "finalized"],
    ["eth_getLogs", { fromBlock: hex(300), toBlock: "latest" }],
    ["eth_getLogs", { fromBlock: hex(999) }],
    ["trace_filter", { blockHash: hash, fromBlock: hex(999), toBlock: "latest" }],
    ["eth_getBalance", "0x00", { blockHash: hash, requireCanonical: true }],
  ];
  for (const [method, ...params] of passing) {
    test(`keeps nothing under a tag: ${method} ${JSON.stringify(params)}`, async (t) => {
      const [app, node] = await start(t, { answers });
      for (let call = 1; call <= 3; call += 1) {
        assert.equal(await outcomeOf(app, method, ...params), "BYPASS");
        assert.equal(node.calls.filter((asked) => asked.method === method).length, call);
      }
    });
  }

  test("keeps no errors, no null, nothing past the newest block, no empty answer above the final one", async (t) => {
    const [app, node] = await start(t, {
      answers: {
        eth_call: () => ({ error: '{"code":3,"message":"execution reverted"}' }),
        eth_getCode: () => ({ result: '"0x"' }),
      },
    });
    await app.call("mainnet", "eth_getBlockByNumber", hex(5), false);
    for (const [method, ...params] of [
      ["eth_call", {}, hex(5)],
      ["eth_getBlockByNumber", hex(1_005), false],
      ["eth_getTransactionReceipt", hash],
      ["eth_getBalance", "0x00", hex(1_001)],
      ["eth_getLogs", { fromBlock: hex(990), toBlock: hex(995) }],
      ["eth_getCode", "0x00", hex(990)],
    ] as const) {
      const before = node.calls.length;
      for (let call = 0; call < 4; call += 1)
        assert.equal(await outcomeOf(app, method, ...params), "MISS", method);
      assert.equal(node.calls.length - before, 4, method);
    }
    assert.deepEqual(
      (await app.call("mainnet", "eth_getLogs", { fromBlock: hex(1), toBlock: hex(5) })).body.result,
      [],
    );
    await until("an empty answer below is kept", async () => {
      return (await outcomeOf(app, "eth_getLogs", { fromBlock: hex(1), toBlock: hex(5) })) === "HIT";
    });
  });

  test("forgets blocks that were replaced, and no others", async (t) => {
    const [app, node] = await start(t, { forkedAt: 995 }, pollsOften);
    const ask = async (block: number) => {
      const { headers, body } = await app.call("mainnet", "eth_getBlockByNumber", hex(block), true);
      return { outcome: headers.get("x-cache"), hash: body.result.hash as string };
    };
    for (const block of [500, 998])
      await until("it is kept", async () => (await ask(block)).outcome === "HIT");
    node.fork = 1;
    node.head += 1;
    await until("the other block is served", async () => (await ask(998)).hash === blockHash(node, 998));
    await until("it is kept again", async () => (await ask(998)).outcome === "HIT");
    assert.equal((await ask(998)).hash, blockHash(node, 998));
    assert.equal((await ask(500)).outcome, "HIT");
  });

  test("forgets everything of a chain that was begun anew", async (t) => {
    const [app, node] = await start(t, { forkedAt: 0 }, pollsOften);
    const ask = () => app.call("mainnet", "eth_getBlockByNumber", hex(5), true);
    await until("it is kept", async () => (await ask()).headers.get("x-cache") === "HIT");
    Object.assign(node, { fork: 1, head: 10, finalized: 0 });
    await until("the new block is served", async () => (await ask()).body.result.hash === blockHash(node, 5));
    await until("the height is the new one", async () => {
      return (await app.call("mainnet", "eth_blockNumber")).body.result === hex(10);
    });
  });

  test("serves no answer above the final block that no upstream has confirmed recently", async (t) => {
    const [app, node] = await start(t, {}, pollsOften);
    const ask = () => app.call("mainnet", "eth_getBlockByNumber", hex(998), true);
    const askFinal = () => app.call("mainnet", "eth_getBlockByNumber", hex(500), true);
    for (const each of [ask, askFinal])
      await until("it is kept", async () => (await each()).headers.get("x-cache") === "HIT");
    await node.stop();
    await until("it is no longer served", async () => (await ask()).status === 503);
    assert.equal((await askFinal()).headers.get("x-cache"), "HIT");
  });

  test("asks once for a thousand identical calls that come at once, and those that come meanwhile", async (t) => {
    const answer = Promise.withResolvers<NodeResult>();
    const [app, node] = await start(t, { answers: { eth_gasPrice: () => answer.promise } });
    const call = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"eth_gasPrice"}`;
    const connection = await connect(t, app);
    const batch = app.post("mainnet", `[${Array.from({ length: 1000 }, (_, id) => call(id)).join(",")}]`);
    await until("it is under way", () => node.calls.length > 0);
    connection.send(call(1));
    // A call that is sent later and answered: this one is in flight as well.
    await connection.call("net_version");
    answer.resolve({ result: '"0x3b9aca00"' });
    await until("it is answered", () => connection.messages.some(({ id }) => id === 1));
    assert.ok((await batch).batch.every(({ id, result }, index) => id === index && result === "0x3b9aca00"));
    assert.equal(node.calls.filter(({ method }) => method === "eth_gasPrice").length, 1);
    const shared = 'method="eth_gasPrice",cache="SHARED",outcome="ok"} 1000\n';
    assert.ok((await app.metrics()).includes(shared));
  });

  test("stays within its memory", async (t) => {
    const [app] = await start(
      t,
      { answers: { eth_getCode: () => ({ result: `"0x${"60".repeat(1000)}"` }) } },
      pollsSeldom,
      { gateway_cache_bytes_max: 64 * 1024 },
    );
    for (let block = 1; block <= 40; block += 1) await app.call("mainnet", "eth_getCode", "0x00", hex(block));
    await until(
      "the newest is kept",
      async () => (await outcomeOf(app, "eth_getCode", "0x00", hex(40))) === "HIT",
    );
    assert.equal(await outcomeOf(app, "eth_getCode", "0x00", hex(1)), "MISS");
    const metrics = await app.metrics();
    const bytes = Number(/zoneward_gateway_cache_bytes\{network="mainnet"\} (\d+)/.exec(metrics)?.[1]);
    assert.ok(bytes > 0 && bytes <= 64 * 1024, String(bytes));
  });

  test("says of a batch PARTIAL where its calls came about differently", async (t) => {
    const [app] = await start(t);
    await app.call("mainnet", "eth_chainId");
    const chainId = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
    const gasPrice = '{"jsonrpc":"2.0","id":2,"method":"eth_gasPrice"}';
    assert.equal((await app.post("mainnet", `[${chainId},${chainId}]`)).headers.get("x-cache"), "HIT");
    assert.equal((await app.post("mainnet", `[${chainId},${gasPrice}]`)).headers.get("x-cache"), "PARTIAL");
  });

  test("is counted with its outcome in the metrics", async (t) => {
    const [app] = await start(t);
    for (let call = 0; call < 3; call += 1) await app.call("mainnet", "eth_chainId");
    await app.call("mainnet", "eth_accounts");
    const metrics = await app.metrics();
    for (const line of [
      'calls_total{network="mainnet",method="eth_chainId",cache="MISS",outcome="ok"} 1',
      'calls_total{network="mainnet",method="eth_chainId",cache="HIT",outcome="ok"} 2',
      'calls_total{network="mainnet",method="other",cache="NONE",outcome="method"} 1',
      'call_duration_seconds_count{network="mainnet",method="eth_chainId"} 3',
    ]) {
      assert.ok(metrics.includes(`zoneward_gateway_${line}`), line);
    }
  });
});
