import type { Call } from "./rpc/json-rpc.ts";

/** What a node answers to one call. */
export interface NodeAnswer {
  /** The JSON of the result, or of the error object, byte for byte as the node wrote it. */
  readonly text: string;
  /** The same, parsed. */
  readonly value: unknown;
  /** The code of the error object; undefined for a result. */
  readonly errorCode: number | undefined;
}

/** How far a chain is known to reach. */
export interface ChainHead {
  readonly number: number;
  /** Blocks up to this one cannot be replaced any more. */
  readonly finalized: number;
  /** When a node said so, in milliseconds of `performance.now()`. */
  readonly seenAtMs: number;
}

export type ChainCall = Pick<Call, "method" | "params" | "paramsText">;

/** Where the answers of a network come from. */
export interface ChainSource {
  /** Errors: `RpcError` where no node answers; what a node refuses is an answer. */
  readonly call: (call: ChainCall) => Promise<NodeAnswer>;
  /** The newest block, asked for where it is not known well enough. Errors: `RpcError`. */
  readonly head: () => Promise<ChainHead>;
  /** The newest block as far as it is known. */
  readonly lastHead: () => ChainHead | undefined;
  /** Calls `listener` with the lowest number of blocks that were replaced. */
  readonly onReorganisation: (listener: (from: number) => void) => void;
  /** Calls `listener` when there is a new block, where that is known without asking. */
  readonly onNewBlock?: (listener: () => void) => void;
  readonly close: () => Promise<void>;
}

/** A call that the gateway makes for itself. */
export function chainCall(method: string, ...params: readonly unknown[]): ChainCall {
  return { method, params, paramsText: JSON.stringify(params) };
}
