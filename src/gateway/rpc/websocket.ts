import { isUtf8 } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

import type { Logger } from "pino";
import { WebSocketServer, type WebSocket, type RawData } from "ws";

import type { Party } from "../chain/chain-source.ts";
import { RpcError, rpcErrors } from "../chain/errors.ts";
import { errorResponse, resultResponse, type Call } from "../chain/json-rpc.ts";
import { subscriptionMethods } from "../chain/methods.ts";
import {
  type Grant,
  type RateLimit,
  replyTo,
  singleId,
  type GatewayLimits,
  type NetworkService,
} from "./batch.ts";
import type { Dispatch } from "./dispatch.ts";
import { allowsOrigin, checkHost, networkOf, type EndpointOptions } from "./endpoint.ts";
import { createOutbox } from "./long-answers.ts";
import type { Subscriptions } from "../subscriptions/subscriptions.ts";
import { headersSetOn, release } from "../../wire/handshake.ts";
import type { KeepAccount } from "../../wire/unread-answers.ts";

interface WebSocketOptions extends EndpointOptions {
  readonly subscriptionsOf: (network: string) => Subscriptions;
  /** Whether a network permits `eth_subscribe`. */
  readonly maySubscribe: (network: string) => boolean;
  readonly logger: Logger;
}

/** The arguments of the event `upgrade` of a server. */
interface Upgrade {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly connection: Duplex;
  readonly head: Buffer;
}

interface WebSocketEndpoint {
  /** Takes over a connection whose client asked for a WebSocket, or refuses. */
  readonly upgrade: (asked: Upgrade, watch: Pick<WatchWebSockets, "respond" | "push">) => Promise<void>;
  readonly close: () => Promise<void>;
}

const pingMs = 30_000;

/** Serves the same calls as the endpoint over WebSockets, and `eth_subscribe`. */
export function createWebSocketEndpoint(options: WebSocketOptions): WebSocketEndpoint {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: options.limits.bodyBytesMax,
    perMessageDeflate: false,
  });
  const pings = setInterval(() => server.clients.forEach(checkAlive), pingMs).unref();

  return {
    async upgrade({ request, response, connection, head }, { respond, push }) {
      try {
        checkHost(request, options.isHostAllowed);
        checkOrigin(request, options.corsOrigins);
        const network = networkOf(request, options.prefix);
        const authorize = async () => {
          await options.authorize(request);
          return options.find(network);
        };
        await authorize();
        const complete = (lines: string[]): void => {
          lines.push(...headersSetOn(response).map(([name, value]) => `${name}: ${value}`));
          release(response, connection);
        };
        const refuse = ({ message }: Error): void =>
          refuseUpgrade(response, rpcErrors.invalidHandshake(message));
        server.once("headers", complete);
        server.once("wsClientError", refuse);
        server.handleUpgrade(request, connection, head, (socket) =>
          serveConnection(socket, {
            ...options,
            request,
            respond,
            push,
            authorize,
            client: () => options.clientOf(request),
            party: () => options.partyOf(request),
            subscriptions: options.subscriptionsOf(network),
            maySubscribe: options.maySubscribe(network),
            connection,
          }),
        );
        server.off("headers", complete);
        server.off("wsClientError", refuse);
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        refuseUpgrade(response, error);
      }
    },
    async close() {
      clearInterval(pings);
      await Promise.all([...server.clients].map(closeSocket));
      server.close();
    },
  };
}

const closeMsMax = 1_000;

function closeSocket(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.terminate(), closeMsMax);
    socket.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
    socket.close(goingAway, "the server ends");
  });
}

/** Browsers let every page open a WebSocket to any server, and leave it to the server to check the origin. */
function checkOrigin({ headers }: IncomingMessage, allowed: readonly string[]): void {
  const { origin, host } = headers;
  if (origin === undefined || allowsOrigin(origin, allowed)) return;
  if (URL.canParse(origin) && new URL(origin).host === host) return;
  throw rpcErrors.originNotAllowed;
}

function refuseUpgrade(response: ServerResponse, { status, text, headers }: RpcError): void {
  const body = errorResponse("null", text);
  const length = Buffer.byteLength(body);
  response.writeHead(status, { "content-type": "application/json", "content-length": length, ...headers });
  response.end(body);
}

/** A message of a client or for it, and what can be done with it. */
export interface WebSocketMessage {
  readonly request: IncomingMessage;
  readonly text: string;
  readonly send: (text: string) => void;
  /** Closes the WebSocket after what was sent; with 1001 unless another code is given. */
  readonly close: (code?: number) => void;
  /** Ends the connection at once. */
  readonly terminate: () => void;
}

/** Sends the answer to a message; `answer` executes its calls, and resolves with undefined if there is no answer. */
type RespondToMessage = (
  message: WebSocketMessage,
  answer: () => Promise<string | undefined>,
) => Promise<void>;

/** Sends what a subscription brings. */
type PushMessage = (message: WebSocketMessage) => void;

/** Hooks of the test controls, which see and change messages. */
export interface WatchWebSockets {
  /** Calls `proceed` for a handshake that is to be answered as usual. */
  readonly receiveHandshake: (
    request: IncomingMessage,
    response: ServerResponse,
    proceed: () => void,
  ) => void;
  readonly respond: RespondToMessage;
  readonly push: PushMessage;
}

interface ConnectionOptions {
  readonly request: IncomingMessage;
  readonly respond: RespondToMessage;
  readonly push: PushMessage;
  /**
   * Checks credentials and network again: while the connection lasts, a token may be revoked and a network retired.
   * Errors: `RpcError`.
   */
  readonly authorize: () => Promise<NetworkService>;
  readonly client: () => string;
  /** The party whose share of what networks bound its calls and subscriptions use. */
  readonly party: () => Party;
  readonly rateLimit: RateLimit["count"];
  readonly limits: GatewayLimits;
  readonly subscriptions: Subscriptions;
  readonly maySubscribe: boolean;
  readonly connection: Duplex;
  readonly keepUnread: KeepAccount;
  readonly logger: Logger;
}

export const respondToMessage: RespondToMessage = async ({ send }, answer) => {
  const text = await answer();
  if (text !== undefined) send(text);
};

export const pushMessage: PushMessage = ({ send, text }) => send(text);

/** RFC 6455, section 7.4.1. */
const goingAway = 1001;
const unsupportedData = 1003;
const policyViolation = 1008;
/** Characters of a close reason: a control frame holds 125 bytes (RFC 6455, section 5.5). */
const reasonMax = 100;

/** Bytes that may wait for a client before its connection is closed. */
const unsentBytesMax = 4 * 1024 * 1024;
const subscriptionsMax = 100;
/** Messages of a connection whose answers are pending; at this number no more are read. */
const pendingMax = 100;

const alive = new WeakSet<WebSocket>();

/** Terminates a connection that has sent nothing since the last check. */
function checkAlive(socket: WebSocket): void {
  // Nothing is read from a paused socket, not even its pong.
  if (!alive.delete(socket) && !socket.isPaused) socket.terminate();
  else socket.ping();
}

/** Answers the messages of one WebSocket until it closes. */
function serveConnection(socket: WebSocket, options: ConnectionOptions): void {
  const { limits, logger, authorize, client, connection, subscriptions } = options;
  const subscriptionIds = new Set<string>();

  let pending = 0;
  /** Reads on only while the client reads too. */
  const pauseOrResume = (): void => {
    const isBehind = pending >= pendingMax || connection.writableNeedDrain || outbox.bytesKept() > 0;
    if (isBehind && socket.readyState === socket.OPEN) socket.pause();
    else if (socket.isPaused) socket.resume();
  };
  const outbox = createOutbox(socket, (bytes) => {
    options.keepUnread(connection, bytes);
    pauseOrResume();
  });
  const send = (text: string): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount + outbox.bytesKept() <= unsentBytesMax) outbox.send(text);
    else socket.close(policyViolation, "too slow: what it was sent is not being read");
    pauseOrResume();
  };

  /**
   * Subscribes. The notifications wait until the function added to `afterAnswer` is called: the client needs the id
   * first.
   */
  const subscribe = (call: Call, afterAnswer: (() => void)[]): string => {
    // The socket may have closed while the credentials were checked; nothing would end this subscription then.
    if (socket.readyState !== socket.OPEN) throw rpcErrors.connectionEnded;
    if (subscriptionIds.size >= subscriptionsMax) throw rpcErrors.tooManySubscriptions(subscriptionsMax);
    let waiting: string[] | undefined = [];
    const push = (text: string): void => options.push({ ...message, text });
    const id = subscriptions.subscribe(options.party(), call.params, (notification) => {
      if (waiting === undefined) push(notification);
      else waiting.push(notification);
    });
    afterAnswer.push(() => {
      waiting?.forEach(push);
      waiting = undefined;
    });
    subscriptionIds.add(id);
    return JSON.stringify(id);
  };

  const unsubscribe = ({ params: [id] }: Call): string =>
    String(subscriptionIds.delete(String(id)) && subscriptions.unsubscribe(id));

  const withSubscriptions =
    (dispatch: Dispatch, afterAnswer: (() => void)[]): Dispatch =>
    async (entry, party) => {
      const isSubscription = "method" in entry && subscriptionMethods.has(entry.method);
      if (!isSubscription || !options.maySubscribe) return dispatch(entry, party);
      const { id, method } = entry;
      try {
        const result = method === "eth_subscribe" ? subscribe(entry, afterAnswer) : unsubscribe(entry);
        return { id, text: id && resultResponse(id, result), error: undefined, cache: undefined };
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        return { id, text: id && errorResponse(id, error.text), error, cache: undefined };
      }
    };

  const answer = async (text: string, afterAnswer: (() => void)[]): Promise<string | undefined> => {
    let service: NetworkService;
    try {
      service = await authorize();
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      afterAnswer.push(() => closeFor(error));
      return errorResponse(singleId(text, limits.batchCallsMax), error.text);
    }
    const party = options.party();
    const grant = (calls: number): Grant => options.rateLimit(client, calls, party);
    const dispatch = withSubscriptions(service.dispatch, afterAnswer);
    const { body } = await replyTo(text, { ...service, dispatch }, { limits, grant, party });
    return body;
  };

  /** Closes the connection, unless the error means that the check failed for reasons of the server. */
  const closeFor = ({ status, message }: RpcError): void => {
    if (status < 500) socket.close(policyViolation, message.slice(0, reasonMax));
  };

  /** A client that only listens sends no message with which it would be checked. */
  const authorizeAgain = async (): Promise<void> => {
    try {
      await authorize();
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      closeFor(error);
    }
  };

  const message: Omit<WebSocketMessage, "text"> = {
    request: options.request,
    send,
    close: (code = goingAway) => socket.close(code),
    terminate: () => socket.terminate(),
  };

  const receive = async (text: string): Promise<void> => {
    pending += 1;
    pauseOrResume();
    const afterAnswer: (() => void)[] = [];
    try {
      await options.respond({ ...message, text }, () => answer(text, afterAnswer));
      for (const each of afterAnswer) each();
    } finally {
      pending -= 1;
      pauseOrResume();
    }
  };
  const onFailure = (error: unknown): void => logger.error({ err: error }, "unexpected error in the gateway");

  alive.add(socket);
  connection.on("drain", pauseOrResume);
  socket.on("pong", () => {
    alive.add(socket);
    authorizeAgain().catch(onFailure);
  });
  socket.on("message", (data: RawData, isBinary: boolean) => {
    alive.add(socket);
    const bytes = toBuffer(data);
    // Some clients, web3.py among them, send their text in binary frames, and nodes accept it.
    if (isBinary && !isUtf8(bytes)) {
      socket.close(unsupportedData, "JSON-RPC is text");
      return;
    }
    receive(bytes.toString()).catch(onFailure);
  });
  socket.on("error", (error) => logger.debug({ err: error }, "a WebSocket broke"));
  socket.on("close", () => {
    for (const id of subscriptionIds) subscriptions.unsubscribe(id);
    subscriptionIds.clear();
  });
}

function toBuffer(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
