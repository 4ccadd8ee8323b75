import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

import { onFixedPort } from "./fixed-port.ts";

/** The behaviour of a node instead of answering. */
export type Fault =
  | "hang"
  | "reset"
  | "status 500"
  | "status 429"
  | "status 401"
  | "html"
  | "truncated"
  | "wrong id"
  | "half a response"
  | "no result";

export interface NodeCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The JSON of a result, or an error object. */
export type NodeResult = { readonly result: string } | { readonly error: string };
type OwnAnswer = NodeResult | undefined;

export interface JsonRpcNode {
  readonly url: string;
  /** The calls it got, oldest first, without those that the gateway makes of its own accord. */
  readonly calls: NodeCall[];
  /** The number of requests, whatever they asked. */
  requests: number;
  /** Requests as they came over the wire. */
  readonly headers: IncomingMessage["headers"][];
  fault: Fault | undefined;
  /** Milliseconds before an answer. */
  delayMs: number;
  chainId: number;
  /** Newest block. */
  head: number;
  finalized: number;
  /** Blocks above this one have other hashes with each fork. */
  forkedAt: number;
  fork: number;
  /** Answers of a test's own, before those of the node, at once or later. */
  answers: Readonly<Record<string, (params: readonly unknown[]) => OwnAnswer | Promise<OwnAnswer>>>;
  /** Stops listening and ends every connection. */
  readonly stop: () => Promise<void>;
  /** Listens again on the same port. */
  readonly start: () => Promise<void>;
}

/** Whether it is a call of a gateway that watches a node's head, not of a client. */
function isWatching({ method, params }: NodeCall): boolean {
  return (
    method === "eth_getBlockByNumber" &&
    params[1] === false &&
    /^(?:latest|finalized)$/.test(String(params[0]))
  );
}

/** A node with a chain of numbered blocks, whose answers and faults a test decides. It listens until the test ends. */
export async function startNode(t: TestContext, settings: Partial<JsonRpcNode> = {}): Promise<JsonRpcNode> {
  const server = createServer((request, response) => void respond(request, response));
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", () => {
        server.off("error", reject);
        resolve();
      });
    });
  await onFixedPort(listen);
  const { port } = server.address() as AddressInfo;
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const node: JsonRpcNode = {
    url: `http://127.0.0.1:${port}/`,
    calls: [],
    requests: 0,
    headers: [],
    fault: undefined,
    delayMs: 0,
    chainId: 1,
    head: 1_000,
    finalized: 936,
    forkedAt: Number.POSITIVE_INFINITY,
    fork: 0,
    answers: {},
    stop,
    start: () => listen(port),
    ...settings,
  };
  t.after(() => (server.listening ? stop() : undefined));

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as NodeCall & { id: number };
    node.requests += 1;
    node.headers.push(request.headers);
    if (method !== "eth_chainId" && !isWatching({ method, params })) node.calls.push({ method, params });
    if (node.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, node.delayMs));
    misbehave(node.fault, id, await answerOf(node, { method, params }), response);
  };
  return node;
}

function misbehave(fault: Fault | undefined, id: number, answer: NodeResult, response: ServerResponse): void {
  const [[kind, text]] = Object.entries(answer) as [[string, string]];
  const body = `{"jsonrpc":"2.0","id":${id},"${kind}":${text}}`;
  switch (fault) {
    case undefined:
      response.setHeader("content-type", "application/json").end(body);
      return;
    case "hang":
      return;
    case "reset":
      response.destroy();
      return;
    case "status 500":
    case "status 429":
    case "status 401":
      response.writeHead(Number(fault.slice(-3))).end("{}");
      return;
    case "html":
      response.setHeader("content-type", "text/html").end("<html><body>502 Bad Gateway</body></html>");
      return;
    case "truncated":
      response.end(body.slice(0, -5));
      return;
    case "wrong id":
      response.end(body.replace(`"id":${id}`, `"id":${id + 1}`));
      return;
    case "half a response":
      response.writeHead(200, { "content-length": body.length });
      response.write(body.slice(0, body.length / 2), () => response.destroy());
      return;
    case "no result":
      response.end(`{"jsonrpc":"2.0","id":${id}}`);
  }
}

async function answerOf(node: JsonRpcNode, { method, params }: NodeCall): Promise<NodeResult> {
  const own = await node.answers[method]?.(params);
  if (own !== undefined) return own;
  switch (method) {
    case "eth_chainId":
      return result(hex(node.chainId));
    case "net_version":
      return result(String(node.chainId));
    case "eth_blockNumber":
      return result(hex(node.head));
    case "eth_getBlockByNumber":
      return { result: JSON.stringify(blockOf(node, params[0])) };
    case "eth_gasPrice":
      return result("0x3b9aca00");
    case "eth_getBalance":
      return result("0xde0b6b3a7640000");
    case "eth_getLogs":
      return { result: "[]" };
    case "eth_getTransactionByHash":
    case "eth_getTransactionReceipt":
      return { result: "null" };
    case "eth_sendRawTransaction":
    case "web3_sha3":
      return result(hashOf(String(params[0])));
    default:
      return { error: `{"code":-32601,"message":"the method ${method} does not exist"}` };
  }
}

function result(value: string): NodeResult {
  return { result: JSON.stringify(value) };
}

function blockOf(node: JsonRpcNode, block: unknown): object | null {
  const tags: Readonly<Record<string, number>> = {
    latest: node.head,
    finalized: node.finalized,
    safe: node.finalized,
  };
  const number = tags[String(block)] ?? Number(block);
  if (number > node.head) return null;
  return {
    number: hex(number),
    hash: blockHash(node, number),
    parentHash: blockHash(node, number - 1),
    timestamp: hex(Math.floor(Date.now() / 1000) - 12 * (node.head - number)),
    transactions: [],
  };
}

/** Nodes of one chain agree on it. */
export function blockHash(
  { forkedAt, fork }: Pick<JsonRpcNode, "forkedAt" | "fork">,
  number: number,
): string {
  return hashOf(`block ${number} of fork ${number > forkedAt ? fork : 0}`);
}

/** 32 bytes that depend on `text`, in the form of a hash. */
export function hashOf(text: string): string {
  return `0x${createHash("sha256").update(text).digest("hex")}`;
}

export function hex(value: number): string {
  return `0x${value.toString(16)}`;
}

/** The block of one of the node's hashes, among the newest. */
export function blockByHash(node: JsonRpcNode, hash: unknown): { result: string } {
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
