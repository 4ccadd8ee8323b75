import { isUtf8 } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";

import { namesItsHost, type HostCheck } from "../../http/host-header.ts";
import { forgetBody, hasUnreadBody } from "../../http/lingering-close.ts";
import type { KeepAccount } from "../../http/unread-answers.ts";
import { codes, errorResponse, RpcError } from "./json-rpc.ts";
import { endWith, pieceBytes } from "./long-answers.ts";
import type { RateLimit } from "./rate-limit.ts";
import { refusalReply, replyTo, singleId, type GatewayLimits, type Reply, type Served } from "./replies.ts";
import { recovering, soon, type Soon } from "../soon.ts";

export interface EndpointOptions {
  /** Where networks lie: `/gateway/v1/`. */
  readonly prefix: string;
  /** Finds the network of a path segment. Errors: `RpcError` 404 where there is none, 410 where it has ended. */
  readonly find: (name: string) => Served;
  readonly isHostAllowed: HostCheck;
  /** Errors: `RpcError` with status 401 or 403. */
  readonly authorize: (request: IncomingMessage) => Soon<void>;
  /** Who a request counts for; asked only of one that was authorized, and where a limit is set. */
  readonly clientOf: (request: IncomingMessage) => string;
  readonly rateLimit: RateLimit;
  readonly limits: GatewayLimits;
  /** Origins of web pages that may call; `*` for any. */
  readonly corsOrigins: readonly string[];
  /** Told how much is kept for a client that has not read it yet. */
  readonly keepUnread: KeepAccount;
  /** Told of every answer, with the time that it took. */
  readonly answered: (request: IncomingMessage, status: number, ms: number) => void;
  /** Told of what nobody foresaw: the request has no answer. */
  readonly failed: (request: IncomingMessage, error: unknown) => void;
}

export type Endpoint = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Answers `POST {prefix}{network}`. Whatever is wrong with a request, the answer is JSON-RPC. Who asks is judged before the
 * body is read. A single call for a network that is not served gets its id back.
 */
export function createEndpoint(options: EndpointOptions): Endpoint {
  const { limits, rateLimit } = options;

  const answer = (request: IncomingMessage, served: Served, body: Buffer): Soon<Reply> => {
    if (!isUtf8(body)) throw new RpcError(codes.parseError, "Parse error: not UTF-8");
    const grant = (calls: number): number => rateLimit(() => options.clientOf(request), calls);
    return replyTo(body.toString(), served, { limits, grant });
  };

  return (request, response) => {
    const beganMs = performance.now();
    const finish = (reply: Reply): void => {
      send(request, response, reply, options);
      options.answered(request, reply.status, performance.now() - beganMs);
    };
    const fail = (error: unknown): void => {
      response.destroy();
      options.failed(request, error);
    };
    const reply = (work: () => Soon<Reply>): void => {
      try {
        const replied = recovering(work, asReply);
        if (replied instanceof Promise) replied.then(finish).catch(fail);
        else finish(replied);
      } catch (error) {
        fail(error);
      }
    };
    const refuse = (error: unknown): void =>
      reply(() => {
        throw error;
      });
    const answerBody = (served: Served): void =>
      readBody(request, limits.bodyBytesMax, (read) => reply(() => answer(request, served, read())));

    const answerFrom = (name: string): void => {
      try {
        answerBody(options.find(name));
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        readBody(request, limits.bodyBytesMax, (read) =>
          reply(() => refusalReply(error, singleId(read().toString(), limits.batchCallsMax))),
        );
      }
    };

    const misdirection = hostRefusal(request, options.isHostAllowed);
    if (misdirection !== undefined) refuse(misdirection);
    else if (isPreflight(request)) finish({ status: 204, body: undefined });
    else if (request.method !== "POST") finish(refuseMethod(request));
    else {
      try {
        const name = networkOf(request, options.prefix);
        const authorized = soon(options.authorize(request), () => answerFrom(name));
        if (authorized instanceof Promise) authorized.catch(refuse);
      } catch (error) {
        refuse(error);
      }
    }
  };
}

/** Errors: whatever is no `RpcError`. */
function asReply(error: unknown): Reply {
  if (!(error instanceof RpcError)) throw error;
  return refusalReply(error);
}

/** What a request is refused with that does not name its host once (RFC 9112 section 3.2), or one that may not be used. */
export function hostRefusal(request: IncomingMessage, isHostAllowed: HostCheck): RpcError | undefined {
  if (!namesItsHost(request)) {
    return new RpcError(codes.invalidRequest, "The request must have one Host header", { status: 400 });
  }
  if (isHostAllowed(request)) return undefined;
  return new RpcError(
    codes.serverError,
    "Browsers are not served under this name; see the setting allowed_hosts",
    { status: 421 },
  );
}

function refuseMethod({ method }: IncomingMessage): Reply {
  const error = new RpcError(codes.invalidRequest, `${method} is not supported: send calls by POST`);
  return { status: 405, body: errorResponse("null", error.text), headers: { allow: "POST, OPTIONS" } };
}

/** The path's segment behind the prefix; a trailing slash is tolerated. */
export function networkOf({ url = "" }: IncomingMessage, prefix: string): string {
  if (!url.startsWith(prefix)) return "";
  const query = url.indexOf("?");
  const end = query === -1 ? url.length : query;
  return url.slice(prefix.length, url[end - 1] === "/" ? end - 1 : end);
}

/**
 * Calls `done` when the body is here, or never will be: with what answers it, whatever its sender calls it. Errors of that:
 * `RpcError`, or what broke the connection.
 */
function readBody(request: IncomingMessage, bytesMax: number, done: (read: () => Buffer) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isOver = false;
  const end = (read: () => Buffer): void => {
    if (isOver) return;
    isOver = true;
    done(read);
  };
  const refuse = (error: Error): void =>
    end(() => {
      throw error;
    });
  const { "content-encoding": encoding = "identity", "content-length": length = "0" } = request.headers;
  if (encoding !== "identity") {
    refuse(new RpcError(codes.invalidRequest, "Compressed bodies are not supported", { status: 415 }));
    return;
  }
  if (Number(length) > bytesMax) {
    refuse(bodyTooLarge(bytesMax));
    return;
  }
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bytesMax) refuse(bodyTooLarge(bytesMax));
    else chunks.push(chunk);
  });
  request.on("end", () => end(() => (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))));
  request.on("error", refuse);
}

function bodyTooLarge(limit: number): RpcError {
  return new RpcError(codes.invalidRequest, `The body exceeds ${limit} bytes`, {
    status: 413,
    data: { limit, unit: "bytes" },
  });
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

/** Whether a web page of this origin may call. */
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

type Sending = Pick<EndpointOptions, "corsOrigins" | "keepUnread">;

function send(request: IncomingMessage, response: ServerResponse, reply: Reply, options: Sending): void {
  // A short body that came with its head is here as soon as the parser goes on.
  if (hasUnreadBody(request)) setImmediate(() => write(request, response, reply, options));
  else write(request, response, reply, options);
}

function write(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, cache, headers }: Reply,
  { corsOrigins, keepUnread }: Sending,
): void {
  const fields = ["server", "zoneward"];
  const bytes = body === undefined ? 0 : Buffer.byteLength(body);
  if (body !== undefined) fields.push("content-type", "application/json", "content-length", String(bytes));
  if (cache !== undefined) fields.push("x-cache", cache);
  const isUnread = hasUnreadBody(request);
  // A body that nobody reads would hold the connection.
  if (isUnread) fields.push("connection", "close");
  for (const name in headers) fields.push(name, headers[name] as string);
  const cors = corsHeaders(request, corsOrigins);
  for (const name in cors) fields.push(name, cors[name] as string);
  // What is ASCII, as almost every answer, is the same in both and written faster so.
  const encoding = bytes === body?.length ? "latin1" : "utf8";
  response.writeHead(status, fields);
  const shown = request.method === "HEAD" ? undefined : body;
  if (isUnread) {
    if (shown === undefined) response.flushHeaders();
    else response.write(shown, encoding);
    void forgetBody(request).then(() => response.end());
  } else if (shown === undefined || bytes <= pieceBytes) response.end(shown, encoding);
  else endWith(response, Buffer.from(shown, encoding), (left) => keepUnread(request.socket, left));
}
