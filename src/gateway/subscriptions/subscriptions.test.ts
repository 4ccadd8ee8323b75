import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { startGateway } from "../../../test/support/gateway-app.ts";
import {
  connect,
  startWithNode,
  untilItFollows,
  type Connection,
} from "../../../test/support/gateway-websocket.ts";
import { until } from "../../../test/support/harness.ts";
import {
  blockByHash,
  blockHash,
  hashOf,
  startNode,
  type JsonRpcNode,
} from "../../../test/support/json-rpc-node.ts";

describe("eth_subscribe", () => {
  test("newHeads: every block once, in order, also those between two looks", async (t) => {
    const [app, node] = await startWithNode(t);
    const connection = await connect(t, app);
    const { result: id } = await connection.call("eth_subscribe", "newHeads");
    assert.match(id, /^0x[0-9a-f]{32}$/);
    // Only blocks after the subscription are reported.
    await untilItFollows(connection, [node]);
    const answers = { eth_getBlockByHash: ([hash]: readonly unknown[]) => blockByHash(node, hash) };
    node.answers = answers;
    node.head += 1;
    await until("one block", () => connection.heard(id).length === 1);
    node.head += 4;
    await until("five blocks", () => connection.heard(id).length === 5);
    const heard = connection.heard(id);
    assert.deepEqual(
      heard.map(({ number }) => Number(number)),
      [1_001, 1_002, 1_003, 1_004, 1_005],
    );
    assert.deepEqual(
      heard.map(({ hash }) => hash),
      [1_001, 1_002, 1_003, 1_004, 1_005].map((n) => blockHash(node, n)),
    );
    assert.equal("transactions" in heard[0], false);
    assert.equal((await connection.call("eth_unsubscribe", id)).result, true);
    assert.equal((await connection.call("eth_unsubscribe", id)).result, false);
  });

  test("newHeads after a reorganisation: the blocks that replaced others, and logs again with removed", async (t) => {
    const topic = hashOf("topic");
    const logsOf = (hash: string): string =>
      JSON.stringify([
        { address: `0x${"11".repeat(20)}`, topics: [topic], blockHash: hash, logIndex: "0x0" },
      ]);
    const [app, node] = await startWithNode(t, { forkedAt: 1_001 });
    node.answers = {
      eth_getBlockByHash: ([hash]) => blockByHash(node, hash),
      eth_getLogs: ([filter]) => ({ result: logsOf((filter as { blockHash: string }).blockHash) }),
    };
    const connection = await connect(t, app);
    const { result: heads } = await connection.call("eth_subscribe", "newHeads");
    const { result: logs } = await connection.call("eth_subscribe", "logs", {
      topics: [[topic, hashOf("other")]],
    });
    const { result: others } = await connection.call("eth_subscribe", "logs", { topics: [hashOf("other")] });
    await untilItFollows(connection, [node]);
    const oldHash = (number: number): string => blockHash({ forkedAt: 1_001, fork: 0 }, number);
    node.head = 1_002;
    await until("two blocks", () => connection.heard(heads).length === 2);
    node.fork = 1;
    node.head = 1_003;
    await until("two more blocks", () => connection.heard(heads).length === 4);
    await until("their logs", () => connection.heard(logs).length === 5);
    assert.deepEqual(
      connection.heard(heads).map(({ number, hash }) => [Number(number), hash]),
      [
        [1_001, oldHash(1_001)],
        [1_002, oldHash(1_002)],
        [1_002, blockHash(node, 1_002)],
        [1_003, blockHash(node, 1_003)],
      ],
    );
    assert.deepEqual(
      connection.heard(logs).map(({ blockHash: hash, removed }) => [hash, removed]),
      [
        [oldHash(1_001), false],
        [oldHash(1_002), false],
        [oldHash(1_002), true],
        [blockHash(node, 1_002), false],
        [blockHash(node, 1_003), false],
      ],
    );
    assert.deepEqual(connection.heard(others), []);
  });

  test("newPendingTransactions: each hash once, from when it is asked for", async (t) => {
    let waiting = [hashOf("before")];
    const [app, node] = await startWithNode(t);
    node.answers = {
      eth_getBlockByNumber: ([block]) =>
        block === "pending" ? { result: JSON.stringify({ transactions: waiting }) } : undefined,
    };
    const connection = await connect(t, app);
    const { result: id } = await connection.call("eth_subscribe", "newPendingTransactions");
    await until("it looks", () => node.calls.some(({ params }) => params[0] === "pending"));
    const looks = node.calls.length;
    await until("it looks again", () => node.calls.length > looks);
    waiting = [hashOf("before"), hashOf("one")];
    await until("one is heard", () => connection.heard(id).length === 1);
    waiting = [hashOf("one"), hashOf("two")];
    await until("two are heard", () => connection.heard(id).length === 2);
    assert.deepEqual(connection.heard(id), [hashOf("one"), hashOf("two")]);
  });

  test("polls upstreams once for all subscribers, and not at all without any", async (t) => {
    const [app, node] = await startWithNode(t);
    node.answers = { eth_getLogs: () => ({ result: '[{"address":"0x","topics":[]}]' }) };
    const connections = await Promise.all(Array.from({ length: 20 }, () => connect(t, app)));
    const ids = await Promise.all(connections.map((one) => one.call("eth_subscribe", "logs")));
    await untilItFollows(connections[0] as Connection, [node]);
    node.head += 1;
    await until("all hear of it", () =>
      connections.every((one, index) => one.heard(String(ids[index]?.result)).length === 1),
    );
    assert.equal(node.calls.filter(({ method }) => method === "eth_getLogs").length, 1);
    assert.match(await app.metrics(), /gateway_subscriptions\{network="mainnet"\} 21/);
    for (const { socket } of connections) socket.close();
    await until("nobody is left", async () =>
      /subscriptions\{network="mainnet"\} 0/.test(await app.metrics()),
    );
  });

  test("goes on when its upstream fails and another answers", async (t) => {
    const nodes = [await startNode(t), await startNode(t)];
    const upstreams = nodes.map(({ url }) => url);
    const app = await startGateway(t, [{ name: "mainnet", poll_ms: 50, upstreams }]);
    const connection = await connect(t, app);
    const { result: id } = await connection.call("eth_subscribe", "newHeads");
    await untilItFollows(connection, nodes);
    await nodes[0]?.stop();
    (nodes[1] as JsonRpcNode).head += 1;
    await until("the block is heard", () => connection.heard(id).length === 1);
  });

  test("refuses unknown subscriptions, and over HTTP says that it needs a WebSocket", async (t) => {
    const [app] = await startWithNode(t);
    const connection = await connect(t, app);
    for (const params of [
      [],
      ["syncing"],
      ["newPendingTransactions", true],
      ["logs", { address: "0x1" }],
      ["logs", { topics: "x" }],
    ]) {
      assert.equal(
        (await connection.call("eth_subscribe", ...params)).error?.code,
        -32602,
        JSON.stringify(params),
      );
    }
    const { body } = await app.call("mainnet", "eth_subscribe", "newHeads");
    assert.equal(body.error?.code, -32601);
    assert.match(body.error?.message ?? "", /WebSocket/);
  });

  test("cuts off who does not read, with a code that says so", async (t) => {
    const huge = { result: JSON.stringify([{ address: "0x", topics: [], data: "x".repeat(5_000_000) }]) };
    const [app, node] = await startWithNode(t);
    node.answers = { eth_getLogs: () => huge, eth_getBlockByHash: ([hash]) => blockByHash(node, hash) };
    const slow = await connect(t, app);
    await slow.call("eth_subscribe", "logs");
    await untilItFollows(slow, [node]);
    slow.socket.pause();
    // More than the kernel and the gateway hold back for it.
    for (let block = 0; block < 12; block += 1) {
      const asked = node.calls.length;
      node.head += 1;
      await until("its logs are asked for", () =>
        node.calls.slice(asked).some(({ method }) => method === "eth_getLogs"),
      );
    }
    slow.socket.resume();
    const { code, reason } = await slow.closed;
    assert.deepEqual([code, reason.startsWith("too slow")], [1008, true]);
  });
});
