import type { IncomingHttpHeaders } from "node:http";
import type { Duplex, Readable } from "node:stream";

import type { Dispatcher } from "undici";

import type { Header } from "../../core/transforms/request-headers.ts";
import { isUnsent } from "../errors/problems.ts";
import { VisitorGone, type RequestBody } from "../request/request-body.ts";
import type { OriginPools, OriginTarget } from "./origin-connections.ts";

export interface OriginRequest {
  readonly method: string;
  /** Path and query, in ASCII. */
  readonly target: string;
  /** Names and values in turn, `Host` first. */
  readonly headers: string[];
  readonly body: RequestBody | undefined;
  readonly readMs: number;
  readonly isUpgrade: boolean;
}

/** The beginning of an origin's response. */
export interface OriginHead {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly text: string;
}

/** Receives the response of an origin, for a visitor. */
export interface OriginAnswerSink {
  /**
   * Called before each attempt. When the visitor can take more, `resume` is called, and `leave` when it has
   * disconnected.
   */
  readonly begin: (visitor: VisitorEvents) => void;
  readonly head: (head: OriginHead) => void;
  /** Returns false when the visitor's buffer is full, until `resume` is called. */
  readonly data: (part: Buffer) => boolean;
  /**
   * The end of the body. Returns a promise if the end can only be passed on later, undefined if it was passed
   * on.
   */
  readonly end: () => Promise<void> | undefined;
  /** The origin switched protocols; from now on the sink owns the socket. */
  readonly upgraded: (headers: readonly Header[], socket: Duplex) => void;
}

/** Events of a visitor while its response is sent. */
export interface VisitorEvents {
  readonly resume: () => void;
  readonly leave: () => void;
}

/** The origin ended before its answer was complete. */
export class AnswerCut extends Error {
  override readonly name = "AnswerCut";
}

const idempotent: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/**
 * Sends a request to the first target that accepts it. It is sent again in two cases: no origin can have seen
 * it; or it is idempotent and without a body, and a kept-alive connection closed before any response. Throws
 * VisitorGone, AnswerCut once the response has begun, and what undici throws before.
 */
export async function forward(
  pools: OriginPools,
  targets: readonly OriginTarget[],
  request: OriginRequest,
  sink: OriginAnswerSink,
): Promise<void> {
  let failure: unknown;
  for (const target of pools.refusals.behind(targets)) {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      try {
        await attemptAt(pools.poolFor(target), request, sink);
        return;
      } catch (error) {
        failure = error;
        if (error instanceof VisitorGone || error instanceof AnswerCut) throw error;
        if (attempt === 0 && mayRepeat(error, request)) continue;
        if (isUnsent(error)) pools.refusals.add(target);
        if (!isUnsent(error) || request.body?.isSent === true) throw error;
        break;
      }
    }
  }
  throw failure;
}

/** An origin may close an idle connection at the moment when a request is sent on it. */
function mayRepeat(error: unknown, { method, body, isUpgrade }: OriginRequest): boolean {
  const { code } = error as NodeJS.ErrnoException;
  const isReset = code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE";
  return isReset && body === undefined && !isUpgrade && idempotent.has(method);
}

function attemptAt(dispatcher: Dispatcher, request: OriginRequest, sink: OriginAnswerSink): Promise<void> {
  const { method, target: path, headers, body, readMs, isUpgrade } = request;
  return new Promise((resolve, reject) => {
    const handler = new Attempt(sink, resolve, reject);
    sink.begin(handler);
    dispatcher.dispatch(
      {
        method,
        path,
        headers,
        body: (body ?? null) as unknown as Readable | null,
        headersTimeout: readMs,
        bodyTimeout: readMs,
        upgrade: isUpgrade ? "websocket" : null,
      },
      handler,
    );
  });
}

/** One attempt to get a response from an origin. */
class Attempt implements Dispatcher.DispatchHandler, VisitorEvents {
  readonly #sink: OriginAnswerSink;
  readonly #resolve: (ended: Promise<void> | undefined) => void;
  readonly #reject: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #hasBegun = false;
  #hasLeft = false;

  constructor(
    sink: OriginAnswerSink,
    resolve: (ended: Promise<void> | undefined) => void,
    reject: (error: unknown) => void,
  ) {
    this.#sink = sink;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  resume(): void {
    this.#controller?.resume();
  }

  leave(): void {
    this.#hasLeft = true;
    this.#controller?.abort(new VisitorGone());
    this.#reject(new VisitorGone());
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#hasLeft) controller.abort(new VisitorGone());
  }

  onRequestUpgrade(
    _controller: Dispatcher.DispatchController,
    _status: number,
    headers: IncomingHttpHeaders,
    socket: Duplex,
  ): void {
    this.#sink.upgraded(pairs(headers), socket);
    this.#resolve(undefined);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    text = "",
  ): void {
    // Visitors get no interim responses.
    if (status < 200) return;
    this.#sink.head({ status, headers: pairs(headers), text });
    this.#hasBegun = true;
  }

  onResponseData(controller: Dispatcher.DispatchController, part: Buffer): void {
    if (!this.#sink.data(part)) controller.pause();
  }

  onResponseEnd(): void {
    this.#resolve(this.#sink.end());
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#hasLeft) this.#reject(new VisitorGone());
    else this.#reject(this.#hasBegun ? new AnswerCut("the answer is not complete", { cause: error }) : error);
  }
}

/** Headers of an origin: names in lower case, values as byte strings. */
function pairs(read: IncomingHttpHeaders): Header[] {
  const headers: Header[] = [];
  for (const name of Object.keys(read)) {
    const value = read[name];
    if (typeof value === "string") headers.push([name, trimmed(value)]);
    else for (const one of value ?? []) headers.push([name, trimmed(one)]);
  }
  return headers;
}

/** undici leaves whitespace after a value, which is no part of it (RFC 9112 section 5.1). */
function trimmed(value: string): string {
  let end = value.length;
  while (end > 0 && (value[end - 1] === " " || value[end - 1] === "\t")) end -= 1;
  return value.slice(0, end);
}
