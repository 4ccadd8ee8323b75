import { rpcErrors } from "./errors.ts";
import type { Call } from "./json-rpc.ts";
import type { NetworkSettings } from "./networks.ts";

export interface NodeAnswer {
  /** The JSON of the result or the error object, byte for byte as the node sent it. */
  readonly text: string;
  readonly value: unknown;
  /** The code of the error object; undefined for a result. */
  readonly errorCode: number | undefined;
}

/** The newest known block of a chain. */
export interface ChainHead {
  readonly number: number;
  /** The newest block that cannot be replaced any more. */
  readonly finalized: number;
  /** The time at which a node reported the head, in milliseconds of `performance.now()`. */
  readonly seenAtMs: number;
}

export type ChainCall = Pick<Call, "method" | "params" | "paramsText">;

/** The caller whose share of what a network bounds a call uses; empty for the gateway itself. */
export type Party = string;

/** Answers the calls to a network. */
export interface ChainSource {
  /** Errors: `RpcError` if no node answers. An error of a node is an answer. */
  readonly call: (call: ChainCall) => Promise<NodeAnswer>;
  /** The newest block; asks a node unless it was asked recently. Errors: `RpcError`. */
  readonly head: () => Promise<ChainHead>;
  /** The newest block that is known without asking. */
  readonly lastHead: () => ChainHead | undefined;
  /** Registers a listener, which is called with the lowest number of the blocks that were replaced. */
  readonly onReorganisation: (listener: (from: number) => void) => void;
  /** Registers a listener for new blocks, where the source learns of them without asking. */
  readonly onNewBlock?: (listener: () => void) => void;
  readonly close: () => Promise<void>;
}

export function chainCall(method: string, ...params: readonly unknown[]): ChainCall {
  return { method, params, paramsText: JSON.stringify(params) };
}

export function resultAnswer(value: unknown): NodeAnswer {
  return { text: JSON.stringify(value), value, errorCode: undefined };
}

/** An error that the gateway itself makes in place of a node. */
export function errorAnswer(error: {
  readonly code: number;
  readonly message: string;
  readonly data?: string;
}): NodeAnswer {
  return { text: JSON.stringify(error), value: error, errorCode: error.code };
}

/** The source of a network without upstreams: it answers every call with an error that names the setting. */
export function unconfiguredSource({ name }: NetworkSettings): ChainSource {
  const refuse = (): Promise<never> => Promise.reject(rpcErrors.noUpstreamConfigured(name));
  return {
    call: refuse,
    head: refuse,
    lastHead: () => undefined,
    onReorganisation: () => undefined,
    close: () => Promise.resolve(),
  };
}
