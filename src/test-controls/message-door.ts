import type { IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

import type { Effect } from "../core/test-controls/fault.ts";
import type { FaultSet } from "../core/test-controls/fault-set.ts";
import { codes, RpcError, rpcErrors } from "../gateway/rpc/errors.ts";
import { errorResponse } from "../gateway/rpc/json-rpc.ts";
import { singleId } from "../gateway/rpc/replies.ts";
import type { ReceivedMessage, RespondToMessage } from "../gateway/rpc/websocket-connection.ts";
import { damaged } from "./effects.ts";
import type { FindOperation } from "./find-operation.ts";
import { HttpExchange } from "./http-exchange.ts";
import type { RequestJournal } from "./request-journal.ts";

interface MessageDoorOptions {
  readonly faults: FaultSet;
  readonly journal: RequestJournal;
  readonly findOperation: FindOperation;
  readonly tokenOf: (request: IncomingMessage) => Promise<string | undefined>;
  readonly now: () => Date;
}

/** What a message of a WebSocket is called where requests have a method. */
const method = "MESSAGE";
const answered = 200;

/** The same for the messages that clients send over the WebSockets of the gateway. */
export function watchMessages(options: MessageDoorOptions): RespondToMessage {
  const { faults, journal, findOperation, tokenOf, now } = options;
  return async (message, answer) => {
    const { url, headers, rawHeaders } = message.request;
    const exchange = new HttpExchange(
      { method, url, headers, rawHeaders },
      { number: journal.nextNumber(), listener: "gateway", at: now().getTime(), findOperation },
    );
    exchange.body.add(message.text);
    if (faults.asksForToken) exchange.token = await tokenOf(message.request);
    const { latencyMs, fault, effect } = faults.decide(exchange, carries);
    exchange.fault = fault?.id;
    if (latencyMs > 0) await wait(latencyMs, undefined, { ref: false });
    const send = (text: string | undefined): void => {
      if (text === undefined) return;
      exchange.answer.add(text);
      message.send(text);
    };
    try {
      await respond(effect, { ...message, send }, answer);
    } finally {
      exchange.end(exchange.answer.length > 0 ? answered : undefined);
      journal.add(exchange);
    }
  };
}

function carries({ type }: Effect): boolean {
  return !["html", "slow_body", "stale_read", "page"].includes(type);
}

async function respond(
  effect: Effect | undefined,
  { text, send, close, terminate }: Answerable,
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

interface Answerable extends Omit<ReceivedMessage, "send"> {
  readonly send: (text: string | undefined) => void;
}

async function loseAnswer(answer: () => Promise<unknown>, terminate: () => void): Promise<void> {
  await answer();
  terminate();
}

/** With the id of its call, or `null` for a batch. */
function refusal(text: string, error: RpcError): string {
  return errorResponse(singleId(text, 1), error.text);
}
