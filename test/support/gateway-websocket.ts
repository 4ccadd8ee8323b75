import type { TestContext } from "node:test";

import WebSocketClient from "ws";

import type { Config } from "../../src/config/settings.ts";
import { startGateway, type GatewayApp } from "./gateway-app.ts";
import { until } from "./harness.ts";
import { startNode, type JsonRpcNode } from "./json-rpc-node.ts";

export interface Message {
  readonly id?: unknown;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read many shapes
  readonly result?: any;
  readonly error?: { readonly code: number };
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read many shapes
  readonly params?: { readonly subscription: string; readonly result: any };
}

export interface Connection {
  readonly socket: WebSocketClient;
  readonly messages: Message[];
  readonly send: (text: string) => void;
  /** Sends a call and answers its response. */
  readonly call: (method: string, ...params: readonly unknown[]) => Promise<Message>;
  /** Messages of a subscription so far. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read many shapes
  readonly heard: (id: string) => any[];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

/** Opens a WebSocket of the gateway, until the test ends. */
export async function connect(
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

/** A gateway to one node. */
export async function startWithNode(
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

/** Waits until the first block is known, which is not reported, and the pending transactions after it. */
export async function untilItFollows({ call }: Connection, nodes: readonly JsonRpcNode[]): Promise<void> {
  await call("eth_subscribe", "newPendingTransactions");
  await until("it follows", () =>
    nodes.some(({ calls }) => calls.some(({ params }) => params[0] === "pending")),
  );
}
