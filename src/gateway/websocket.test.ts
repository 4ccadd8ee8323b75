import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";

import WebSocketClient from "ws";

import { byToken, sendRequest, until } from "../../test/harness.ts";
import { startGateway, type GatewayApp } from "../../test/gateway-app.ts";
import { blockHash, hashOf, hex, startNode, type JsonRpcNode } from "../../test/json-rpc-node.ts";
import { exchange, requestText } from "../../test/raw-http.ts";
import { zone } from "../core/policy/permission-groups.ts";
import type { Config } from "../settings.ts";

interface Message {
  readonly id?: unknown;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read many shapes
  readonly result?: any;
  readonly error?: { readonly code: number };
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read many shapes
  readonly params?: { readonly subscription: string; readonly result: any };
}

interface Connection {
  readonly socket: WebSocketClient;
  readonly messages: Message[];
  readonly send: (text: string) => void;
  /** Sends a call and answers its response. */
  readonly call: (method: string, ...params: readonly unknown[]) => Promise<Message>;
  /** What a subscription has brought so far. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read many shapes
  readonly heard: (id: string) => any[];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

async function connect(
  t: TestContext,
  app: GatewayApp,
  network = "mainnet",
  headers: Record<string, string> = {},
): Promise<Connection> {
  const socket = new WebSocketClient(app.url.replace("http", "ws") + network, { headers });
  t.after(() => socket.terminate());
  const messages: Message[] = [];
  socket.on("message", (data: Buffer) => messages.push(JSON.parse(data.toString()) as Message));
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on("close", (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  await new Promise((resolve, reject) => void socket.once("open", resolve).once("error", reject));
  let lastId = 0;
  return {
    socket,
    messages,
    send: (text) => socket.send(text),
    call: async (method, ...params) => {
      const id = `call ${(lastId += 1)}`;
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
      await until(`${method} is answered`, () => messages.some((message) => message.id === id));
      return messages.find((message) => message.id === id) as Message;
    },
    heard: (id) => messages.flatMap(({ params }) => (params?.subscription === id ? [params.result] : [])),
    closed,
  };
}

const chainId = '{"jsonrpc":"2.0","id":7,"method":"eth_chainId"}';
const mayCall = {
  name: "gateway",
  policies: [
    {
      effect: "allow",
      resources: { "com.cloudflare.api.account.zone.*": "*" },
      permission_groups: [{ id: zone("Web3 Hostnames Read").id }],
    },
  ],
};

async function start(
  t: TestContext,
  node: Partial<JsonRpcNode> = {},
  settings: Partial<Config> = {},
): Promise<[GatewayApp, JsonRpcNode]> {
  const upstream = await startNode(t, node);
  return [
    await startGateway(t, [{ name: "mainnet", poll_ms: 50, upstreams: [upstream.url] }], settings),
    upstream,
  ];
}

describe("a WebSocket", () => {
  test("takes calls and batches as POST does", async (t) => {
    const [app] = await start(t);
    const connection = await connect(t, app);
    assert.equal((await connection.call("eth_blockNumber")).result, "0x3e8");
    assert.equal((await connection.call("eth_accounts")).error?.code, -32601);
    connection.send("{");
    connection.send('[{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"},5]');
    connection.send('{"jsonrpc":"2.0","method":"eth_gasPrice"}');
    await until("all is answered", () => connection.messages.length === 4);
    const [malformed, batch] = connection.messages.slice(2) as [Message, Message[]];
    assert.deepEqual([malformed.error?.code, malformed.id], [-32700, null]);
    assert.deepEqual(
      batch.map(({ result, error }) => result ?? error?.code),
      ["0x3b9aca00", -32600],
    );
  });

  test("is refused with JSON-RPC where its network is unknown or has ended", async (t) => {
    const [app] = await start(t);
    for (const [network, status] of [
      ["goerli", 404],
      ["rinkeby", 410],
    ] as const) {
      const answer = await exchange(
        app.url,
        requestText("GET", `/gateway/v1/${network}`, {
          connection: "upgrade",
          upgrade: "websocket",
          "sec-websocket-version": "13",
          "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
        }),
      );
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `));
      assert.match(answer, /"error":\{"code":-3200[14]/);
    }
  });

  test("needs the credentials that calls need", async (t) => {
    const [app] = await start(t, {}, { gateway_auth: "token" });
    await assert.rejects(connect(t, app), /401/);
    assert.equal((await (await connect(t, app, "mainnet", byToken)).call("eth_chainId")).result, "0x1");
  });

  for (const [asks, ask] of [
    ["with its next call", (connection: Connection) => connection.send(chainId)],
    ["while it only listens", (connection: Connection) => connection.socket.pong()],
  ] as const) {
    test(`ends ${asks} after its token was revoked`, async (t) => {
      const [app] = await start(t, {}, { gateway_auth: "token" });
      const made = await app.app.request("POST", "/user/tokens", { body: mayCall });
      const { id, value } = made.body.result as { id: string; value: string };
      const connection = await connect(t, app, "mainnet", { authorization: `Bearer ${value}` });
      assert.equal((await connection.call("eth_chainId")).result, "0x1");
      ask(connection);
      assert.equal((await connection.call("eth_chainId")).result, "0x1");

      assert.equal((await app.app.request("DELETE", `/user/tokens/${id}`)).status, 200);
      const heard = connection.messages.length;
      ask(connection);
      assert.deepEqual(await connection.closed, { code: 1008, reason: "Invalid access token" });
      assert.ok(connection.messages.slice(heard).every(({ result }) => result === undefined));
    });
  }

  test("ends when its network does", async (t) => {
    const node = await startNode(t);
    const app = await startGateway(t, [
      { name: "mainnet", upstreams: [node.url], deprecated_on: "2026-01-04" },
    ]);
    const connection = await connect(t, app);
    assert.equal((await connection.call("eth_chainId")).result, "0x1");
    app.app.advance(3 * 86_400_000);
    connection.send(chainId);
    assert.equal((await connection.closed).code, 1008);
  });

  test("is refused to web pages of other origins than those in gateway_cors_origins", async (t) => {
    const [app] = await start(t, {}, { gateway_cors_origins: ["https://app.example"] });
    await assert.rejects(connect(t, app, "mainnet", { origin: "https://other.example" }), /403/);
    for (const origin of ["https://app.example", new URL(app.url).origin]) {
      await connect(t, app, "mainnet", { origin });
    }
  });

  test("ends with a code that says why", async (t) => {
    const [app] = await start(t, {}, { gateway_body_bytes_max: 1024 });
    const binary = await connect(t, app);
    binary.socket.send(Buffer.from([1, 2, 3]));
    assert.equal((await binary.closed).code, 1003);
    const large = await connect(t, app);
    large.send("x".repeat(2000));
    assert.equal((await large.closed).code, 1009);
    const open = await connect(t, app);
    await open.call("eth_subscribe", "newHeads");
    await app.app.close();
    assert.deepEqual(await open.closed, { code: 1001, reason: "the server ends" });
    await app.app.restart();
  });

  test("leaves the API to clients that offer an upgrade to something else", async (t) => {
    const [app] = await start(t);
    const headers = { connection: "upgrade, close", upgrade: "h2c", ...byToken };
    assert.match(
      await exchange(app.url, requestText("GET", "/client/v4/zones", headers)),
      /^HTTP\/1\.1 200 /,
    );
    const webSocket = { ...headers, upgrade: "websocket" };
    assert.match(
      await exchange(app.url, requestText("GET", "/client/v4/zones", webSocket)),
      /^HTTP\/1\.1 200 /,
    );
    assert.match(
      await exchange(app.url, requestText("GET", "/gateway/v1/mainnet", headers)),
      /^HTTP\/1\.1 405 /,
    );
    assert.equal((await sendRequest(app.app.baseUrl, "GET", "/zones")).status, 200);
  });
});

describe("eth_subscribe", () => {
  test("newHeads: every block once, in order, also those between two looks", async (t) => {
    const [app, node] = await start(t);
    const connection = await connect(t, app);
    const { result: id } = await connection.call("eth_subscribe", "newHeads");
    assert.match(id, /^0x[0-9a-f]{32}$/);
    // What comes from now on is told, what was there is not.
    await until("it follows", () => node.calls.length > 0 || node.requests > 2);
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
    const [app, node] = await start(t, { forkedAt: 1_001 });
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
    await until("it follows", () => node.requests > 4);
    const oldHash = (number: number): string => blockHash({ forkedAt: 1_001, fork: 0 }, number);
    node.head = 1_002;
    await until("two blocks", () => connection.heard(heads).length === 2);
    node.fork = 1;
    node.head = 1_003;
    await until("two more blocks", () => connection.heard(heads).length === 4);
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
    const [app, node] = await start(t);
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

  test("asks upstream once for all subscribers, and nothing for nobody", async (t) => {
    const [app, node] = await start(t);
    const connections = await Promise.all(Array.from({ length: 20 }, () => connect(t, app)));
    const ids = await Promise.all(connections.map((one) => one.call("eth_subscribe", "newHeads")));
    await until("they follow", () => node.requests > 4);
    const before = node.requests;
    node.head += 1;
    await until("all hear of it", () =>
      connections.every((one, index) => one.heard(String(ids[index]?.result)).length === 1),
    );
    assert.ok(node.requests - before < 20, `${node.requests - before} requests`);
    assert.match(await app.metrics(), /gateway_subscriptions\{network="mainnet"\} 20/);
    for (const { socket } of connections) socket.close();
    await until("nobody is left", async () =>
      /subscriptions\{network="mainnet"\} 0/.test(await app.metrics()),
    );
  });

  test("goes on when its upstream fails and another answers", async (t) => {
    const nodes = [await startNode(t), await startNode(t)];
    const upstreams = nodes.map(({ url }) => url);
    const app = await startGateway(t, [{ name: "mainnet", poll_ms: 50, attempt_ms: 300, upstreams }]);
    const connection = await connect(t, app);
    const { result: id } = await connection.call("eth_subscribe", "newHeads");
    await until("it follows", () => nodes.every(({ requests }) => requests > 2));
    await nodes[0]?.stop();
    (nodes[1] as JsonRpcNode).head += 1;
    await until("the block is heard", () => connection.heard(id).length === 1);
  });

  test("refuses what there is not, and over HTTP says that it needs a WebSocket", async (t) => {
    const [app] = await start(t);
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
    const huge = { result: JSON.stringify([{ address: "0x", topics: [], data: "x".repeat(2_000_000) }]) };
    const [app, node] = await start(t);
    node.answers = { eth_getLogs: () => huge, eth_getBlockByHash: ([hash]) => blockByHash(node, hash) };
    const slow = await connect(t, app);
    await slow.call("eth_subscribe", "logs");
    await until("it follows", () => node.requests > 3);
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

/** The block of one of the node's hashes, among the newest. */
function blockByHash(node: JsonRpcNode, hash: unknown): { result: string } {
  for (let number = node.head; number > node.head - 20; number -= 1) {
    if (blockHash(node, number) !== hash) continue;
    return {
      result: JSON.stringify({
        number: hex(number),
        hash,
        parentHash: blockHash(node, number - 1),
        transactions: [],
      }),
    };
  }
  return { result: "null" };
}
