import { lookup } from "node:dns";

import type { Dispatcher, Pool } from "undici";

import type { ChainCall, NodeAnswer } from "./chain-source.ts";
import { lookupAllowed } from "./denied-addresses.ts";
import { memberTexts } from "./json-slices.ts";
import type { UpstreamSettings } from "./networks.ts";

/** Why a request to an upstream brought no answer; the label in metrics. */
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
  /** How long it asked to be left alone, in milliseconds. */
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

const connectionsMax = 128;

/** The node at a URL, whose credentials go into a header. Its connections are made when they are first needed. */
export function createUpstream(settings: UpstreamSettings, options: UpstreamOptions): Upstream {
  const { origin, pathname, search, username, password } = new URL(settings.url);
  let pool: Promise<Pool> | undefined;
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
    send: async ({ method, paramsText }, timeoutMs, signal) => {
      const id = (lastId += 1);
      const body = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${paramsText}}`;
      const request: Dispatcher.DispatchOptions = { method: "POST", path: pathname + search, headers, body };
      pool ??= openPool(origin, options);
      return readAnswer(await post(await pool, request, options.responseBytesMax, timeoutMs, signal), id);
    },
    close: async () => (await pool)?.destroy(),
  };
}

/** Loads the client with the first request: a start that serves no upstream goes without it. */
async function openPool(origin: string, { allowLinkLocal }: UpstreamOptions): Promise<Pool> {
  const { Pool: ClientPool } = await import("undici");
  return new ClientPool(origin, {
    connections: connectionsMax,
    // Attempts have a clock of their own.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: 10_000, lookup: allowLinkLocal ? lookup : lookupAllowed },
  });
}

interface HttpAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

/** Posts by `dispatch`, which costs a third less than `fetch` and its like. Errors: `UpstreamFailure`. */
function post(
  pool: Pool,
  request: Dispatcher.DispatchOptions,
  bytesMax: number,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let status = 0;
    let retryAfter: string | undefined;
    let abort: ((reason: Error) => void) | undefined;
    let failure: UpstreamFailure | undefined;
    const giveUp = (reason: UpstreamFailure): void => {
      failure ??= reason;
      // A request that still waits for a connection has no controller yet; it is aborted when it gets one.
      abort?.(failure);
      end();
      reject(failure);
    };
    const timer = setTimeout(
      () => giveUp(new UpstreamFailure("timeout", `no answer in ${timeoutMs} ms`)),
      timeoutMs,
    );
    const onAbort = (): void => giveUp(new UpstreamFailure("given-up", "another upstream was faster"));
    signal?.addEventListener("abort", onAbort, { once: true });
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };

    pool.dispatch(request, {
      onRequestStart: (controller) => {
        abort = (reason) => controller.abort(reason);
        if (failure !== undefined) abort(failure);
      },
      onResponseStart: (_, statusCode, headers) => {
        status = statusCode;
        retryAfter = [headers["retry-after"]].flat()[0];
      },
      onResponseData: (_, chunk) => {
        bytes += chunk.length;
        if (bytes > bytesMax) giveUp(new UpstreamFailure("too-large", `more than ${bytesMax} bytes`));
        else chunks.push(chunk);
      },
      onResponseEnd: () => {
        end();
        const text = (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString();
        resolve({ status, retryAfter, text });
      },
      onResponseError: (_, error) => {
        end();
        reject(failure ?? new UpstreamFailure("connection", describe(error)));
      },
    });
  });
}

/** What happened to a connection; its address is left out, as it may be a secret. */
function describe(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

/** Statuses under which a node may still say what is wrong with a call. */
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
  if (typeof response !== "object" || response === null || Array.isArray(response))
    throw new UpstreamFailure("malformed", "the answer is no JSON-RPC response");
  const { id: answered, result, error } = response as Record<string, unknown>;
  if (error !== undefined && error !== null) {
    const errorCode = codeOf(error);
    // A node that cannot read a request answers with id null.
    if (errorCode === undefined || (answered !== id && answered !== null))
      throw new UpstreamFailure("malformed", "the answer is an error of another call or of no known form");
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

function secondsOf(retryAfter: string | undefined): number {
  return retryAfter !== undefined && /^\d{1,5}$/.test(retryAfter) ? Number(retryAfter) : 0;
}
