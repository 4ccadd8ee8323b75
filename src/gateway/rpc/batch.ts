import { FixedWindowLimiter } from "../../core/fixed-window-limiter.ts";
import type { CacheOutcome } from "../cache/cached-source.ts";
import type { Party } from "../chain/chain-source.ts";
import { RpcError, rpcErrors } from "../chain/errors.ts";
import { errorResponse, parseBody, type Call, type MalformedCall } from "../chain/json-rpc.ts";
import type { CallResponse, Dispatch } from "./dispatch.ts";

/** Bounds of requests and answers; `gateway_*_max` of the settings. */
export interface GatewayLimits {
  readonly bodyBytesMax: number;
  readonly responseBytesMax: number;
  readonly batchCallsMax: number;
}

export interface NetworkService {
  readonly dispatch: Dispatch;
  /** For every answer: the deprecation of the network, if any. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The answer to one request. */
export interface Reply {
  readonly status: number;
  /** Undefined if all calls were notifications, which get no response. */
  readonly body: string | undefined;
  /** `PARTIAL` if the calls of a batch differ; undefined if no call got as far as the cache. */
  readonly cache?: CacheOutcome | "PARTIAL" | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

interface ReplyOptions {
  readonly limits: GatewayLimits;
  readonly grant: (calls: number) => Grant;
  /** The party whose share the calls use. */
  readonly party: Party;
}

/**
 * Answers a body: a batch call by call, an error of the whole body once. The answer never exceeds `responseBytesMax`.
 */
export async function replyTo(
  text: string,
  { dispatch, headers }: NetworkService,
  options: ReplyOptions,
): Promise<Reply> {
  const { responseBytesMax, batchCallsMax } = options.limits;
  const { isBatch, entries } = parseBody(text, batchCallsMax);
  const [single] = entries;
  const { calls: granted, retrySeconds } = options.grant(entries.length);
  if (granted === 0) {
    return errorReply(rpcErrors.tooManyCalls(retrySeconds), isBatch ? undefined : single?.id);
  }
  if (!isBatch && single !== undefined) {
    return singleReply(await dispatch(single, options.party), headers, responseBytesMax);
  }
  const fit = fitWithin(responseBytesMax, entries);
  if (fit === undefined) return errorReply(rpcErrors.responseTooLarge(responseBytesMax));
  const tooManyCalls = rpcErrors.tooManyCalls(retrySeconds);
  const responses = await Promise.all(
    entries.map(async (entry, index) =>
      fit(await dispatch(index < granted ? entry : { id: entry.id, error: tooManyCalls }, options.party)),
    ),
  );
  return batchReply(responses, headers);
}

/** The answer to a body that is refused as a whole. */
export function errorReply({ status, text, headers }: RpcError, id = "null"): Reply {
  return { status, body: errorResponse(id, text), headers };
}

/** The JSON of the id of a body that is a single call, else `null`. */
export function singleId(text: string, batchCallsMax: number): string {
  const { isBatch, entries } = parseBody(text, batchCallsMax);
  return (isBatch ? undefined : entries[0]?.id) ?? "null";
}

/**
 * Returns a function that keeps the responses of a batch within `bytesMax`: it replaces one that does not fit by an
 * error, for which room is reserved. Undefined if there is no room for the errors alone.
 */
function fitWithin(
  bytesMax: number,
  entries: readonly (Call | MalformedCall)[],
): ((response: CallResponse) => CallResponse) | undefined {
  const { text: errorText } = rpcErrors.responseTooLarge(bytesMax);
  const errorFor = (id: string | undefined): string => (id === undefined ? "" : errorResponse(id, errorText));
  const brackets = 2;
  const comma = 1;
  let bytes = entries.reduce((sum, { id }) => sum + Buffer.byteLength(errorFor(id)) + comma, brackets);
  if (bytes > bytesMax) return undefined;
  return (response) => {
    const { id, text } = response;
    if (text === undefined) return response;
    const error = errorFor(id);
    const more = Buffer.byteLength(text) - Buffer.byteLength(error);
    if (bytes + more > bytesMax) return { ...response, text: error };
    bytes += more;
    return response;
  };
}

function singleReply(
  { id, text, error, cache }: CallResponse,
  headers: NetworkService["headers"],
  bytesMax: number,
): Reply {
  if (text === undefined) return { status: 204, body: undefined, cache, headers };
  if (exceeds(bytesMax, text)) {
    const tooLarge = rpcErrors.responseTooLarge(bytesMax);
    const withId = errorReply(tooLarge, id);
    const isIdTooLong = exceeds(bytesMax, withId.body ?? "");
    return { ...(isIdTooLong ? errorReply(tooLarge) : withId), cache, headers };
  }
  if (error === undefined) return { status: 200, body: text, cache, headers };
  return { status: error.status, body: text, cache, headers: { ...headers, ...error.headers } };
}

/** UTF-8 takes at most three bytes per UTF-16 code unit, so most texts need not be measured. */
function exceeds(bytesMax: number, text: string): boolean {
  return text.length * 3 > bytesMax && Buffer.byteLength(text) > bytesMax;
}

function batchReply(responses: readonly CallResponse[], headers: NetworkService["headers"]): Reply {
  const cache = cacheOutcome(responses);
  const texts = responses.flatMap(({ text }) => text ?? []);
  if (texts.length === 0) return { status: 204, body: undefined, cache, headers };
  return { status: 200, body: `[${texts.join(",")}]`, cache, headers };
}

function cacheOutcome(responses: readonly CallResponse[]): Reply["cache"] {
  const [first, ...others] = new Set(responses.map(({ cache }) => cache));
  return others.length > 0 ? "PARTIAL" : first;
}

/** The answer to a client that wants to make calls. */
export interface Grant {
  readonly calls: number;
  readonly retrySeconds: number;
}

export interface RateLimit {
  /** Counts calls of a client. The limiter remembers it in the share of its party. */
  readonly count: (clientOf: () => string, calls: number, party: Party) => Grant;
  readonly forget: () => void;
}

const minute = 60_000;

/** Lets each client make `callsPerMinute` calls in a minute that begins with its first one; 0 for no limit. */
export function createRateLimit(callsPerMinute: number, now: () => Date): RateLimit {
  if (callsPerMinute === 0) {
    return { count: (_, calls) => ({ calls, retrySeconds: 0 }), forget: () => undefined };
  }
  const limiter = new FixedWindowLimiter({ quota: callsPerMinute, windowMs: minute });
  return {
    count: (clientOf, calls, party) => {
      const client = clientOf();
      const nowMs = now().getTime();
      for (let granted = 0; granted < calls; granted += 1) {
        const { isExceeded, resetsAt } = limiter.count(client, nowMs, 1, [party]);
        if (isExceeded) return { calls: granted, retrySeconds: Math.ceil((resetsAt - nowMs) / 1000) };
      }
      return { calls, retrySeconds: 0 };
    },
    forget: () => limiter.clear(),
  };
}
