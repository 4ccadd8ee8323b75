import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import type { Logger } from "pino";
import { WebSocketServer, type RawData, type WebSocket } from "ws";

import type { Dispatch } from "./dispatch.ts";
import { allowsOrigin, hostRefusal, networkOf, type EndpointOptions } from "./endpoint.ts";
import { codes, errorResponse, resultResponse, RpcError, type Call } from "./json-rpc.ts";
import { createOutbox } from "./long-answers.ts";
import { replyTo, singleId, type Served } from "./replies.ts";
import type { Subscriptions } from "../subscriptions/subscriptions.ts";

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
/** Of one connection: while so many of its messages wait for their answers, no more are read. */
const underWayMax = 100;
/** Characters of the reason that a connection is closed for: a frame of control holds 125 octets (RFC 6455, section 5.5). */
const reasonMax = 100;
const pingMs = 30_000;

/** The same calls over WebSockets, plus `eth_subscribe`. */
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
        const misdirection = hostRefusal(request, options.isHostAllowed);
        if (misdirection !== undefined) throw misdirection;
        refuseForeignPages(request, options.corsOrigins);
        const network = networkOf(request, options.prefix);
        const admit = async (): Promise<Served> => {
          await options.authorize(request);
          return options.find(network);
        };
        await admit();
        server.handleUpgrade(request, socket, head, (client) => {
          const clientOf = (): string => options.clientOf(request);
          converse(client, { ...options, network, admit, clientOf, connection: socket });
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
  // What the other side says is not read from one that is paused.
  if (!alive.delete(client) && !client.isPaused) client.terminate();
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
  // Without a reason phrase, which says nothing more (RFC 9112, section 4).
  socket.end([`HTTP/1.1 ${status} `, ...lines, "", body].join("\r\n"));
}

interface Conversation extends Omit<WebSocketOptions, "clientOf"> {
  readonly network: string;
  /**
   * Judges again what was judged when it began: a token may be revoked, and a network end, while it lasts.
   * Errors: `RpcError`.
   */
  readonly admit: () => Promise<Served>;
  /** Who the calls count for. */
  readonly clientOf: () => string;
  /** What the WebSocket goes over. */
  readonly connection: Duplex;
}

/** Answers what comes over one connection until it ends. */
function converse(socket: WebSocket, conversation: Conversation): void {
  const { limits, logger, admit, clientOf, connection } = conversation;
  const subscriptions = conversation.subscriptionsOf(conversation.network);
  const ids = new Set<string>();

  let underWay = 0;
  /** Reads on only while its client does. */
  const pace = (): void => {
    const isBehind = underWay >= underWayMax || connection.writableNeedDrain || outbox.bytesKept() > 0;
    if (isBehind && socket.readyState === socket.OPEN) socket.pause();
    else if (socket.isPaused) socket.resume();
  };
  const outbox = createOutbox(socket, (bytes) => {
    conversation.keepUnread(connection, bytes);
    pace();
  });
  const send = (text: string): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount + outbox.bytesKept() <= waitingBytesMax) outbox.send(text);
    else socket.close(policyViolation, "too slow: what it was sent is not being read");
    pace();
  };

  /** Subscribes; what comes of it is held back until its id was sent. */
  const subscribe = (call: Call, held: Set<string[]>): string => {
    // It may have ended while its credentials were judged: nobody would ever end what it subscribes to now.
    if (socket.readyState !== socket.OPEN) {
      throw new RpcError(codes.serverError, "The connection has ended");
    }
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
    ({ dispatch }: Served, held: Set<string[]>): Dispatch =>
    async (entry) => {
      const isSubscription = "method" in entry && conversation.maySubscribe(conversation.network);
      if (!isSubscription || !/^eth_(?:un)?subscribe$/.test(entry.method)) return dispatch(entry);
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
    let served: Served;
    try {
      served = await admit();
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      send(errorResponse(singleId(text, limits.batchCallsMax), error.text));
      dismiss(error);
      return;
    }
    const held = new Set<string[]>();
    const grant = (calls: number): number => conversation.rateLimit(clientOf, calls);
    const dispatch = dispatchWith(served, held);
    const { body } = await replyTo(text, { ...served, dispatch }, { limits, grant });
    if (body !== undefined) send(body);
    for (const waiting of held) {
      held.delete(waiting);
      for (const notification of waiting) send(notification);
    }
  };

  /** Where nobody can tell for the moment whether it may stay, it stays. */
  const dismiss = ({ status, message }: RpcError): void => {
    if (status < 500) socket.close(policyViolation, message.slice(0, reasonMax));
  };

  /** One that only listens sends nothing by which it would be judged. */
  const judgeAgain = async (): Promise<void> => {
    try {
      await admit();
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      dismiss(error);
    }
  };
  const failed = (error: unknown): void => logger.error({ err: error }, "unexpected error in the gateway");

  const take = async (text: string): Promise<void> => {
    underWay += 1;
    pace();
    try {
      await answer(text);
    } finally {
      underWay -= 1;
      pace();
    }
  };

  alive.add(socket);
  connection.on("drain", pace);
  socket.on("pong", () => {
    alive.add(socket);
    judgeAgain().catch(failed);
  });
  socket.on("message", (data: RawData, isBinary: boolean) => {
    alive.add(socket);
    const octets = octetsOf(data);
    // Some clients send their text in binary frames (web3.py), which nodes read as well.
    if (isBinary && !isUtf8(octets)) {
      socket.close(unsupportedData, "JSON-RPC is text");
      return;
    }
    take(octets.toString()).catch(failed);
  });
  socket.on("error", (error) => logger.debug({ err: error }, "a WebSocket broke"));
  socket.on("close", () => {
    for (const id of ids) subscriptions.unsubscribe(id);
    ids.clear();
  });
}

function octetsOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
