import type { CacheOutcome } from "../cache/cached-source.ts";
import type { Answered, Dispatch } from "./dispatch.ts";
import {
  codes,
  errorResponse,
  readBody,
  responseTooLarge,
  RpcError,
  type Call,
  type Malformed,
  type ReceivedBody,
} from "./json-rpc.ts";
import { soon, type Soon } from "../soon.ts";

/** Bounds of what comes in and goes out; `gateway_*_max` of the settings. */
export interface GatewayLimits {
  readonly bodyBytesMax: number;
  readonly responseBytesMax: number;
  readonly batchCallsMax: number;
}

/** What stands behind one path. */
export interface Served {
  readonly dispatch: Dispatch;
  /** On every answer: that the network is about to end. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer as a whole. */
export interface Reply {
  readonly status: number;
  /** Undefined where there is nothing to say: only notifications were sent. */
  readonly body: string | undefined;
  /** How it came about: `PARTIAL` where the calls of a batch differ, undefined where nothing was asked of the chain. */
  readonly cache?: CacheOutcome | "PARTIAL" | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

interface ReplyOptions {
  readonly limits: GatewayLimits;
  /** How many of that many calls the client may make now. */
  readonly grant: (calls: number) => number;
}

/**
 * Answers a body: each call of a batch for itself, and once what is wrong with the body as a whole. The answer never
 * exceeds `responseBytesMax`. Errors: `RpcError`, which answers the whole body.
 */
export function replyTo(text: string, { dispatch, headers }: Served, options: ReplyOptions): Soon<Reply> {
  const { responseBytesMax, batchCallsMax } = options.limits;
  const { isBatch, entries } = receive(text, batchCallsMax);
  const [single] = entries;
  const granted = options.grant(entries.length);
  if (granted === 0) return refusalReply(tooManyCalls(), isBatch ? undefined : single?.id);
  if (!isBatch && single !== undefined) {
    return soon(dispatch(single), (answered) => singleReply(answered, headers, responseBytesMax));
  }
  const fit = fitWithin(responseBytesMax, entries);
  if (fit === undefined) return refusalReply(responseTooLarge(responseBytesMax));
  const late = tooManyCalls();
  const answers = entries.map(async (entry, index) =>
    fit(await dispatch(index < granted ? entry : { id: entry.id, error: late })),
  );
  return Promise.all(answers).then((answered) => batchReply(answered, headers));
}

/** The answer to a body that is refused as a whole. */
export function refusalReply({ status, text, headers }: RpcError, id = "null"): Reply {
  return { status, body: errorResponse(id, text), headers };
}

/** The id of a body that is a single call; `null`, as it is written in an answer, for anything else. */
export function singleId(text: string, batchCallsMax: number): string {
  const { isBatch, entries } = receive(text, batchCallsMax);
  return (isBatch ? undefined : entries[0]?.id) ?? "null";
}

/** A body that cannot be read stands for one call that is malformed, and counts as one. */
function receive(text: string, batchCallsMax: number): ReceivedBody {
  try {
    return readBody(text, batchCallsMax);
  } catch (error) {
    if (error instanceof RpcError) return { isBatch: false, entries: [{ id: "null", error }] };
    throw error;
  }
}

/**
 * Makes what keeps the answers of a batch within `bytesMax`: one that does not fit is replaced by an error, for which
 * there is room from the start. Undefined where there is not.
 */
function fitWithin(
  bytesMax: number,
  entries: readonly (Call | Malformed)[],
): ((answered: Answered) => Answered) | undefined {
  const { text } = responseTooLarge(bytesMax);
  const refusalOf = (id: string | undefined): string => (id === undefined ? "" : errorResponse(id, text));
  const brackets = 2;
  const comma = 1;
  let bytes = entries.reduce((sum, { id }) => sum + Buffer.byteLength(refusalOf(id)) + comma, brackets);
  if (bytes > bytesMax) return undefined;
  return (answered) => {
    const { id, response } = answered;
    if (response === undefined) return answered;
    const refusal = refusalOf(id);
    const more = Buffer.byteLength(response) - Buffer.byteLength(refusal);
    if (bytes + more > bytesMax) return { ...answered, response: refusal };
    bytes += more;
    return answered;
  };
}

function singleReply(
  { id, response, error, cache }: Answered,
  headers: Served["headers"],
  bytesMax: number,
): Reply {
  if (response === undefined) return { status: 204, body: undefined, cache, headers };
  if (isLongerThan(bytesMax, response)) {
    const refused = refusalReply(responseTooLarge(bytesMax), id);
    const isIdTooLong = isLongerThan(bytesMax, refused.body ?? "");
    return { ...(isIdTooLong ? refusalReply(responseTooLarge(bytesMax)) : refused), cache, headers };
  }
  if (error === undefined) return { status: 200, body: response, cache, headers };
  return { status: error.status, body: response, cache, headers: { ...headers, ...error.headers } };
}

/** No character takes more than three bytes for each of its units, so most texts need not be measured. */
function isLongerThan(bytesMax: number, text: string): boolean {
  return text.length * 3 > bytesMax && Buffer.byteLength(text) > bytesMax;
}

function batchReply(answers: readonly Answered[], headers: Served["headers"]): Reply {
  const cache = cacheOutcome(answers);
  const responses = answers.flatMap(({ response }) => response ?? []);
  if (responses.length === 0) return { status: 204, body: undefined, cache, headers };
  return { status: 200, body: `[${responses.join(",")}]`, cache, headers };
}

function cacheOutcome(answers: readonly Answered[]): Reply["cache"] {
  const [first, ...others] = new Set(answers.map(({ cache }) => cache));
  return others.length > 0 ? "PARTIAL" : first;
}

function tooManyCalls(): RpcError {
  return new RpcError(codes.limitExceeded, "Too many calls; see Retry-After", {
    status: 429,
    headers: { "retry-after": "1" },
  });
}
