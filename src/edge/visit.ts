import type { IncomingMessage, ServerResponse } from "node:http";
import { Http2ServerResponse, type Http2ServerRequest } from "node:http2";
import type { Duplex } from "node:stream";

import type { Header } from "../core/transforms/request-headers.ts";
import { handshakeResponse } from "../http/handshake.ts";
import { discardBody, hasUnreadBody } from "../http/lingering-close.ts";
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
