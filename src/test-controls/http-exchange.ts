import type { IncomingMessage, ServerResponse } from "node:http";

import type { Identity } from "../core/policy/caller.ts";
import type { Exchange, Listener } from "../core/test-controls/exchange.ts";
import { upgraded } from "../wire/handshake.ts";
import type { RouteDescription } from "../api/route.ts";
import { Capture } from "./kept-entries.ts";
import type { FindOperation, Recorded } from "./journal-entry.ts";

interface Origin {
  readonly number: number;
  readonly listener: Listener;
  readonly at: number;
  readonly findOperation: FindOperation;
  /** Finds the visited zone, for requests to the edge. */
  readonly visited?: FindVisited;
}

/** Finds a zone of ours, with its account. */
export type FindVisited = () => { readonly id: string; readonly accountId: string } | undefined;

type RequestHead = Pick<IncomingMessage, "method" | "url" | "headers" | "rawHeaders">;

/**
 * A request over HTTP and its answer, as they pass. Parts that are not always needed are computed when they
 * are first read.
 */
export class HttpExchange implements Exchange, Recorded {
  readonly number: number;
  readonly listener: Listener;
  readonly at: number;
  readonly method: string;
  /** The URL as the client sent it. */
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body = new Capture();
  readonly answer = new Capture();
  token: string | undefined;
  identity: Identity | undefined;
  /** The status of the answer; undefined where the connection ended without one. */
  status: number | undefined;
  fault: string | undefined;
  ms = 0;
  readonly #findOperation: FindOperation;
  readonly #visited: Origin["visited"];
  /** Null where there is none, undefined until it is first read. */
  #route: RouteDescription | null | undefined;
  readonly rawHeaders: readonly string[];
  readonly #beganMs = performance.now();

  constructor(request: RequestHead, { number, listener, at, findOperation, visited }: Origin) {
    this.number = number;
    this.listener = listener;
    this.at = at;
    this.method = request.method ?? "";
    this.url = request.url ?? "";
    this.headers = request.headers;
    this.rawHeaders = request.rawHeaders;
    this.#findOperation = findOperation;
    this.#visited = visited;
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
    if (this.#visited !== undefined) return this.#visited()?.id;
    return /\/zones\/([0-9a-f]{32})(?:\/|$)/.exec(this.path)?.[1];
  }

  get zoneAccountId(): string | undefined {
    return this.#visited?.()?.accountId;
  }

  /** Marks the exchange as over; `status` is undefined where there was no answer. */
  end(status: number | undefined): void {
    this.ms = performance.now() - this.#beganMs;
    this.status = status;
  }

  /** Captures both bodies; calls `whenOver` once the answer was written or the connection is gone. */
  follow(request: IncomingMessage, response: ServerResponse, whenOver: () => void): void {
    const { headers } = request;
    if (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined) {
      keepBody(request, this.body);
    }
    const { write, end } = response;
    const keep =
      (send: (...args: never[]) => unknown) =>
      (part: unknown, encoding: unknown, done: unknown): unknown => {
        this.answer.add(part);
        return send.call(response, part as never, encoding as never, done as never);
      };
    response.write = keep(write) as typeof write;
    response.end = keep(end) as typeof end;
    const over = (status: number | undefined): void => {
      this.end(status);
      whenOver();
      // The objects of a request may outlive it until the next full garbage collection; its bodies need not.
      this.body.clear();
      this.answer.clear();
    };
    const onClose = (): void => over(response.headersSent ? response.statusCode : undefined);
    response.on("close", onClose);
    if (headers.upgrade === undefined) return;
    response.once(upgraded, () => {
      response.off("close", onClose);
      // A fault may end the connection first.
      setImmediate(() => over(request.socket.destroyed ? undefined : response.statusCode));
    });
  }
}

/** Captures a body while another reader reads it. Reading it here would take it away. */
function keepBody(request: IncomingMessage, body: Capture): void {
  const watch = (event: string | symbol): void => {
    if (event !== "data") return;
    request.off("newListener", watch);
    request.on("data", (part: Buffer) => body.add(part));
  };
  request.on("newListener", watch);
}
