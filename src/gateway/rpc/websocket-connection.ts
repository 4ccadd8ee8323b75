import type { Party } from "../chain-source.ts";
import { isUtf8 } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

import type { Logger } from "pino";
import type { RawData, WebSocket } from "ws";

import type { KeepAccount } from "../../wire/unread-answers.ts";
import type { Subscriptions } from "../subscriptions/subscriptions.ts";
import type { Dispatch } from "./dispatch.ts";
import { RpcError, rpcErrors } from "./errors.ts";
import { errorResponse, resultResponse, type Call } from "./json-rpc.ts";
import { createOutbox } from "./long-answers.ts";
import { subscriptionMethods } from "./methods.ts";
import type { Grant, RateLimit } from "./rate-limit.ts";
import { replyTo, singleId, type GatewayLimits, type NetworkService } from "./replies.ts";

/** A message of a client or for it, and what can be done with it. */
export interface WebSocketMessage {
  /** The request that opened the WebSocket. */
  readonly request: IncomingMessage;
  readonly text: string;
  readonly send: (text: string) => void;
  /** Closes the WebSocket after what was sent; with 1001 unless another code is given. */
  readonly close: (code?: number) => void;
  /** Ends the connection at once. */
  readonly terminate: () => void;
}

/**
 * Sends the answer to a message; `answer` executes its calls, and resolves with undefined if there is no
 * answer.
 */
export type RespondToMessage = (
  message: WebSocketMessage,
  answer: () => Promise<string | undefined>,
) => Promise<void>;

/** Sends what a subscription brings. */
export type PushMessage = (message: WebSocketMessage) => void;

/** What is done with WebSockets besides serving them. */
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
  /** The request that opened the WebSocket. */
  readonly request: IncomingMessage;
  readonly respond: RespondToMessage;
  readonly push: PushMessage;
  /**
   * Checks credentials and network again: while the connection lasts, a token may be revoked and a network retired.
   * Errors: `RpcError`.
   */
  readonly authorize: () => Promise<NetworkService>;
  /** The client that the calls count for. */
  readonly client: () => string;
  /** Whose share of what networks bound its calls and subscriptions count towards. */
  readonly party: () => Party;
  readonly rateLimit: RateLimit["count"];
  readonly limits: GatewayLimits;
  readonly subscriptions: Subscriptions;
  readonly maySubscribe: boolean;
  /** The connection below the WebSocket. */
  readonly connection: Duplex;
  readonly keepUnread: KeepAccount;
  readonly logger: Logger;
}

/** Answers a message. */
export const respondToMessage: RespondToMessage = async ({ send }, answer) => {
  const text = await answer();
  if (text !== undefined) send(text);
};

/** Sends a message for the client. */
export const pushMessage: PushMessage = ({ send, text }) => send(text);

/** RFC 6455, section 7.4.1. */
export const goingAway = 1001;
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
export function checkAlive(socket: WebSocket): void {
  // Nothing is read from a paused socket, not even its pong.
  if (!alive.delete(socket) && !socket.isPaused) socket.terminate();
  else socket.ping();
}

/** Answers the messages of one WebSocket until it closes. */
export function serveConnection(socket: WebSocket, options: ConnectionOptions): void {
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

  /** Subscribes. The notifications wait until the function added to `afterAnswer` is called: the client needs the id first. */
  const subscribe = (call: Call, afterAnswer: (() => void)[]): string => {
    // It may have closed while the credentials were checked; nothing would end this subscription then.
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
