import { lookup } from "node:dns";
import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher, Pool } from "undici";
import { isJsonObject } from "../../core/json.ts";
import type { ChainCall, NodeAnswer } from "../chain/chain-source.ts";
import { lookupAllowed } from "../../network/guarded-lookup.ts";
import { memberTexts } from "../chain/json-rpc.ts";
import type { UpstreamSettings } from "../chain/networks.ts";

/** The reason why a request to an upstream got no answer; a label in metrics. */
export type FailureKind =
  | "connection"
  | "timeout"
  | "status"
  | "rate-limited"
  | "malformed"
  | "too-large"
  | "wrong-chain"
  | "given-up";

export class UpstreamFailure extends Error {
  readonly kind: FailureKind;
  /** Milliseconds for which the upstream asked to get no requests. */
  readonly pauseMs: number;

  constructor(kind: FailureKind, detail: string, pauseMs = 0) {
    super(detail);
    this.name = "UpstreamFailure";
    this.kind = kind;
    this.pauseMs = pauseMs;
  }
}

/** One node behind a network, over HTTP. */
export interface Upstream {
  readonly name: string;
  readonly weight: number;
  /** One request, one attempt. Errors: `UpstreamFailure`. */
  readonly send: (call: ChainCall, timeoutMs: number, signal?: AbortSignal) => Promise<NodeAnswer>;
  readonly close: () => Promise<void>;
}

export interface UpstreamOptions {
  readonly allowLinkLocal: boolean;
  readonly responseBytesMax: number;
}

/** One connection for each of the calls that are asked at the same time (`cache/cached-source.ts`). */
const connectionsMax = 256;

/** A client of the node at a URL, whose credentials are sent in a header. Connections are opened on demand. */
export function createUpstream(settings: UpstreamSettings, options: UpstreamOptions): Upstream {
  const { responseBytesMax: bytesMax } = options;
  const { origin, pathname, search, username, password } = new URL(settings.url);
  let pool: Pool | Promise<Pool> | undefined;
  const basic = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  const headers = {
    "content-type": "application/json",
    accept: "application/json",
    ...(username !== "" && { authorization: `Basic ${basic.toString("base64")}` }),
    ...settings.headers,
  };
  let lastId = 0;

  return {
    name: settings.name,
    weight: settings.weight,
    send: ({ method, paramsText }, timeoutMs, signal) => {
      const id = (lastId += 1);
      const body = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${paramsText}}`;
      const request: Dispatcher.DispatchOptions = { method: "POST", path: pathname + search, headers, body };
      const post = (opened: Pool): Promise<NodeAnswer> =>
        exchange(opened, request, { id, bytesMax, timeoutMs, signal });
      pool ??= openPool(origin, options).then((opened) => (pool = opened));
      return pool instanceof Promise ? pool.then(post) : post(pool);
    },
    close: async () => (await pool)?.destroy(),
  };
}

/** The client is imported with the first request, which a server without upstreams never makes. */
async function openPool(origin: string, { allowLinkLocal }: UpstreamOptions): Promise<Pool> {
  const { Pool: ClientPool } = await import("undici");
  return new ClientPool(origin, {
    connections: connectionsMax,
    // Each attempt has a timeout of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: 10_000, lookup: allowLinkLocal ? lookup : lookupAllowed },
  });
}

interface HttpAnswer {
  readonly status: number;
  readonly retryAfter: string | string[] | undefined;
  readonly text: string;
}

interface ExchangeOptions {
  readonly id: number;
  readonly bytesMax: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Sends one request. `dispatch` is the fastest interface of undici. Errors: `UpstreamFailure`. */
function exchange(
  pool: Pool,
  request: Dispatcher.DispatchOptions,
  options: ExchangeOptions,
): Promise<NodeAnswer> {
  return new Promise((resolve, reject) => {
    pool.dispatch(request, new Exchange(options, resolve, reject));
  });
}

/** Receives the answer to one request. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #resolve: (answer: NodeAnswer) => void;
  readonly #reject: (failure: Error) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #failure: UpstreamFailure | undefined;
  #status = 0;
  #retryAfter: string | string[] | undefined;
  #bytes = 0;

  constructor(
    options: ExchangeOptions,
    resolve: (answer: NodeAnswer) => void,
    reject: (failure: Error) => void,
  ) {
    const { timeoutMs, signal } = options;
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(
      () => this.#fail(new UpstreamFailure("timeout", `no answer in ${timeoutMs} ms`)),
      timeoutMs,
    );
    signal?.addEventListener("abort", this, { once: true });
  }

  /** Called by the abort signal. */
  handleEvent(): void {
    this.#fail(new UpstreamFailure("given-up", "another upstream was faster"));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The request may have failed while it waited for a connection.
    if (this.#failure !== undefined) controller.abort(this.#failure);
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    { "retry-after": retryAfter }: IncomingHttpHeaders,
  ): void {
    this.#status = status;
    this.#retryAfter = retryAfter;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    const { bytesMax } = this.#options;
    this.#bytes += chunk.length;
    if (this.#bytes > bytesMax) this.#fail(new UpstreamFailure("too-large", `more than ${bytesMax} bytes`));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#end();
    const [first] = this.#chunks;
    const body = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    const answer = { status: this.#status, retryAfter: this.#retryAfter, text: body.toString() };
    try {
      this.#resolve(readAnswer(answer, this.#options.id));
    } catch (error) {
      this.#reject(error as UpstreamFailure);
    }
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#end();
    this.#reject(this.#failure ?? new UpstreamFailure("connection", describe(error)));
  }

  #fail(failure: UpstreamFailure): void {
    this.#failure ??= failure;
    this.#controller?.abort(this.#failure);
    this.#end();
    this.#reject(this.#failure);
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener("abort", this);
  }
}

/** Describes an error without the address, which may be a secret. */
function describe(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

/** Statuses with which nodes send JSON-RPC responses. */
const answeringStatuses = new Set([200, 400, 413, 422]);

function readAnswer({ status, retryAfter, text }: HttpAnswer, id: number): NodeAnswer {
  if (status === 429) throw new UpstreamFailure("rate-limited", "status 429", secondsOf(retryAfter) * 1000);
  if (!answeringStatuses.has(status)) throw new UpstreamFailure("status", `status ${status}`);
  let response: unknown;
  try {
    response = JSON.parse(text);
  } catch {
    throw new UpstreamFailure("malformed", "the answer is not JSON");
  }
  if (!isJsonObject(response))
    throw new UpstreamFailure("malformed", "the answer is not a JSON-RPC response");
  const { id: answered, result, error } = response;
  if (error !== undefined && error !== null) {
    const errorCode = codeOf(error);
    // A node that cannot parse a request answers with id null.
    if (errorCode === undefined || (answered !== id && answered !== null))
      throw new UpstreamFailure("malformed", "the answer is an error of another call, or of unknown form");
    return { text: memberTexts(text).get("error") ?? "null", value: error, errorCode };
  }
  if (answered !== id) throw new UpstreamFailure("malformed", "the answer is to another call");
  if (result === undefined) throw new UpstreamFailure("malformed", "the answer has neither result nor error");
  return { text: memberTexts(text).get("result") ?? "null", value: result, errorCode: undefined };
}

function codeOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { code, message } = error as Record<string, unknown>;
  return Number.isInteger(code) && typeof message === "string" ? (code as number) : undefined;
}

function secondsOf(retryAfter: string | string[] | undefined): number {
  const [first] = [retryAfter].flat();
  return first !== undefined && /^\d{1,5}$/.test(first) ? Number(first) : 0;
}
