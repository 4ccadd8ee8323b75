import type { Party } from "../chain/chain-source.ts";
import { isUtf8 } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";

import { sendAheadOfBody } from "../../wire/answers.ts";
import { namesItsHost, type HostCheck } from "../../wire/host-header.ts";
import { readBody } from "../../wire/request-body.ts";
import type { KeepAccount } from "../../wire/unread-answers.ts";
import { RpcError, rpcErrors } from "../chain/errors.ts";
import { endWith, pieceBytes } from "./long-answers.ts";
import {
  type Grant,
  type RateLimit,
  errorReply,
  replyTo,
  singleId,
  type GatewayLimits,
  type NetworkService,
  type Reply,
} from "./batch.ts";

export interface EndpointOptions {
  /** The path below which networks lie: `/gateway/v1/`. */
  readonly prefix: string;
  /** Errors: `RpcError` 404 for an unknown network, 410 for a retired one. */
  readonly find: (network: string) => NetworkService;
  readonly isHostAllowed: HostCheck;
  /** Returns undefined if no credentials are needed. Errors: `RpcError` 401, 403 or 503. */
  readonly authorize: (request: IncomingMessage) => Promise<void> | undefined;
  /** The client that the calls of an authorized request count for; called only if there is a rate limit. */
  readonly clientOf: (request: IncomingMessage) => string;
  /** The party whose share of what networks bound an authorized request uses. */
  readonly partyOf: (request: IncomingMessage) => Party;
  readonly rateLimit: RateLimit["count"];
  readonly limits: GatewayLimits;
  /** Origins of web pages that may call; `*` for any. */
  readonly corsOrigins: readonly string[];
  /** Called with the number of bytes that are kept for a client that has not read them yet. */
  readonly keepUnread: KeepAccount;
  /** Called for every answer with the time at which its request came, in milliseconds of `performance.now()`. */
  readonly onAnswer: (request: IncomingMessage, status: number, beganMs: number) => void;
  /** Called for an unexpected error; the request gets no answer. */
  readonly onFailure: (request: IncomingMessage, error: unknown) => void;
}

export type Endpoint = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Answers `POST {prefix}{network}`, always with JSON-RPC. Credentials are checked before the body is read. A single
 * call to a network that is not served gets its id back.
 */
export function createEndpoint(options: EndpointOptions): Endpoint {
  const { limits, rateLimit } = options;

  const answerBody = (request: IncomingMessage, body: Buffer): Reply | Promise<Reply> => {
    const text = body.toString();
    let service: NetworkService;
    try {
      service = options.find(networkOf(request, options.prefix));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return errorReply(error, singleId(text, limits.batchCallsMax));
    }
    if (!isUtf8(body)) throw rpcErrors.notUtf8;
    const party = options.partyOf(request);
    const grant = (calls: number): Grant => rateLimit(() => options.clientOf(request), calls, party);
    return replyTo(text, service, { limits, grant, party });
  };

  const answer = async (request: IncomingMessage): Promise<Reply> => {
    try {
      checkHost(request, options.isHostAllowed);
      if (isPreflight(request)) return { status: 204, body: undefined };
      if (request.method !== "POST") throw rpcErrors.httpMethodNotAllowed(request.method ?? "");
      const authorizing = options.authorize(request);
      if (authorizing !== undefined) await authorizing;
      return await answerBody(request, await bodyOf(request, limits.bodyBytesMax));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return errorReply(error);
    }
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const beganMs = performance.now();
    try {
      const reply = await answer(request);
      send(request, response, reply, options);
      options.onAnswer(request, reply.status, beganMs);
    } catch (error) {
      response.destroy();
      options.onFailure(request, error);
    }
  };

  return (request, response) => void handle(request, response);
}

/**
 * Throws unless a request has one host (RFC 9112 section 3.2), which its client may use.
 * Errors: `RpcError` 400, 421.
 */
export function checkHost(request: IncomingMessage, isHostAllowed: HostCheck): void {
  if (!namesItsHost(request)) throw rpcErrors.invalidHost;
  if (!isHostAllowed(request)) throw rpcErrors.hostNotAllowed;
}

/** The segment of the path behind the prefix; a trailing slash is tolerated. */
export function networkOf({ url = "" }: IncomingMessage, prefix: string): string {
  if (!url.startsWith(prefix)) return "";
  const query = url.indexOf("?");
  const end = query === -1 ? url.length : query;
  return url.slice(prefix.length, url[end - 1] === "/" ? end - 1 : end);
}

/** Reads a body, whatever its content type. Errors: `RpcError` 413, 415; the error of a broken connection. */
async function bodyOf(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const { "content-encoding": encoding = "identity" } = request.headers;
  if (encoding !== "identity") throw rpcErrors.compressedBody;
  const body = await readBody(request, bytesMax);
  if (body === undefined) throw rpcErrors.bodyTooLarge(bytesMax);
  return body;
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

/** Whether web pages of this origin may call. */
export function allowsOrigin(origin: string, allowed: readonly string[]): boolean {
  return allowed.includes("*") || allowed.includes(origin);
}

function corsHeaders({ headers }: IncomingMessage, allowed: readonly string[]): Record<string, string> {
  const { origin } = headers;
  if (origin === undefined || !allowsOrigin(origin, allowed)) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": "authorization, content-type",
    "access-control-expose-headers": "x-cache, retry-after, deprecation, sunset, link",
    "access-control-max-age": "86400",
    vary: "origin",
  };
}

type SendOptions = Pick<EndpointOptions, "corsOrigins" | "keepUnread">;

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, cache, headers }: Reply,
  { corsOrigins, keepUnread }: SendOptions,
): void {
  const fields = ["server", "zoneward"];
  if (body !== undefined) fields.push("content-type", "application/json");
  if (cache !== undefined) fields.push("x-cache", cache);
  for (const name in headers) fields.push(name, headers[name] as string);
  const cors = corsHeaders(request, corsOrigins);
  for (const name in cors) fields.push(name, cors[name] as string);
  if (body === undefined || body.length <= pieceBytes) {
    sendAheadOfBody(response, { status, fields, body });
    return;
  }
  const octets = Buffer.from(body);
  response.writeHead(status, [...fields, "content-length", String(octets.length)]);
  endWith(response, octets, (left) => keepUnread(request.socket, left));
}
