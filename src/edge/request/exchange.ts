import type { IncomingMessage, ServerResponse } from "node:http";
import { Http2ServerResponse, type Http2ServerRequest } from "node:http2";
import type { Duplex } from "node:stream";

import type { Logger } from "pino";

import type { Judged } from "../../core/judging/judge-request.ts";
import type { RuleMatch } from "../../core/judging/rule-matches.ts";
import { FairList, type FairLink } from "../../core/fair-list.ts";
import { Link, LinkedList } from "../../core/linked-list.ts";
import { clientNetwork } from "../../core/net/client-network.ts";
import type { RuleRequest } from "../../core/seclang/evaluate/request.ts";
import type { Header } from "../../core/transforms/request-headers.ts";
import { discardBody, hasUnreadBody } from "../../wire/closing.ts";
import { problemAnswer, type Asked, type OwnAnswer } from "../errors/block-and-error-pages.ts";
import type { Problem } from "../errors/problems.ts";
import type { ReadyZone } from "../zones/edge-zone.ts";
import type { RequestBody } from "./request-body.ts";
import type { VisitorLocation } from "./visitor-location.ts";
import type { VisitorRequest } from "./visitor-request.ts";

/** A request as a listener received it, with the means to answer it, in either version of HTTP. */
export interface Visit {
  readonly request: IncomingMessage | Http2ServerRequest;
  readonly response: ServerResponse | Http2ServerResponse;
  /** For a request for a WebSocket: the connection, and the first bytes after the request. */
  readonly upgrade: { readonly socket: Duplex; readonly head: Buffer } | undefined;
}

/** Everything that all exchanges of an edge have in common. */
export interface Edge {
  /** Makes a ray id with its location code. */
  readonly newRay: () => string;
  /** Identifies this installation in `CDN-Loop` (RFC 8586). */
  readonly loopToken: () => string;
  readonly now: () => Date;
  readonly logger: Logger;
  /** Called once for each response, with its status; 499 where the visitor left before it. */
  readonly answered: (status: number) => void;
}

/** The result of the rules for a request, and the request as the Core Rule Set sees it. */
export interface JudgedRequest extends Judged {
  /** The request's headers without those that only the edge may set. */
  readonly unforged: readonly Header[];
  readonly received: () => RuleRequest;
  /** Headers of the response by which the visitor keeps cookies. */
  readonly cookies: readonly Header[];
  /** Until when the rate limit acts that was exceeded last, in milliseconds since 1970. */
  readonly limitedUntil: number | undefined;
  /**
   * Drops the body with all that was made of it, which takes several times as much memory: an origin may take
   * minutes to answer.
   */
  readonly letGoOfBody: () => void;
}

const nowhere: VisitorLocation = {};
const nobody: readonly string[] = ["", ""];
const server: Header = ["server", "zoneward"];

export const edgeHeaders = (ray: string): Header[] => [server, ["cf-ray", ray]];

/**
 * A visitor's request, from its arrival to its end: it is read (`visitor`), finds its zone (`zone`), is judged
 * (`judged`), is answered by an origin or by the edge, and is noted with what came of it. What a stage finds
 * must not be asked for before. Where another proxy asks about a request, the visit is its question.
 */
export class Exchange {
  readonly edge: Edge;
  readonly visit: Visit;
  /** With the location code. */
  readonly ray: string;
  address: string;
  location: VisitorLocation = nowhere;
  /** Undefined for a request without one. */
  body: RequestBody | undefined;
  /** 499 until the visitor has an answer. */
  edgeStatus = 499;
  /** 0 without a response of the origin. */
  originStatus = 0;
  responseMatches: readonly RuleMatch[] = [];
  #visitor: VisitorRequest | undefined;
  #zone: ReadyZone | undefined;
  #judged: JudgedRequest | undefined;

  constructor(edge: Edge, visit: Visit, address: string) {
    this.edge = edge;
    this.visit = visit;
    this.ray = edge.newRay();
    this.address = address;
  }

  get visitor(): VisitorRequest {
    return found(this.#visitor);
  }

  set visitor(visitor: VisitorRequest) {
    this.#visitor = visitor;
  }

  get zone(): ReadyZone {
    return found(this.#zone);
  }

  set zone(zone: ReadyZone) {
    this.#zone = zone;
  }

  get isJudged(): boolean {
    return this.#judged !== undefined;
  }

  get judged(): JudgedRequest {
    return found(this.#judged);
  }

  set judged(judged: JudgedRequest) {
    this.#judged = judged;
  }

  /**
   * The owners towards whose share it counts: the zone's account, and its client within; nobody before it has
   * a zone.
   */
  get owners(): readonly string[] {
    return this.#zone === undefined ? nobody : [this.#zone.accountId, clientNetwork(this.address)];
  }

  /** The security headers of the zone, for visitors over TLS. */
  get securityHeaders(): readonly Header[] {
    return this.visitor.isSecure ? this.zone.settings.securityHeaders : [];
  }

  /** Everything that a response of the edge itself needs to know. */
  asked(): Asked {
    const { address, ray, edge } = this;
    const accept = this.#visitor?.headers.find(([name]) => name === "accept")?.[1];
    return { accept, hostname: this.#visitor?.hostname ?? "", address, ray, now: edge.now() };
  }

  problemAnswer(problem: Problem): OwnAnswer {
    return problemAnswer(problem, this.asked());
  }

  /** Sends a response of the edge itself, with the ray id. */
  async answer({ status, headers, body }: OwnAnswer, more: readonly Header[] = []): Promise<void> {
    const date: Header = ["date", this.edge.now().toUTCString()];
    await this.send({ status, headers: [date, ...headers, ...more, ...edgeHeaders(this.ray)], body });
    this.edge.answered(status);
  }

  /** Answers without an origin. The rest of the request's body is read, so that the visitor gets the response. */
  async send({ status, headers, body }: OwnAnswer): Promise<void> {
    const { request, response } = this.visit;
    const isLast = !(response instanceof Http2ServerResponse) && hasUnreadBody(request as IncomingMessage);
    const last: Header[] = isLast ? [["connection", "close"]] : [];
    this.writeHead(status, [...headers, ["content-length", String(body.length)], ...last]);
    const octets = request.method === "HEAD" ? Buffer.alloc(0) : body;
    if (isLast) {
      closing.add(request.socket);
      response.write(octets);
      await discard(request);
      response.end();
      return;
    }
    if (octets.length > 0) response.end(octets);
    else response.end();
    if (response instanceof Http2ServerResponse) void this.passOver();
  }

  /** Writes the beginning of an answer. */
  writeHead(status: number, headers: readonly Header[], text = ""): void {
    const { response } = this.visit;
    if (!(response instanceof Http2ServerResponse)) {
      // Node throws for a reason phrase with other characters.
      if (/^[\t -~]+$/.test(text)) response.writeHead(status, text, flatten(headers));
      else response.writeHead(status, flatten(headers));
      return;
    }
    response.writeHead(Math.min(status, http2StatusMax), http2Headers(status, headers));
  }

  /**
   * Reads what is left of a request whose response was complete before it, as the next request of the connection
   * lies behind it, and as the visitor may read no response before all is sent. Ends the connection, or the
   * stream of HTTP/2, where that is too much.
   */
  async passOver(): Promise<void> {
    const { request, response } = this.visit;
    if (response instanceof Http2ServerResponse) {
      const { stream } = response;
      if (stream.endAfterHeaders) return;
      await discard(request);
      if (!request.complete) stream.close(0 /* NO_ERROR, RFC 9113 section 8.1 */);
    } else if (hasUnreadBody(request as IncomingMessage)) {
      await discard(request);
      if (!request.complete) request.destroy();
    }
  }

  /** Ends an incomplete response so that the visitor notices that it is incomplete. */
  cut(): void {
    const { response } = this.visit;
    if (response instanceof Http2ServerResponse)
      response.stream.close(2 /* INTERNAL_ERROR, RFC 9113 section 7 */);
    else response.destroy();
  }
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("an exchange was asked for what it had not come to");
  return value;
}

/** The highest status that Node.js sends in HTTP/2. Clients take invalid ones for 5xx (RFC 9110 section 15). */
const http2StatusMax = 599;

/**
 * Headers that Node.js sends only once in HTTP/2; it throws for a second value:
 * https://github.com/nodejs/node/blob/v24.21.0/lib/internal/http2/util.js
 */
const sentOnce: ReadonlySet<string> = new Set([
  "access-control-allow-credentials",
  "access-control-max-age",
  "access-control-request-method",
  "age",
  "authorization",
  "content-encoding",
  "content-language",
  "content-location",
  "content-md5",
  "content-range",
  "content-type",
  "date",
  "dnt",
  "etag",
  "expires",
  "from",
  "host",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-range",
  "if-unmodified-since",
  "last-modified",
  "location",
  "max-forwards",
  "range",
  "referer",
  "retry-after",
  "tk",
  "upgrade-insecure-requests",
  "user-agent",
  "x-content-type-options",
]);

/** Different values of a header that is sent once are combined, as a recipient may do (RFC 9110 section 5.3). */
function http2Headers(status: number, headers: readonly Header[]): Record<string, string | string[]> {
  const byName = Map.groupBy(headers, ([name]) => name);
  // Node.js sends no body with a 205, so that a length would be wrong (RFC 9113 section 8.1.1).
  if (status === 205) byName.delete("content-length");
  const sent = Object.create(null) as Record<string, string | string[]>;
  for (const [name, lines] of byName) {
    const values = lines.map(([, value]) => value);
    sent[name] = sentOnce.has(name) ? [...new Set(values)].join(", ") : values;
  }
  return sent;
}

/** Connections on which the last response was sent: whatever arrives on them is not a request. */
const closing = new WeakSet<Duplex>();

/** Whether the last response was sent on a connection. */
export function isClosing(socket: Duplex): boolean {
  return closing.has(socket);
}

/** Octets of a body that are read behind its answer: as many as a zone may let visitors upload. */
const passedOverBytesMax = 500_000_000;

/** Discards the rest of a body, for as long as some of it comes within 5 seconds. */
async function discard(request: Visit["request"]): Promise<void> {
  let left = passedOverBytesMax;
  while (left > 0 && !request.complete) {
    const bytes = await discardBody(request, left);
    if (bytes === 0) return;
    left -= bytes;
  }
}

/** Appends the headers to `turns`, names and values alternating. */
export function flatten(headers: readonly Header[], turns: string[] = []): string[] {
  for (const header of headers) turns.push(header[0], header[1]);
  return turns;
}

interface Bounds {
  /** Exchanges that may wait at the same time. */
  readonly max: number;
  /** Milliseconds for which one may wait. */
  readonly msMax: number;
}

interface Waiting {
  readonly exchange: Exchange;
  readonly sinceMs: number;
  share: FairLink<WaitingExchange> | undefined;
}

export type WaitingExchange = Link<Waiting>;

const sweepMs = 1_000;

/**
 * Requests that wait for their visitors: for a body that rules are to judge, or until more of the answer is
 * taken. Each holds memory, an answer also a connection to the origin, and a connection of HTTP/2 has many.
 * Where more than `max` wait, the one is cut that has waited longest, of a client and an account that have at
 * least an equal part of them; and so is each that has waited for `msMax`.
 */
export class WaitingExchanges {
  readonly #bounds: Bounds;
  readonly #nowMs: () => number;
  /** The one that has waited longest comes first. */
  readonly #waiting = new LinkedList<Waiting>();
  readonly #shares: FairList<WaitingExchange>;
  readonly #sweep: NodeJS.Timeout;

  constructor(bounds: Bounds, nowMs: () => number) {
    this.#bounds = bounds;
    this.#nowMs = nowMs;
    this.#shares = new FairList({ weightMax: bounds.max, onDrop: (one) => this.#cut(one) });
    this.#sweep = setInterval(() => this.#cutOld(), sweepMs).unref();
  }

  begin(exchange: Exchange): WaitingExchange {
    const one: WaitingExchange = new Link({ exchange, sinceMs: this.#nowMs(), share: undefined });
    this.#waiting.add(one);
    one.value.share = this.#shares.add(one, exchange.owners);
    return one;
  }

  /** Does nothing for an exchange that was cut. */
  end(one: WaitingExchange): void {
    this.#waiting.remove(one);
    if (one.value.share !== undefined) this.#shares.remove(one.value.share);
  }

  /** Waits for what the visitor has to send first. Rejects as `sent` does. */
  async during<T>(exchange: Exchange, sent: Promise<T>): Promise<T> {
    const one = this.begin(exchange);
    try {
      return await sent;
    } finally {
      this.end(one);
    }
  }

  stop(): void {
    clearInterval(this.#sweep);
  }

  #cutOld(): void {
    const beforeMs = this.#nowMs() - this.#bounds.msMax;
    for (let one = this.#waiting.first; one !== undefined; one = this.#waiting.first) {
      if (one.value.sinceMs > beforeMs) return;
      this.#cut(one);
    }
  }

  #cut(one: WaitingExchange): void {
    this.end(one);
    one.value.exchange.cut();
  }
}
