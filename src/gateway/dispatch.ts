import type { Logger } from "pino";

import type { CachedSource, CacheOutcome } from "./cached-source.ts";
import type { GatewayMetrics } from "./gateway-metrics.ts";
import { codes, errorResponse, resultResponse, RpcError, type Call, type Malformed } from "./json-rpc.ts";
import { methodPolicy, refusedMethod, refuseWideRange } from "./methods.ts";
import type { NetworkSettings } from "./networks.ts";

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

/** Answers a call, whatever becomes of it: nothing is thrown. */
export type Dispatch = (entry: Call | Malformed) => Promise<Answered>;

/** Makes what answers the calls to one network: policy first, then cache and chain. */
export function createDispatch(options: DispatchOptions): Dispatch {
  const { network, source, metrics } = options;
  const isAllowed = methodPolicy(network);
  const newestBlock = async (): Promise<number> => (await source.head()).number;

  const ask = async (call: Call): Promise<Answered> => {
    if (!isAllowed(call.method)) throw refusedMethod(call.method, options.refusalStatus);
    await refuseWideRange(call, network.limits, newestBlock);
    const { answer, outcome } = await source.call(call);
    const isError = answer.errorCode !== undefined;
    const render = isError ? errorResponse : resultResponse;
    metrics.called(network.name, call.method, outcome, isError ? errorClass(answer.errorCode) : "ok");
    return {
      id: call.id,
      response: call.id === undefined ? undefined : render(call.id, answer.text),
      error: undefined,
      cache: outcome,
    };
  };

  return async (entry) => {
    const method = "method" in entry ? entry.method : "none";
    const began = performance.now();
    try {
      if (!("method" in entry)) throw entry.error;
      return await ask(entry);
    } catch (failure) {
      const error = failure instanceof RpcError ? failure : unforeseen(failure, options.logger);
      metrics.called(network.name, method, "NONE", errorClass(error.code));
      const response = entry.id === undefined ? undefined : errorResponse(entry.id, error.text);
      return { id: entry.id, response, error, cache: undefined };
    } finally {
      metrics.took(network.name, method, (performance.now() - began) / 1000);
    }
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
