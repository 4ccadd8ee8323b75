import { STATUS_CODES, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import type { Logger } from "pino";
import { WebSocketServer, type RawData, type WebSocket } from "ws";

import type { Dispatch } from "./dispatch.ts";
import { allowsOrigin, networkOf, type EndpointOptions } from "./endpoint.ts";
import { codes, errorResponse, resultResponse, RpcError, type Call } from "./json-rpc.ts";
import { replyTo, type Served } from "./replies.ts";
import type { Subscriptions } from "./subscriptions.ts";

export interface WebSocketOptions extends EndpointOptions {
  readonly subscriptionsOf: (network: string) => Subscriptions;
  /** Whether a network lets clients subscribe. */
  readonly maySubscribe: (network: string) => boolean;
  readonly logger: Logger;
}

export interface WebSocketEndpoint {
  /** Takes a connection over that asked to become a WebSocket. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Close codes of RFC 6455, section 7.4.1. */
const goingAway = 1001;
const unsupportedData = 1003;
const policyViolation = 1008;

/** What may wait to be sent to a client before it counts as too slow. */
const waitingBytesMax = 4 * 1024 * 1024;
const subscriptionsMax = 100;
const pingMs = 30_000;

/** The same calls over WebSockets, and `eth_subscribe` besides. */
export function createWebSocketEndpoint(options: WebSocketOptions): WebSocketEndpoint {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: options.limits.bodyBytesMax,
    perMessageDeflate: false,
  });
  const pings = setInterval(() => server.clients.forEach(checkAlive), pingMs).unref();

  return {
    async upgrade(request, socket, head) {
      try {
        refuseForeignPages(request, options.corsOrigins);
        await options.authorize(request);
        const network = networkOf(request, options.prefix);
        const served = options.find(network);
        server.handleUpgrade(request, socket, head, (client) => {
          converse(client, { ...options, network, served, client: options.clientOf(request) });
        });
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        refuseUpgrade(socket, error);
      }
    },
    async close() {
      clearInterval(pings);
      await Promise.all([...server.clients].map(sayGoodbye));
      server.close();
    },
  };
}

const alive = new WeakSet<WebSocket>();

/** Ends connections whose other side is gone without having said so. */
function checkAlive(client: WebSocket): void {
  if (!alive.delete(client)) client.terminate();
  else client.ping();
}

const goodbyeMs = 1_000;

function sayGoodbye(client: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => client.terminate(), goodbyeMs);
    client.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
    client.close(goingAway, "the server ends");
  });
}

/** A browser lets every page open a WebSocket to anywhere, and only says from where. */
function refuseForeignPages({ headers }: IncomingMessage, allowed: readonly string[]): void {
  const { origin, host } = headers;
  if (origin === undefined || allowsOrigin(origin, allowed)) return;
  if (URL.canParse(origin) && new URL(origin).host === host) return;
  throw new RpcError(codes.serverError, "This origin may not connect; see the setting gateway_cors_origins", {
    status: 403,
  });
}

function refuseUpgrade(socket: Duplex, { status, text, headers }: RpcError): void {
  const body = errorResponse("null", text);
  const lines = Object.entries({
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    connection: "close",
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n"));
}

interface Conversation extends WebSocketOptions {
  readonly network: string;
  readonly served: Served;
  /** Who the calls count for. */
  readonly client: string;
}

/** Answers what comes over one connection until it ends. */
function converse(socket: WebSocket, conversation: Conversation): void {
  const { limits, logger, client } = conversation;
  const subscriptions = conversation.subscriptionsOf(conversation.network);
  const ids = new Set<string>();

  const send = (text: string): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount <= waitingBytesMax) socket.send(text);
    else socket.close(policyViolation, "too slow: what it was sent is not being read");
  };

  /** Subscribes; what comes of it is held back until its id was sent. */
  const subscribe = (call: Call, held: Set<string[]>): string => {
    if (ids.size >= subscriptionsMax) {
      throw new RpcError(codes.limitExceeded, `A connection may have ${subscriptionsMax} subscriptions`);
    }
    let waiting: string[] | undefined = [];
    held.add(waiting);
    const id = subscriptions.subscribe(call.params, (notification) => {
      if (waiting !== undefined && held.has(waiting)) waiting.push(notification);
      else {
        waiting = undefined;
        send(notification);
      }
    });
    ids.add(id);
    return JSON.stringify(id);
  };

  const unsubscribe = ({ params: [id] }: Call): string =>
    JSON.stringify(ids.delete(String(id)) && subscriptions.unsubscribe(id));

  const dispatchWith =
    (held: Set<string[]>): Dispatch =>
    async (entry) => {
      const isSubscription = "method" in entry && conversation.maySubscribe(conversation.network);
      if (!isSubscription || !/^eth_(?:un)?subscribe$/.test(entry.method))
        return conversation.served.dispatch(entry);
      const { id, method } = entry;
      try {
        const result = method === "eth_subscribe" ? subscribe(entry, held) : unsubscribe(entry);
        return { id, response: id && resultResponse(id, result), error: undefined, cache: undefined };
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        return { id, response: id && errorResponse(id, error.text), error, cache: undefined };
      }
    };

  const answer = async (text: string): Promise<void> => {
    const held = new Set<string[]>();
    const { body } = await replyTo(text, {
      limits,
      serve: () => ({ dispatch: dispatchWith(held), headers: {} }),
      grant: (calls) => conversation.rateLimit(client, calls),
    });
    if (body !== undefined) send(body);
    for (const waiting of held) {
      held.delete(waiting);
      for (const notification of waiting) send(notification);
    }
  };

  alive.add(socket);
  socket.on("pong", () => alive.add(socket));
  socket.on("message", (data: RawData, isBinary: boolean) => {
    alive.add(socket);
    if (isBinary) {
      socket.close(unsupportedData, "JSON-RPC is text");
      return;
    }
    answer(textOf(data)).catch((error: unknown) =>
      logger.error({ err: error }, "unexpected error in the gateway"),
    );
  });
  socket.on("error", (error) => logger.debug({ err: error }, "a WebSocket broke"));
  socket.on("close", () => {
    for (const id of ids) subscriptions.unsubscribe(id);
    ids.clear();
  });
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return Buffer.isBuffer(data) ? data.toString() : Buffer.from(data).toString();
}
