import type { Logger } from "pino";

import type { CachedAnswer, CachedSource, CacheOutcome } from "../cache/cached-source.ts";
import type { GatewayMetrics } from "../gateway-metrics.ts";
import { codes, errorResponse, resultResponse, RpcError, type Call, type Malformed } from "./json-rpc.ts";
import { methodPolicy, refusedMethod, refuseWideRange } from "./methods.ts";
import type { NetworkSettings } from "../networks.ts";
import { recovering, soon, type Soon } from "../soon.ts";

/** The answer to one entry of a body. */
export interface Answered {
  readonly id: string | undefined;
  /** Undefined for a notification. */
  readonly response: string | undefined;
  /** What went wrong in the gateway itself; undefined for results and for what a node answered. */
  readonly error: RpcError | undefined;
  /** Undefined where nothing was asked of the chain. */
  readonly cache: CacheOutcome | undefined;
}

export interface DispatchOptions {
  readonly network: NetworkSettings;
  readonly source: CachedSource;
  /** Status of a single call whose method is refused. */
  readonly refusalStatus: 200 | 403;
  readonly metrics: GatewayMetrics;
  readonly logger: Logger;
}

/** Answers a call and never throws; synchronously if the answer is cached. */
export type Dispatch = (entry: Call | Malformed) => Soon<Answered>;

/** Makes what answers the calls to one network: policy first, then cache and chain. */
export function createDispatch(options: DispatchOptions): Dispatch {
  const { network, source, metrics } = options;
  const isAllowed = methodPolicy(network);
  const newestBlock = async (): Promise<number> => (await source.head()).number;

  const ask = (call: Call): Soon<CachedAnswer> => {
    if (!isAllowed(call.method)) throw refusedMethod(call.method, options.refusalStatus);
    return soon(refuseWideRange(call, network.limits, newestBlock), () => source.call(call));
  };

  return (entry) => {
    const beganMs = performance.now();
    const method = "method" in entry ? entry.method : "none";
    const count = (cache: CacheOutcome | "NONE", outcome: string): void =>
      metrics.called(network.name, method, cache, outcome, (performance.now() - beganMs) / 1000);

    const answer = ({ answer: { text, errorCode }, outcome }: CachedAnswer): Answered => {
      const render = errorCode === undefined ? resultResponse : errorResponse;
      count(outcome, errorCode === undefined ? "ok" : errorClass(errorCode));
      const response = entry.id === undefined ? undefined : render(entry.id, text);
      return { id: entry.id, response, error: undefined, cache: outcome };
    };
    const refuse = (failure: unknown): Answered => {
      const error = failure instanceof RpcError ? failure : unforeseen(failure, options.logger);
      count("NONE", errorClass(error.code));
      const response = entry.id === undefined ? undefined : errorResponse(entry.id, error.text);
      return { id: entry.id, response, error, cache: undefined };
    };

    return "method" in entry ? recovering(() => soon(ask(entry), answer), refuse) : refuse(entry.error);
  };
}

function unforeseen(error: unknown, logger: Logger): RpcError {
  logger.error({ err: error }, "unexpected error in the gateway");
  return new RpcError(codes.internalError, "Internal error");
}

/** The label of an error in metrics: there are few of them, whatever codes nodes make up. */
function errorClass(code: number): string {
  switch (code) {
    case codes.reverted:
      return "reverted";
    case codes.parseError:
    case codes.invalidRequest:
      return "malformed";
    case codes.methodNotFound:
    case codes.notSupported:
      return "method";
    case codes.invalidParams:
      return "params";
    case codes.unavailable:
      return "unavailable";
    case codes.limitExceeded:
      return "limit";
    case codes.internalError:
      return "internal";
    default:
      return "node";
  }
}
