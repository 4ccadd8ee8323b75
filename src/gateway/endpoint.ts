import { isUtf8 } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";

import { codes, errorResponse, RpcError } from "./json-rpc.ts";
import type { RateLimit } from "./rate-limit.ts";
import { replyTo, type GatewayLimits, type Reply, type Served } from "./replies.ts";

export interface EndpointOptions {
  /** Where networks lie: `/gateway/v1/`. */
  readonly prefix: string;
  /** Finds the network of a path segment. Errors: `RpcError` 404 where there is none, 410 where it has ended. */
  readonly find: (name: string) => Served;
  /** Errors: `RpcError` with status 401 or 403. */
  readonly authorize: (request: IncomingMessage) => Promise<void>;
  /** Who a request counts for. */
  readonly clientOf: (request: IncomingMessage) => string;
  readonly rateLimit: RateLimit;
  readonly limits: GatewayLimits;
  /** Origins of web pages that may call; `*` for any. */
  readonly corsOrigins: readonly string[];
  /** Told of every answer, with the time that it took. */
  readonly answered: (request: IncomingMessage, status: number, ms: number) => void;
}

export type Endpoint = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Answers `POST {prefix}{network}`. Whatever is wrong with a request, the answer is JSON-RPC. */
export function createEndpoint(options: EndpointOptions): Endpoint {
  const { limits, rateLimit } = options;

  const answer = async (request: IncomingMessage): Promise<Reply> => {
    if (request.method !== "POST") return refuseMethod(request);
    const text = await readText(request, limits.bodyBytesMax);
    return replyTo(text, {
      limits,
      serve: async () => {
        await options.authorize(request);
        return options.find(networkOf(request, options.prefix));
      },
      grant: (calls) => rateLimit(options.clientOf(request), calls),
    });
  };

  return async (request, response) => {
    const began = performance.now();
    let reply: Reply;
    try {
      reply = isPreflight(request) ? { status: 204, body: undefined } : await answer(request);
    } catch (error) {
      if (!(error instanceof RpcError)) {
        response.destroy();
        throw error;
      }
      reply = { status: error.status, body: errorResponse("null", error.text), headers: error.headers };
    }
    send(request, response, reply, corsHeaders(request, options.corsOrigins));
    options.answered(request, reply.status, performance.now() - began);
  };
}

function refuseMethod({ method }: IncomingMessage): Reply {
  const error = new RpcError(codes.invalidRequest, `${method} is not supported: send calls by POST`);
  return { status: 405, body: errorResponse("null", error.text), headers: { allow: "POST, OPTIONS" } };
}

/** The path's segment behind the prefix; a trailing slash is tolerated (decision 9). */
export function networkOf({ url = "" }: IncomingMessage, prefix: string): string {
  const [path = ""] = url.split("?", 1);
  return path.startsWith(prefix) ? path.slice(prefix.length).replace(/\/$/, "") : "";
}

/** The body as text, whatever its sender calls it. Errors: `RpcError`. */
async function readText(request: IncomingMessage, bytesMax: number): Promise<string> {
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") {
    throw new RpcError(codes.invalidRequest, "Compressed bodies are not supported", { status: 415 });
  }
  const body = await readBytes(request, bytesMax);
  if (!isUtf8(body)) throw new RpcError(codes.parseError, "Parse error: not UTF-8");
  return body.toString();
}

function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    if (Number(request.headers["content-length"] ?? 0) > bytesMax) {
      reject(bodyTooLarge(bytesMax));
      return;
    }
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) reject(bodyTooLarge(bytesMax));
      else chunks.push(chunk);
    });
    request.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.on("error", reject);
  });
}

function bodyTooLarge(limit: number): RpcError {
  return new RpcError(codes.invalidRequest, `The body exceeds ${limit} bytes`, {
    status: 413,
    data: { limit, unit: "bytes" },
    headers: { connection: "close" },
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

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, headers }: Reply,
  cors: Readonly<Record<string, string>>,
): void {
  // What is left of a body that nobody reads would hold the connection.
  if (!request.complete && request.method !== "POST") response.setHeader("connection", "close");
  if (body === undefined) {
    response.writeHead(status, { ...headers, ...cors, server: "zoneward" }).end();
    return;
  }
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    ...headers,
    ...cors,
    server: "zoneward",
  });
  response.end(request.method === "HEAD" ? undefined : body);
}
