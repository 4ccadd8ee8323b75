import type { IncomingMessage, ServerResponse } from "node:http";

import type { Identity } from "../core/caller.ts";
import type { Exchange, Listener } from "../core/test-controls/exchange.ts";
import type { Api } from "../http/server-options.ts";
import { createPathFinder, fullPath, knownPaths } from "../http/known-paths.ts";
import type { RouteDescription } from "../http/route.ts";
import { Capture } from "./capture.ts";

/** Finds the operation of a request by its method and path. */
export type FindOperation = (method: string, path: string) => RouteDescription | undefined;

export function operationFinder({ routes, basePath }: Pick<Api, "routes" | "basePath">): FindOperation {
  const findPaths = createPathFinder(knownPaths(routes, basePath));
  const byPattern = new Map(routes.map((route) => [`${route.method} ${fullPath(route, basePath)}`, route]));
  return (method, path) => {
    const [known] = findPaths(path);
    return known && byPattern.get(`${method === "HEAD" ? "GET" : method} ${known.pattern}`);
  };
}

interface Origin {
  readonly number: number;
  readonly listener: Listener;
  readonly at: number;
  readonly findOperation: FindOperation;
  /** Of the edge: the id of the zone that is visited. */
  readonly zoneId?: () => string | undefined;
}

/** Approximate bytes of an entry of the journal besides its bodies. */
const entryBytes = 1_500;

/** A request over HTTP and its answer, as they pass. What is not always asked for is found out when it is. */
export class HttpExchange implements Exchange {
  readonly number: number;
  readonly listener: Listener;
  readonly at: number;
  readonly method: string;
  /** As the client sent it. */
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body = new Capture();
  readonly answer = new Capture();
  token: string | undefined;
  caller: Identity | undefined;
  /** Undefined where the connection ended without an answer. */
  status: number | undefined;
  /** Media type of the answer. */
  contentType: string | undefined;
  /** Id of the fault that acted on it. */
  fault: string | undefined;
  ms = 0;
  readonly #findOperation: FindOperation;
  readonly #zoneId: Origin["zoneId"];
  /** Null where there is none; undefined until somebody asks. */
  #route: RouteDescription | null | undefined;
  readonly #beganMs = performance.now();

  constructor(request: IncomingMessage, { number, listener, at, findOperation, zoneId }: Origin) {
    this.number = number;
    this.listener = listener;
    this.at = at;
    this.method = request.method ?? "";
    this.url = request.url ?? "";
    this.headers = request.headers;
    this.#findOperation = findOperation;
    this.#zoneId = zoneId;
  }

  get path(): string {
    const query = this.url.indexOf("?");
    return query === -1 ? this.url : this.url.slice(0, query);
  }

  get query(): string {
    const query = this.url.indexOf("?");
    return query === -1 ? "" : this.url.slice(query + 1);
  }

  get route(): RouteDescription | undefined {
    if (this.listener !== "api") return undefined;
    this.#route ??= this.#findOperation(this.method, this.path) ?? null;
    return this.#route ?? undefined;
  }

  get operation(): string | undefined {
    return this.route?.operation;
  }

  get zone(): string | undefined {
    if (this.#zoneId !== undefined) return this.#zoneId();
    return /\/zones\/([0-9a-f]{32})(?:\/|$)/.exec(this.path)?.[1];
  }

  get bytes(): number {
    return entryBytes + this.url.length + this.body.kept + this.answer.kept;
  }

  /** Whether another request asked the same, as the same caller. */
  isLike(other: HttpExchange): boolean {
    const names = ["authorization", "x-auth-email", "x-auth-key", "cookie"] as const;
    return (
      other.method === this.method &&
      other.url === this.url &&
      names.every((name) => other.headers[name] === this.headers[name])
    );
  }

  /** Keeps what passes; calls `whenOver` once the answer was written or the connection is gone. */
  follow(request: IncomingMessage, response: ServerResponse, whenOver: () => void): void {
    if (
      request.headers["content-length"] !== undefined ||
      request.headers["transfer-encoding"] !== undefined
    ) {
      keepBody(request, this.body);
    }
    const { write, end } = response;
    response.write = ((...args: Parameters<typeof write>) => {
      this.answer.add(args[0]);
      return write.apply(response, args);
    }) as typeof write;
    response.end = ((...args: Parameters<typeof end>) => {
      this.answer.add(args[0]);
      return end.apply(response, args);
    }) as typeof end;
    response.once("close", () => {
      this.ms = performance.now() - this.#beganMs;
      if (response.headersSent) {
        this.status = response.statusCode;
        this.contentType = String(response.getHeader("content-type") ?? "");
      }
      whenOver();
    });
  }
}

/** Keeps a body when somebody else reads it: to read it here would be to take it away. */
function keepBody(request: IncomingMessage, body: Capture): void {
  const watch = (event: string | symbol): void => {
    if (event !== "data") return;
    request.off("newListener", watch);
    request.on("data", (part: Buffer) => body.add(part));
  };
  request.on("newListener", watch);
}
