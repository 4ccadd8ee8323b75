import type { IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

import type { Effect } from "../core/test-controls/fault.ts";
import type { FaultSet } from "../core/test-controls/fault-set.ts";
import { codes, RpcError, rpcErrors } from "../gateway/chain/errors.ts";
import { errorResponse } from "../gateway/chain/json-rpc.ts";
import { singleId } from "../gateway/rpc/batch.ts";
import type { WatchWebSockets, WebSocketMessage } from "../gateway/rpc/websocket.ts";
import { damaged } from "./effects.ts";
import type { FindOperation } from "./journal-entry.ts";
import { HttpExchange } from "./http-exchange.ts";
import type { RequestJournal } from "./request-journal.ts";

interface MessageDoorOptions {
  readonly faults: FaultSet;
  readonly journal: RequestJournal;
  readonly findOperation: FindOperation;
  readonly tokenOf: (request: IncomingMessage) => Promise<string | undefined>;
  readonly now: () => Date;
}

/** The names of messages of a WebSocket in place of a method. */
const methods = { received: "MESSAGE", pushed: "PUSH" } as const;
const answered = 200;
/** Characters that may wait for a client behind a latency. */
const waitingMax = 4 * 1024 * 1024;
/** The close code 1013 of the registry that RFC 6455, section 11.7, began. */
const tryAgainLater = 1013;

/**
 * Passes messages of the gateway's WebSockets through faults and journal: those of clients, and notifications
 * of subscriptions.
 */
export function watchMessages(options: MessageDoorOptions): Pick<WatchWebSockets, "respond" | "push"> {
  const { faults, journal, findOperation, tokenOf, now } = options;
  const clients = new WeakMap<IncomingMessage, Client>();
  const clientOf = (request: IncomingMessage): Client => {
    const client = clients.get(request) ?? createClient(request);
    clients.set(request, client);
    return client;
  };

  const pass = async (
    kind: keyof typeof methods,
    message: WebSocketMessage,
    perform: (effect: Effect | undefined, message: Sendable) => Promise<void>,
  ): Promise<void> => {
    const { url, headers, rawHeaders } = message.request;
    const exchange = new HttpExchange(
      { method: methods[kind], url, headers, rawHeaders },
      { number: journal.nextNumber(), listener: "gateway", at: now().getTime(), findOperation },
    );
    if (kind === "received") exchange.body.add(message.text);
    if (faults.asksForToken) exchange.token = await tokenOf(message.request);
    const { latencyMs, fault, effect } = faults.decide(exchange, ({ type }) => carried[kind].has(type));
    exchange.fault = fault?.id;
    const { gone } = clientOf(message.request);
    const send = (text: string | undefined): void => {
      if (text === undefined) return;
      exchange.answer.add(text);
      message.send(text);
    };
    try {
      if (latencyMs > 0)
        await wait(latencyMs, undefined, { ref: false, signal: gone }).catch(() => undefined);
      if (!gone.aborted) await perform(effect, { ...message, send });
    } finally {
      exchange.end(exchange.answer.length > 0 ? answered : undefined);
      journal.add(exchange);
    }
  };

  return {
    respond: (message, answer) =>
      pass("received", message, (effect, sendable) => respond(effect, sendable, answer)),
    push: (message) => {
      const { request, text, close, terminate } = message;
      const client = clientOf(request);
      if (client.waiting + text.length > waitingMax) {
        close(tryAgainLater);
        return;
      }
      client.waiting += text.length;
      client.pushed = client.pushed
        .then(() => pass("pushed", message, push))
        .catch(terminate)
        .then(() => void (client.waiting -= text.length));
    },
  };
}

interface Client {
  /** Settles when all notifications so far are sent. */
  pushed: Promise<void>;
  /** Characters that are still to be sent. */
  waiting: number;
  readonly gone: AbortSignal;
}

function createClient({ socket }: IncomingMessage): Client {
  const leaving = new AbortController();
  if (socket.destroyed) leaving.abort();
  else socket.once("close", () => leaving.abort());
  return { pushed: Promise.resolve(), waiting: 0, gone: leaving.signal };
}

const carried: Readonly<Record<keyof typeof methods, ReadonlySet<Effect["type"]>>> = {
  received: new Set(["error", "rate_limit", "latency", "bad_json", "close", "lost_answer"]),
  pushed: new Set(["latency", "bad_json", "close", "lost_answer"]),
};

async function push(effect: Effect | undefined, { text, send, close, terminate }: Sendable): Promise<void> {
  if (effect?.type === "lost_answer") return terminate();
  if (effect?.type === "bad_json") return send(damaged(Buffer.from(text), effect.form).toString());
  if (effect?.type !== "close") return send(text);
  if (effect.when !== "after") return terminate();
  send(text);
  close();
}

async function respond(
  effect: Effect | undefined,
  { text, send, close, terminate }: Sendable,
  answer: () => Promise<string | undefined>,
): Promise<void> {
  switch (effect?.type) {
    case "error": {
      const { code = codes.internalError, message = "Internal server error" } = effect;
      return send(refusal(text, new RpcError(code, message)));
    }
    case "rate_limit":
      return send(refusal(text, rpcErrors.tooManyCalls(effect.retry_after_seconds ?? 1)));
    case "bad_json": {
      const whole = await answer();
      return send(whole && damaged(Buffer.from(whole), effect.form).toString());
    }
    case "close":
      if (effect.when === "before") return terminate();
      if (effect.when === "within") return loseAnswer(answer, terminate);
      send(await answer());
      return close();
    case "lost_answer":
      return loseAnswer(answer, terminate);
    case undefined:
    case "latency":
    case "html":
    case "slow_body":
    case "stale_read":
    case "page":
      return send(await answer());
  }
}

interface Sendable extends Omit<WebSocketMessage, "send"> {
  readonly send: (text: string | undefined) => void;
}

async function loseAnswer(answer: () => Promise<unknown>, terminate: () => void): Promise<void> {
  await answer();
  terminate();
}

/** An error with the id of its call, or `null` for a batch. */
function refusal(text: string, error: RpcError): string {
  return errorResponse(singleId(text, 1), error.text);
}
