import type { CacheOutcome } from "./cached-source.ts";
import type { Answered, Dispatch } from "./dispatch.ts";
import { codes, errorResponse, readBody, responseTooLarge, RpcError, type ReceivedBody } from "./json-rpc.ts";
import { recovering, soon, type Soon } from "./soon.ts";

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
  /** Finds what answers. Errors: `RpcError`, which then is the answer to every call. */
  readonly serve: () => Soon<Served>;
  /** How many of that many calls the client may make now. */
  readonly grant: (calls: number) => number;
}

/** Answers a body. Whatever is wrong with it, every call in it gets its own answer, as a batch if it came as one. */
export function replyTo(text: string, { limits, serve, grant }: ReplyOptions): Soon<Reply> {
  const received = receive(text);
  const answer = (served: Served): Soon<Reply> => {
    const size = received.entries.length;
    if (size > limits.batchCallsMax) throw oversized(size, limits.batchCallsMax);
    const granted = grant(size);
    if (granted === 0) throw tooManyCalls();
    return dispatchAll(served, received, granted, limits.responseBytesMax);
  };
  return recovering(
    () => soon(serve(), answer),
    (error) => {
      if (error instanceof RpcError) return refuseAll(received, error);
      throw error;
    },
  );
}

/** A body that cannot be read stands for one call that is malformed: who asks and where is judged before it. */
function receive(text: string): ReceivedBody {
  try {
    return readBody(text);
  } catch (error) {
    if (error instanceof RpcError) return { isBatch: false, entries: [{ id: "null", error }] };
    throw error;
  }
}

function dispatchAll(
  { dispatch, headers }: Served,
  { isBatch, entries }: ReceivedBody,
  granted: number,
  responseBytesMax: number,
): Soon<Reply> {
  const [single] = entries;
  if (!isBatch && single !== undefined)
    return soon(dispatch(single), (answered) => singleReply(answered, headers));
  const answers = entries.map(async (entry, index) =>
    dispatch(index < granted ? entry : { id: entry.id, error: tooManyCalls() }),
  );
  return Promise.all(answers).then((answered) => batchReply(answered, headers, responseBytesMax));
}

function singleReply({ response, error, cache }: Answered, headers: Served["headers"]): Reply {
  if (response === undefined) return { status: 204, body: undefined, cache, headers };
  if (error === undefined) return { status: 200, body: response, cache, headers };
  return { status: error.status, body: response, cache, headers: { ...headers, ...error.headers } };
}

function batchReply(answers: readonly Answered[], headers: Served["headers"], bytesMax: number): Reply {
  const cache = cacheOutcome(answers);
  if (answers.every(({ response }) => response === undefined))
    return { status: 204, body: undefined, cache, headers };
  return { status: 200, body: joinWithin(answers, bytesMax), cache, headers };
}

/** The answers of a batch, those past the limit replaced by errors: each element has an answer. */
function joinWithin(answers: readonly Answered[], bytesMax: number): string {
  let bytes = 2;
  const within = answers.flatMap(({ id, response }) => {
    if (id === undefined || response === undefined) return [];
    const size = Buffer.byteLength(response) + 1;
    if (bytes + size > bytesMax) return errorResponse(id, responseTooLarge(bytesMax).text);
    bytes += size;
    return response;
  });
  return `[${within.join(",")}]`;
}

function cacheOutcome(answers: readonly Answered[]): Reply["cache"] {
  const [first, ...others] = new Set(answers.map(({ cache }) => cache));
  return others.length > 0 ? "PARTIAL" : first;
}

/** The same refusal for every call of the body, which keeps its form. */
function refuseAll({ isBatch, entries }: ReceivedBody, refusal: RpcError): Reply {
  const { status, headers } = refusal;
  const responses = entries.flatMap((entry) => {
    // What is wrong with a call itself says more, but not before it is known who asks and where.
    const { text } = "error" in entry && status === 200 ? entry.error : refusal;
    return entry.id === undefined ? [] : [errorResponse(entry.id, text)];
  });
  const [single = errorResponse("null", refusal.text)] = responses;
  return { status, body: isBatch && responses.length > 0 ? `[${responses.join(",")}]` : single, headers };
}

function oversized(calls: number, limit: number): RpcError {
  return new RpcError(codes.invalidRequest, `A batch of ${calls} calls exceeds the limit of ${limit}`, {
    data: { limit, requested: calls, unit: "calls" },
  });
}

function tooManyCalls(): RpcError {
  return new RpcError(codes.limitExceeded, "Too many calls; see Retry-After", {
    status: 429,
    headers: { "retry-after": "1" },
  });
}
