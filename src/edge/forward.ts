import type { Duplex, Readable } from "node:stream";

import type { Dispatcher } from "undici";

import type { Header } from "../core/transforms/request-headers.ts";
import type { OriginPools, OriginTarget } from "./origin-pools.ts";
import type { RequestBody } from "./request-body.ts";
import { isUnsent } from "./problems.ts";

/** A request as it goes to an origin. */
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

/** Receives the response of an origin, for a visitor. */
export interface OriginAnswerSink {
  readonly head: (status: number, headers: readonly Header[], statusText: string) => void;
  /**
   * Returns false when the visitor's buffer is full; `onDrained` of `watch` is called when it has room again.
   */
  readonly data: (part: Buffer) => boolean;
  /**
   * The end of the body. Returns a promise if the end can only be passed on later, undefined if it was passed
   * on.
   */
  readonly end: () => Promise<void> | undefined;
  /** The origin switched protocols; from now on the sink owns the socket. */
  readonly upgraded: (headers: readonly Header[], socket: Duplex) => void;
  /** Registers what the sink calls when the visitor can take more, and when it has disconnected. */
  readonly watch: (onDrained: () => void, onGone: () => void) => void;
}

/** The visitor left before its answer was complete. */
export class VisitorGone extends Error {
  override readonly name = "VisitorGone";
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
        await exchange(pools.poolFor(target), request, sink);
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

function exchange(dispatcher: Dispatcher, request: OriginRequest, sink: OriginAnswerSink): Promise<void> {
  const { method, target, headers, body, readMs, isUpgrade } = request;
  return new Promise((resolve, reject) => {
    let hasBegun = false;
    let controller: Dispatcher.DispatchController | undefined;
    let isGone = false;
    sink.watch(
      () => controller?.resume(),
      () => {
        isGone = true;
        controller?.abort(new VisitorGone());
        reject(new VisitorGone());
      },
    );
    const options = {
      method,
      path: target,
      headers,
      body: (body ?? null) as unknown as Readable | null,
      headersTimeout: readMs,
      bodyTimeout: readMs,
      ...(isUpgrade && { upgrade: "websocket" }),
    };
    dispatcher.dispatch(options, {
      onRequestStart: (given) => {
        controller = given;
        if (isGone) given.abort(new VisitorGone());
      },
      onRequestUpgrade: (given, _status, _headers, socket) => {
        sink.upgraded(pairs(given.rawHeaders), socket);
        resolve();
      },
      onResponseStart: (given, status, _headers, statusText) => {
        // Interim responses are not passed on: 100 is between undici and the origin, and visitors get none of
        // the others.
        if (status < 200) return;
        sink.head(status, pairs(given.rawHeaders), statusText ?? "");
        hasBegun = true;
      },
      onResponseData: (given, part) => {
        if (!sink.data(part)) given.pause();
      },
      onResponseEnd: () => resolve(sink.end()),
      onResponseError: (_given, error) => {
        if (isGone) reject(new VisitorGone());
        else reject(hasBegun ? new AnswerCut("the answer is not complete", { cause: error }) : error);
      },
    });
  });
}

/** The headers of an answer, with names in lower case. */
function pairs(raw: Dispatcher.DispatchController["rawHeaders"]): Header[] {
  const headers: Header[] = [];
  if (!Array.isArray(raw)) return headers;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    headers.push([octets(raw[at]).toLowerCase(), octets(raw[at + 1])]);
  }
  return headers;
}

function octets(part: Buffer | string = ""): string {
  return typeof part === "string" ? part : part.toString("latin1");
}
