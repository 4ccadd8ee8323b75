import assert from "node:assert/strict";
import { connect as connectTcp, type Socket } from "node:net";
import { describe, test, type TestContext } from "node:test";

import { patient, startGateway, type GatewayApp } from "../../../test/support/gateway-app.ts";
import { connect, startWithNode } from "../../../test/support/gateway-websocket.ts";
import { until } from "../../../test/support/harness.ts";
import { hex, startNode, type JsonRpcNode, type NodeResult } from "../../../test/support/json-rpc-node.ts";
import { requestText } from "../../../test/support/raw-http.ts";

/** Much more than the buffers of a connection hold. */
const longBytes = 24_000_000;
const call = '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[]}';

async function start(t: TestContext, unreadMsMax: number): Promise<{ app: GatewayApp; node: JsonRpcNode }> {
  const long = { result: `"${"é".repeat(longBytes / 2)}"` };
  const node = await startNode(t, { answers: { eth_call: () => long } });
  const networks = [{ name: "mainnet", upstreams: [node.url], ...patient }];
  return { node, app: await startGateway(t, networks, {}, { unreadMsMax }) };
}

function ask(t: TestContext, { url }: GatewayApp): Socket {
  const { hostname, port } = new URL(url);
  const socket = connectTcp(Number(port), hostname).pause();
  t.after(() => socket.destroy());
  const headers = { connection: "keep-alive", "content-length": String(call.length) };
  socket.write(requestText("POST", "/gateway/v1/mainnet", headers, call));
  return socket;
}

describe("a long answer of the gateway", () => {
  test("comes whole, over HTTP and over a WebSocket, and others after it", async (t) => {
    const { app } = await start(t, 600_000);
    const connection = await connect(t, app);
    assert.equal((await app.post("mainnet", call)).body.result.length, longBytes / 2);
    assert.equal((await app.call("mainnet", "eth_chainId")).body.result, "0x1");
    assert.equal((await connection.call("eth_call")).result.length, longBytes / 2);
    assert.equal((await connection.call("eth_chainId")).result, "0x1");
  });

  test("comes over a WebSocket before the notifications that waited for it", async (t) => {
    const { promise: answer, resolve } = Promise.withResolvers<NodeResult>();
    const [app, node] = await startWithNode(t, { answers: { eth_call: () => answer } });
    const connection = await connect(t, app);
    const other = await connect(t, app);
    const { result: id } = await other.call("eth_subscribe", "newHeads");
    connection.send(
      '[{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]},{"jsonrpc":"2.0","id":2,"method":"eth_call"}]',
    );
    await until("it is asked for", () => node.calls.length === 1);
    node.head += 1;
    await until("there is a notification", () => other.heard(id).length === 1);
    resolve({ result: `"0x${"ab".repeat(100_000)}"` });
    await until("both arrive", () => connection.messages.length === 2);
    assert.equal(connection.messages[1]?.params?.result.number, hex(node.head));
    assert.equal((await connection.call("eth_chainId")).result, "0x1");
  });

  test("that its client does not read ends the connection", async (t) => {
    const { app, node } = await start(t, 400);
    const socket = ask(t, app);
    let isEnded = false;
    socket.on("error", () => (isEnded = true));
    await until("it is asked for", () => node.calls.length === 1);
    await until("the connection is ended", () => {
      // A write to a closed connection fails.
      if (!isEnded) socket.write("\r\n");
      return isEnded;
    });
  });

  test("that its client does not read ends a WebSocket, though it goes on sending", async (t) => {
    const { app, node } = await start(t, 400);
    const { socket, send } = await connect(t, app);
    let isEnded = false;
    socket.on("close", () => (isEnded = true));
    socket.pause();
    send(call);
    await until("it is asked for", () => node.calls.length === 1);
    await until("the connection is ended", () => {
      if (!isEnded) socket.ping();
      return isEnded;
    });
  });

  test("is the last that a WebSocket asks for, as long as its client does not read it", async (t) => {
    const { app, node } = await start(t, 600_000);
    const { socket, send, messages } = await connect(t, app);
    socket.pause();
    send(call);
    await until("it is asked for", () => node.calls.length === 1);
    // The answer is on its way when another client's is.
    await app.post("mainnet", call);
    const pad = "x".repeat(60_000);
    for (let id = 2; id < 102; id += 1) {
      send(`{"jsonrpc":"2.0","id":${id},"method":"eth_getBalance","params":["${id}${pad}"]}`);
    }
    for (let count = 0; count < 10; count += 1) await app.call("mainnet", "eth_chainId");
    const asked = (): number => node.calls.filter(({ method }) => method === "eth_getBalance").length;
    assert.ok(asked() <= 2, `${asked()} calls were read`);
    socket.resume();
    await until("all are answered", () => messages.length === 101);
    assert.equal(asked(), 100);
  });
});
