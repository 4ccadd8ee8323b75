import type { IncomingMessage, ServerResponse } from "node:http";
import { Http2ServerResponse, type Http2ServerRequest } from "node:http2";
import type { Duplex, Writable } from "node:stream";

import type { Header } from "../core/transforms/request-headers.ts";
import { handshakeResponse } from "../http/handshake.ts";
import { discardBody, hasUnreadBody } from "../http/lingering-close.ts";
import type { OriginAnswerSink, VisitorEvents } from "./forward.ts";
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

/** The highest status that Node.js sends in HTTP/2. Clients take invalid ones for 5xx (RFC 9110 section 15). */
const http2StatusMax = 599;

/** Writes the beginning of an answer. */
export function writeHead({ response }: Visit, status: number, headers: readonly Header[], text = ""): void {
  if (!(response instanceof Http2ServerResponse)) {
    // Node throws for a reason phrase with other characters.
    if (/^[\t -~]+$/.test(text)) response.writeHead(status, text, flatten(headers));
    else response.writeHead(status, flatten(headers));
    return;
  }
  const byName: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (const [name, value] of headers) (byName[name] ??= []).push(value);
  response.writeHead(Math.min(status, http2StatusMax), byName);
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
 * Reads what is left of a request whose response was complete before it, as the next request of the connection lies
 * behind it. Closes the connection where that is too much.
 */
async function passOver({ request, response }: Visit): Promise<void> {
  if (response instanceof Http2ServerResponse || !hasUnreadBody(request as IncomingMessage)) return;
  await discardBody(request as IncomingMessage);
  if (!request.complete) request.destroy();
}

/** What becomes of a response whose head an origin sent. */
type AnswerHead = (status: number, headers: readonly Header[], text: string) => Passage | Inspection;

/** Is told while an answer waits for its visitor. */
interface Waiting {
  readonly begin: (visit: Visit) => void;
  readonly end: (visit: Visit) => void;
}

/** Passes the origin's response on to a visitor. `answerHead` may change it, answer instead, or have it held back. */
export class VisitorSink implements OriginAnswerSink {
  readonly #visit: Visit;
  readonly #answerHead: AnswerHead;
  readonly upgraded: OriginAnswerSink["upgraded"];
  readonly #waiting: Waiting;
  /** What takes the body: the response, or the stream ahead of it. */
  #body: Writable;
  #exchange: VisitorEvents | undefined;
  #held: HeldAnswer | undefined;
  #isAnswered = false;
  /** Whether it waits until the body takes more. */
  #isFull = false;
  #isClosed = false;

  constructor(
    visit: Visit,
    waiting: Waiting,
    answerHead: AnswerHead,
    upgraded: OriginAnswerSink["upgraded"],
  ) {
    this.#visit = visit;
    this.#waiting = waiting;
    this.#answerHead = answerHead;
    this.upgraded = upgraded;
    this.#body = visit.response;
    visit.response.on("close", () => this.#close());
  }

  begin(exchange: VisitorEvents): void {
    this.#exchange = exchange;
    if (this.#visit.response.destroyed) exchange.leave();
  }

  head(status: number, headers: readonly Header[], text: string): void {
    const next = this.#answerHead(status, headers, text);
    if (typeof next === "string" || !("decide" in next)) this.#settle(next);
    else this.#held = new HeldAnswer(next, (passage, start) => this.#release(passage, start));
  }

  data(part: Buffer): boolean {
    return this.#held === undefined ? this.#write(part) : this.#held.add(part);
  }

  end(): Promise<void> | undefined {
    if (this.#held !== undefined) return this.#held.end().then(() => this.#end());
    this.#end();
    return undefined;
  }

  #settle(passage: Passage): void {
    this.#isAnswered = passage === "is answered";
    if (typeof passage === "string") return;
    this.#body = passage;
    passage.on("error", () => cut(this.#visit));
    if (this.#isClosed) passage.destroy();
    // Both classes have the same methods; a union of them has none that TypeScript can call.
    else passage.pipe(this.#visit.response as ServerResponse);
  }

  #release(passage: Passage, start: Buffer): void {
    this.#held = undefined;
    this.#settle(passage);
    if (start.length === 0 || this.#write(start)) this.#exchange?.resume();
  }

  #write(part: Buffer): boolean {
    const body = this.#body;
    if (this.#isAnswered || body.write(part)) return true;
    if (!this.#isFull) {
      body.once("drain", () => this.#drained());
      this.#wait();
    }
    this.#isFull = true;
    return false;
  }

  #wait(): void {
    if (!this.#isClosed) this.#waiting.begin(this.#visit);
  }

  #drained(): void {
    this.#isFull = false;
    this.#waiting.end(this.#visit);
    this.#exchange?.resume();
  }

  #end(): void {
    if (this.#isAnswered) return;
    // What is left of the answer is held until the visitor takes it.
    this.#wait();
    this.#body.end();
    void passOver(this.#visit);
  }

  #close(): void {
    const { response } = this.#visit;
    this.#isClosed = true;
    this.#waiting.end(this.#visit);
    if (this.#body !== response) this.#body.destroy();
    if (!response.writableEnded) this.#exchange?.leave();
  }
}
