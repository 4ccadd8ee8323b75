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

/** Takes the answer of an origin, for a visitor. */
export interface OriginAnswerSink {
  readonly head: (status: number, headers: readonly Header[], statusText: string) => void;
  /** Returns whether the visitor takes more at once; otherwise `drained` is called when it does. */
  readonly data: (part: Buffer) => boolean;
  /** A promise resolves once the end is passed on; without one it is. */
  readonly end: () => Promise<void> | undefined;
  /** The origin switched protocols; the socket is the sink's from now on. */
  readonly upgraded: (headers: readonly Header[], socket: Duplex) => void;
  /** Registers what the sink calls when the visitor takes more, and when it is gone. */
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
 * Sends a request to the first of the targets that takes it. It is sent again only where no origin can have seen it, or
 * where it is idempotent and without a body and a connection that was kept open closed before any answer.
 * Throws VisitorGone, AnswerCut once the answer has begun, and what undici throws before.
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

/** An origin may close an idle connection at the moment at which a request is sent on it. */
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
        // Of interim answers, 100 is between undici and the origin; visitors get none of the others.
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
