import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { startGateway, type GatewayApp } from "../../../test/support/gateway-app.ts";
import { startNode, type JsonRpcNode } from "../../../test/support/json-rpc-node.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";

const documented =
  "web3_clientVersion web3_sha3 net_version net_listening eth_syncing eth_mining eth_gasPrice eth_feeHistory eth_blockNumber eth_chainId eth_getBalance eth_getStorageAt eth_getTransactionCount eth_getBlockTransactionCountByHash eth_getBlockTransactionCountByNumber eth_getUncleCountByBlockHash eth_getUncleCountByBlockNumber eth_getCode eth_sendRawTransaction eth_call eth_estimateGas eth_getBlockByHash eth_getBlockByNumber eth_getTransactionByHash eth_getTransactionByBlockHashAndIndex eth_getTransactionByBlockNumberAndIndex eth_getTransactionReceipt eth_getUncleByBlockHashAndIndex eth_getUncleByBlockNumberAndIndex eth_getLogs eth_getWork eth_getProof trace_filter".split(
    " ",
  );
const refused =
  "net_peerCount eth_protocolVersion eth_coinbase eth_hashrate eth_accounts eth_sign eth_sendTransaction eth_getCompilers eth_compileLLL eth_compileSolidity eth_compileSerpent eth_newFilter eth_newBlockFilter eth_newPendingTransactionFilter eth_uninstallFilter eth_getFilterChanges eth_getFilterLogs eth_submitWork eth_submitHashrate debug_traceTransaction txpool_content hardhat_mine evm_mine anvil_setBalance admin_peers eth_subscribe personal_sign".split(
    " ",
  );
const sentByClients = [
  "eth_maxPriorityFeePerGas",
  "eth_blobBaseFee",
  "eth_getBlockReceipts",
  "eth_createAccessList",
];

/** A node that has every method. */
async function startCapableNode(t: Parameters<typeof startNode>[0]): Promise<JsonRpcNode> {
  const methods = [...documented, ...sentByClients, ...refused, "eth_chainId"];
  const answers = Object.fromEntries(methods.map((method) => [method, () => ({ result: '"0x1"' })]));
  return startNode(t, { answers });
}

describe("methods", () => {
  const suite = suiteContext();
  let shared: Promise<[GatewayApp, JsonRpcNode]> | undefined;
  const started = (): Promise<[GatewayApp, JsonRpcNode]> =>
    (shared ??= (async () => {
      const node = await startCapableNode(suite);
      return [await startGateway(suite, [{ name: "mainnet", upstreams: [node.url] }]), node];
    })());

  test("that are documented as supported, or sent by current clients, reach the node", async () => {
    const [app, node] = await started();
    for (const method of [...documented, ...sentByClients]) {
      const params = method === "trace_filter" ? [{ fromBlock: "latest" }] : [];
      const { status, body } = await app.call("mainnet", method, ...params);
      assert.deepEqual([status, body.result], [200, "0x1"], method);
      assert.ok(method === "eth_chainId" || node.calls.some((call) => call.method === method), method);
    }
  });

  test("that are documented as refused, and all others, are -32601 at 200 and reach no node", async () => {
    const [app, node] = await started();
    for (const method of refused) {
      const before = node.requests;
      const { status, body } = await app.call("mainnet", method);
      assert.deepEqual([status, body.error?.code], [200, -32601], method);
      assert.ok(body.error?.message.includes(method));
      assert.ok(!node.calls.some((call) => call.method === method), method);
      assert.ok(before <= node.requests);
    }
  });

  test("are refused with 403 where gateway_method_refusal says so: a single call, never a batch", async () => {
    const node = await startCapableNode(suite);
    const app = await startGateway(suite, [{ name: "mainnet", upstreams: [node.url] }], {
      gateway_method_refusal: "403",
    });
    const single = await app.call("mainnet", "eth_accounts");
    assert.deepEqual([single.status, single.body.error?.code, single.body.id], [403, -32601, 1]);
    const { status, batch } = await app.post(
      "mainnet",
      '[{"jsonrpc":"2.0","id":1,"method":"eth_accounts"},{"jsonrpc":"2.0","id":2,"method":"eth_gasPrice"}]',
    );
    assert.equal(status, 200);
    assert.deepEqual([batch[0]?.error?.code, batch[1]?.result], [-32601, "0x1"]);
  });

  test("are also allowed and refused by the lists of a network", async () => {
    const node = await startCapableNode(suite);
    const methods = { allow: ["debug_traceTransaction"], refuse: ["eth_getLogs"] };
    const app = await startGateway(suite, [{ name: "mainnet", upstreams: [node.url], methods }]);
    assert.equal((await app.call("mainnet", "debug_traceTransaction")).body.result, "0x1");
    assert.equal((await app.call("mainnet", "eth_getLogs", {})).body.error?.code, -32601);
  });
});

describe("ranges", () => {
  const suite = suiteContext();
  let shared: Promise<[GatewayApp, JsonRpcNode]> | undefined;
  const started = (): Promise<[GatewayApp, JsonRpcNode]> =>
    (shared ??= (async () => {
      const node = await startNode(suite, {
        head: 1_000,
        answers: {
          eth_getLogs: () => ({ result: "[{}]" }),
          trace_filter: () => ({ result: "[{}]" }),
          eth_feeHistory: () => ({ result: "{}" }),
        },
      });
      return [await startGateway(suite, [{ name: "mainnet", upstreams: [node.url] }]), node];
    })());

  const within: readonly (readonly [method: string, ...params: unknown[]])[] = [
    ["eth_getLogs", { fromBlock: "0x1", toBlock: "0x320" }],
    ["eth_getLogs", { fromBlock: "0xc9", toBlock: "latest" }],
    ["eth_getLogs", { fromBlock: "0xc9" }],
    ["eth_getLogs", {}],
    ["eth_getLogs", { fromBlock: "latest", toBlock: "latest" }],
    ["eth_getLogs", { blockHash: `0x${"0".repeat(64)}` }],
    ["trace_filter", { fromBlock: "0x1", toBlock: "0x320", count: 200 }],
    ["trace_filter", { toBlock: "0x31f" }],
    ["trace_filter", { fromBlock: "latest" }],
    ["eth_feeHistory", "0xa", "latest", []],
    ["eth_feeHistory", 10, "latest"],
  ];
  for (const [method, ...params] of within) {
    test(`${method} ${JSON.stringify(params)} is passed on`, async () => {
      const [app, node] = await started();
      const { body } = await app.call("mainnet", method, ...params);
      assert.equal(body.error, undefined);
      assert.deepEqual(node.calls.at(-1), { method, params });
    });
  }

  const tooWide: readonly (readonly [
    limit: number,
    requested: number,
    method: string,
    ...params: unknown[],
  ])[] = [
    [800, 801, "eth_getLogs", { fromBlock: "0x1", toBlock: "0x321" }],
    [800, 801, "eth_getLogs", { fromBlock: "0xc8", toBlock: "latest" }],
    [800, 1001, "eth_getLogs", { fromBlock: "earliest" }],
    [800, 801, "trace_filter", { fromBlock: "0x1", toBlock: "0x321", count: 1 }],
    [800, 1001, "trace_filter", {}],
    [800, 801, "trace_filter", { fromBlock: null, toBlock: "0x320" }],
    [800, 801, "trace_filter", { fromBlock: "0x1", toBlock: "0x321", blockHash: `0x${"0".repeat(64)}` }],
    [200, 201, "trace_filter", { fromBlock: "0x1", toBlock: "0x2", count: 201 }],
    [10, 11, "eth_feeHistory", "0xb", "latest", []],
    [10, 1024, "eth_feeHistory", 1024, "latest", []],
    [10, 11, "eth_feeHistory", "11", "latest", []],
    [800, 801, "eth_getLogs", { fromBlock: "0x1", toBlock: "0x321", blockHash: null }],
    [800, 801, "eth_getLogs", { fromBlock: "1", toBlock: "801" }],
  ];
  for (const [limit, requested, method, ...params] of tooWide) {
    test(`${method} ${JSON.stringify(params)} is -32602 with the limit in message and data`, async () => {
      const [app, node] = await started();
      const before = node.calls.length;
      const { status, body } = await app.call("mainnet", method, ...params);
      assert.deepEqual([status, body.error?.code], [200, -32602]);
      assert.match(body.error?.message ?? "", new RegExp(`limited to .*\\b${limit}\\b`));
      const data = body.error?.data as Record<string, unknown> | undefined;
      assert.deepEqual([data?.["limit"], data?.["requested"]], [limit, requested]);
      assert.equal(node.calls.length, before);
    });
  }
});
