import type { IncomingMessage, ServerResponse } from "node:http";
import { Http2ServerResponse, type Http2ServerRequest } from "node:http2";
import type { Duplex } from "node:stream";

import type { Header } from "../../core/transforms/request-headers.ts";
import { handshakeResponse } from "../../wire/handshake.ts";
import { discardBody, hasUnreadBody } from "../../wire/lingering-close.ts";
import { flatten } from "../origin/origin-headers.ts";
import type { OwnAnswer } from "../errors/pages.ts";

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
  return host.toLowerCase().replace(/\.?(?::\d*)?$/, "");
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
  response.writeHead(Math.min(status, http2StatusMax), http2Headers(status, headers));
}

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

/**
 * Answers without an origin. The rest of the request's body is read, so that the visitor gets the response.
 */
export async function sendAnswer(visit: Visit, { status, headers, body }: OwnAnswer): Promise<void> {
  const { request, response } = visit;
  const isLast = !(response instanceof Http2ServerResponse) && hasUnreadBody(request as IncomingMessage);
  const last: Header[] = isLast ? [["connection", "close"]] : [];
  writeHead(visit, status, [...headers, ["content-length", String(body.length)], ...last]);
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
  if (response instanceof Http2ServerResponse) void passOver(visit);
}

/**
 * Reads what is left of a request whose response was complete before it, as the next request of the connection lies behind it,
 * and as the visitor may read no response before all is sent. Ends the connection, or the stream of HTTP/2, where that is too much.
 */
export async function passOver({ request, response }: Visit): Promise<void> {
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

/** Discards the rest of a body, for as long as some of it comes within 5 seconds. */
async function discard(request: Visit["request"]): Promise<void> {
  let left = passedOverBytesMax;
  while (left > 0 && !request.complete) {
    const bytes = await discardBody(request, left);
    if (bytes === 0) return;
    left -= bytes;
  }
}

/** Ends an incomplete response so that the visitor notices that it is incomplete. */
export function cut({ response }: Visit): void {
  if (response instanceof Http2ServerResponse)
    response.stream.close(2 /* INTERNAL_ERROR, RFC 9113 section 7 */);
  else response.destroy();
}
