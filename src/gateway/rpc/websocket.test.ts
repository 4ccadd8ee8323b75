import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { describe, test, type TestContext } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";

import pino from "pino";
import WebSocketClient from "ws";

import { mayCall, networksOf, patient, startGateway } from "../../../test/support/gateway-app.ts";
import {
  connect,
  startWithNode,
  type Connection,
  type Message,
} from "../../../test/support/gateway-websocket.ts";
import { byToken, sendRequest, until } from "../../../test/support/harness.ts";
import { startNode } from "../../../test/support/json-rpc-node.ts";
import { exchange, requestText } from "../../../test/support/raw-http.ts";
import { clientAddressesBehind } from "../../wire/client-address.ts";
import { createMetrics } from "../../wire/metrics.ts";
import { createGateway } from "../gateway.ts";

const upgrade = {
  connection: "upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};
const chainId = '{"jsonrpc":"2.0","id":7,"method":"eth_chainId"}';
describe("a WebSocket", () => {
  test("takes calls and batches as POST does", async (t) => {
    const [app] = await startWithNode(t);
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
    const [app] = await startWithNode(t);
    for (const [network, status] of [
      ["goerli", 404],
      ["rinkeby", 410],
    ] as const) {
      const answer = await exchange(app.url, requestText("GET", `/gateway/v1/${network}`, upgrade));
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `));
      assert.match(answer, /"error":\{"code":-3200[14]/);
    }
  });

  test("needs the credentials that calls need", async (t) => {
    const [app] = await startWithNode(t, {}, { gateway_auth: "token" });
    await assert.rejects(connect(t, app), /401/);
    assert.equal((await (await connect(t, app, "mainnet", byToken)).call("eth_chainId")).result, "0x1");
  });

  for (const [asks, ask] of [
    ["with its next call", (connection: Connection) => connection.send(chainId)],
    ["while it only listens", (connection: Connection) => connection.socket.pong()],
  ] as const) {
    test(`ends ${asks} after its token was revoked`, async (t) => {
      const [app] = await startWithNode(t, {}, { gateway_auth: "token" });
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

  test("leaves no subscription behind when it ends while its credentials are being checked", async (t) => {
    const judged: PromiseWithResolvers<void>[] = [];
    const { url, sockets, subscriptions } = await serveGateway(t, async () => {
      const one = Promise.withResolvers<void>();
      judged.push(one);
      await one.promise;
    });
    const client = new WebSocketClient(url, { headers: byToken });
    t.after(() => client.terminate());
    await until("the upgrade is judged", () => judged.length === 1);
    judged[0]?.resolve();
    await once(client, "open");
    client.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}');
    await until("the call is judged", () => judged.length === 2);
    const [socket] = sockets;
    client.terminate();
    await until("the connection has ended", () => socket?.destroyed === true);
    await nextTurn();
    judged[1]?.resolve();
    await nextTurn();
    assert.equal(await subscriptions(), 0);
  });

  test("is refused to web pages of other origins than those in gateway_cors_origins", async (t) => {
    const [app] = await startWithNode(t, {}, { gateway_cors_origins: ["https://app.example"] });
    await assert.rejects(connect(t, app, "mainnet", { origin: "https://other.example" }), /403/);
    for (const origin of ["https://app.example", new URL(app.url).origin]) {
      await connect(t, app, "mainnet", { origin });
    }
  });

  test("reads text in binary frames, as web3.py sends it", async (t) => {
    const [app] = await startWithNode(t);
    const { socket, messages } = await connect(t, app);
    socket.send(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'));
    socket.send(Buffer.from('{"jsonrpc":"2.0","id":2,"method":"eth_subscribe","params":["newHeads"]}'));
    await until("both are answered", () => messages.length === 2);
    assert.ok(messages.every(({ result, error }) => result !== undefined && error === undefined));
  });

  test("is read no further while a hundred of its messages wait for their answers", async (t) => {
    const node = await startNode(t);
    const app = await startGateway(t, [{ name: "mainnet", upstreams: [node.url], ...patient }]);
    const held = Promise.withResolvers<{ result: string }>();
    node.answers = { eth_call: () => held.promise };
    const { send, messages } = await connect(t, app);
    // None fits into what is read at once.
    const data = "0".repeat(70_000);
    for (let id = 1; id <= 200; id += 1) {
      const params = [
        { to: `0x${"1".repeat(40)}`, data: `0x${data}${String(id).padStart(4, "0")}` },
        "latest",
      ];
      send(JSON.stringify({ jsonrpc: "2.0", id, method: "eth_call", params }));
    }
    const asked = (): number => node.calls.filter(({ method }) => method === "eth_call").length;
    await until("a hundred are asked", () => asked() >= 100);
    for (let count = 0; count < 20; count += 1) await app.post("mainnet", chainId);
    assert.ok(asked() <= 102, `${asked()} were asked`);
    held.resolve({ result: '"0x"' });
    await until("all are answered", () => messages.length === 200);
    assert.ok(messages.every(({ result }) => result === "0x"));
  });

  test("ends with a code that says why", async (t) => {
    const [app] = await startWithNode(t, {}, { gateway_body_bytes_max: 1024 });
    const binary = await connect(t, app);
    binary.socket.send(Buffer.from([0xff, 0xfe]));
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
    const [app] = await startWithNode(t);
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

/** A gateway without upstreams on a server of its own; the test authorizes its requests. */
async function serveGateway(t: TestContext, authorize: () => Promise<void>) {
  const metrics = createMetrics();
  const gateway = createGateway({
    networks: networksOf([{ name: "mainnet" }]),
    authorize: () => authorize().then(() => "a party"),
    onAuthorized: () => undefined,
    refusalStatus: 200,
    limits: { bodyBytesMax: 1024, responseBytesMax: 1024, batchCallsMax: 1 },
    cacheBytesMax: 0,
    callsPerMinute: 0,
    corsOrigins: [],
    clientAddresses: clientAddressesBehind([]),
    isHostAllowed: () => true,
    keepUnread: () => undefined,
    dataDirectory: undefined,
    version: "0",
    now: () => new Date(0),
    logger: pino({ level: "silent" }),
    register: metrics.register,
  });
  const sockets: Socket[] = [];
  const server = createServer().on("connection", (socket: Socket) => void sockets.push(socket));
  gateway.mount(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.after(async () => {
    await gateway.closeWebSockets();
    await gateway.close();
    server.close();
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/gateway/v1/mainnet`,
    sockets,
    subscriptions: async (): Promise<number> => {
      const shown = /^zoneward_gateway_subscriptions\{.*\} (\d+)$/m.exec(await metrics.render());
      return Number(shown?.[1] ?? 0);
    },
  };
}
