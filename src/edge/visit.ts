import type { IncomingMessage, ServerResponse } from "node:http";
import { Http2ServerResponse, type Http2ServerRequest } from "node:http2";
import type { Duplex, Writable } from "node:stream";

import type { Header } from "../core/transforms/request-headers.ts";
import { handshakeResponse } from "../http/handshake.ts";
import { discardBody, hasUnreadBody } from "../http/lingering-close.ts";
import type { OriginAnswerSink } from "./forward.ts";
import { HeldAnswer, type Inspection, type Passage } from "./held-answer.ts";
import { flatten } from "./origin-headers.ts";
import type { OwnAnswer } from "./pages.ts";

/** A visitor's request with the means to answer it, in either version of HTTP. */
export interface Visit {
  readonly request: IncomingMessage | Http2ServerRequest;
  readonly response: ServerResponse | Http2ServerResponse;
  /** For a request for a WebSocket: the connection, and the first bytes after the request. */
  readonly upgrade: { readonly socket: Duplex; readonly head: Buffer } | undefined;
}

/** The host name that a request names, before the request has been checked. */
export function visitedName({ headers }: Visit["request"]): string {
  const host = String(headers[":authority"] ?? headers.host ?? "");
  return host.toLowerCase().replace(/:\d*$/, "");
}

/** An upgrade request as a visit: it can be answered like any request, and its connection ends with that. */
export function upgradeVisit(request: IncomingMessage, socket: Duplex, head: Buffer): Visit {
  return { request, response: handshakeResponse(request, socket), upgrade: { socket, head } };
}

/** Writes the beginning of an answer. */
export function writeHead({ response }: Visit, status: number, headers: readonly Header[], text = ""): void {
  if (!(response instanceof Http2ServerResponse)) {
    // Node throws for a reason phrase with other characters.
    const reason = /^[\t -~]*$/.test(text) && text !== "" ? [text] : [];
    response.writeHead(status, ...(reason as [string]), flatten(headers));
    return;
  }
  const byName: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (const [name, value] of headers) (byName[name] ??= []).push(value);
  response.writeHead(status, byName);
}

/** Connections on which the last response was sent: whatever arrives on them is not a request. */
const closing = new WeakSet<Duplex>();

/** Whether the last response was sent on a connection. */
export function isClosing(socket: Duplex): boolean {
  return closing.has(socket);
}

/**
 * Answers without an origin. The rest of the request's body is read for a while, so that the visitor gets the
 * response.
 */
export async function sendAnswer(visit: Visit, { status, headers, body }: OwnAnswer): Promise<void> {
  const { request, response } = visit;
  const isUnread = !(response instanceof Http2ServerResponse) && hasUnreadBody(request as IncomingMessage);
  const last: Header[] = isUnread ? [["connection", "close"]] : [];
  writeHead(visit, status, [...headers, ["content-length", String(body.length)], ...last]);
  if (isUnread) closing.add(request.socket);
  const octets = request.method === "HEAD" ? Buffer.alloc(0) : body;
  if (isUnread) {
    response.write(octets);
    await discardBody(request as IncomingMessage);
    response.end();
  } else if (octets.length > 0) response.end(octets);
  else response.end();
}

/** Ends an incomplete response so that the visitor notices that it is incomplete. */
export function cut({ response }: Visit): void {
  if (response instanceof Http2ServerResponse)
    response.stream.close(2 /* INTERNAL_ERROR, RFC 9113 section 7 */);
  else response.destroy();
}

/**
 * Passes the origin's response on to a visitor. `head` may change it, answer instead, or have it held back.
 */
export function sinkOf(
  visit: Visit,
  head: (status: number, headers: readonly Header[], text: string) => Passage | Inspection,
  upgraded: OriginAnswerSink["upgraded"],
): OriginAnswerSink {
  const { response } = visit;
  let isAnswered = false;
  let held: HeldAnswer | undefined;
  let onDrained = (): void => undefined;
  let onGone = (): void => undefined;
  // Both classes have the same methods; a union of them has none that TypeScript can call.
  let body: Writable = response;
  response.on("drain", () => {
    if (body === response) onDrained();
  });
  let isClosed = false;
  response.on("close", () => {
    isClosed = true;
    if (body !== response) body.destroy();
    if (!response.writableFinished) onGone();
  });
  const write = (part: Buffer): boolean => isAnswered || body.write(part);
  const end = (): undefined => {
    if (!isAnswered) body.end();
  };
  const settle = (passage: Passage): void => {
    isAnswered = passage === "is answered";
    if (typeof passage === "string") return;
    body = passage;
    passage.on("drain", () => onDrained());
    passage.on("error", () => cut(visit));
    if (isClosed) passage.destroy();
    else passage.pipe(response as ServerResponse);
  };
  const release = (passage: Passage, parts: readonly Buffer[]): void => {
    held = undefined;
    settle(passage);
    if (parts.map(write).every(Boolean)) onDrained();
  };
  return {
    head: (status, headers, text) => {
      const next = head(status, headers, text);
      if (typeof next === "object" && "decide" in next) held = new HeldAnswer(next, release);
      else settle(next);
    },
    data: (part) => (held === undefined ? write(part) : held.add(part)),
    end: () => (held === undefined ? end() : held.end().then(end)),
    upgraded,
    watch: (drained, gone) => {
      onDrained = drained;
      onGone = gone;
      if (response.destroyed) gone();
    },
  };
}
