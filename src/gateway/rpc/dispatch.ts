import type { Logger } from "pino";

import type { CachedSource, CacheOutcome } from "../cache/cached-source.ts";
import type { Party } from "../chain/chain-source.ts";
import type { GatewayMetrics } from "../chain/metrics.ts";
import type { NetworkSettings } from "../chain/networks.ts";
import { errorClass, RpcError, rpcErrors } from "../chain/errors.ts";
import { errorResponse, resultResponse, type Call, type MalformedCall } from "../chain/json-rpc.ts";
import { methodPolicy, rangeCheckOf, refusedMethod } from "../chain/methods.ts";

/** The response to one entry of a body. */
export interface CallResponse {
  readonly id: string | undefined;
  /** Its JSON; undefined for a notification. */
  readonly text: string | undefined;
  /** An error that the gateway made; undefined for a result, and for an error of a node. */
  readonly error: RpcError | undefined;
  /** Undefined for a call that did not get as far as the cache. */
  readonly cache: CacheOutcome | undefined;
}

export interface DispatchOptions {
  readonly network: NetworkSettings;
  readonly source: CachedSource;
  /** HTTP status of a single call whose method is refused. */
  readonly refusalStatus: 200 | 403;
  readonly metrics: GatewayMetrics;
  readonly logger: Logger;
}

/** Answers one call. Does not throw. */
export type Dispatch = (entry: Call | MalformedCall, party: Party) => Promise<CallResponse>;

/** Answers the calls to one network: checks the method policy, then asks the cache and the chain. */
export function createDispatch(options: DispatchOptions): Dispatch {
  const { network, source, metrics } = options;
  const isAllowed = methodPolicy(network);
  const newestBlock = async (): Promise<number> => (await source.head()).number;

  return async (entry, party) => {
    const beganMs = performance.now();
    const method = "method" in entry ? entry.method : "none";
    const { id } = entry;
    const count = (cache: CacheOutcome | "NONE", outcome: string): void =>
      metrics.called(network.name, method, cache, outcome, (performance.now() - beganMs) / 1000);
    try {
      if ("error" in entry) throw entry.error;
      if (!isAllowed(method)) throw refusedMethod(method, options.refusalStatus);
      const checkRange = rangeCheckOf(method);
      if (checkRange !== undefined) await checkRange(entry.params, network.limits, newestBlock);
      const answering = source.call(entry, party);
      const { text, errorCode, cache } = answering instanceof Promise ? await answering : answering;
      count(cache, errorCode === undefined ? "ok" : errorClass(errorCode));
      const render = errorCode === undefined ? resultResponse : errorResponse;
      return { id, text: id && render(id, text), error: undefined, cache };
    } catch (error) {
      const rpcError = error instanceof RpcError ? error : rpcErrors.internalError;
      if (error !== rpcError) options.logger.error({ err: error }, "unexpected error in the gateway");
      count("NONE", errorClass(rpcError.code));
      return { id, text: id && errorResponse(id, rpcError.text), error: rpcError, cache: undefined };
    }
  };
}
