import type { ChainCall, ChainHead } from "../chain/chain-source.ts";

/**
 * The block that the answer to a call depends on. `nothing`: it never changes. `block`: the block with this number.
 * `result`: the block that the answer itself names.
 */
export type Dependence =
  | { readonly kind: "nothing" }
  | { readonly kind: "block"; readonly number: number }
  | { readonly kind: "result" };

/** Methods whose answers never change. */
const constant = new Set([
  "eth_chainId",
  "net_version",
  "web3_sha3",
  "eth_getBlockByHash",
  "eth_getBlockTransactionCountByHash",
  "eth_getUncleCountByBlockHash",
  "eth_getTransactionByBlockHashAndIndex",
  "eth_getUncleByBlockHashAndIndex",
]);

/** Index of the block among the parameters. */
const blockPosition: Readonly<Record<string, number>> = {
  eth_getBlockByNumber: 0,
  eth_getBlockTransactionCountByNumber: 0,
  eth_getUncleCountByBlockNumber: 0,
  eth_getTransactionByBlockNumberAndIndex: 0,
  eth_getUncleByBlockNumberAndIndex: 0,
  eth_getBlockReceipts: 0,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_call: 1,
  eth_estimateGas: 1,
  eth_createAccessList: 1,
  eth_feeHistory: 1,
  eth_getStorageAt: 2,
  eth_getProof: 2,
};

const blockHash = /^0x[0-9a-f]{64}$/i;
const quantity = /^0x[0-9a-f]{1,13}$/i;

/**
 * Finds the block that the answer to a call depends on; undefined if it must not be cached, as for a tag such as
 * `latest`.
 */
export function dependenceOf({ method, params }: ChainCall): Dependence | undefined {
  if (constant.has(method)) return { kind: "nothing" };
  if (method === "eth_getTransactionByHash" || method === "eth_getTransactionReceipt")
    return { kind: "result" };
  if (method === "eth_getLogs") return dependenceOfLogs(params[0]);
  if (method === "trace_filter") return dependenceOfRange(params[0]);
  const position = blockPosition[method];
  return position === undefined ? undefined : dependenceOfBlock(params[position]);
}

function dependenceOfBlock(block: unknown): Dependence | undefined {
  if (typeof block === "string") {
    // A tag is neither: it moves with the chain.
    if (blockHash.test(block)) return { kind: "nothing" };
    return quantity.test(block) ? { kind: "block", number: Number(block) } : undefined;
  }
  if (typeof block !== "object" || block === null) return undefined;
  // EIP-1898. Whether a block is canonical can change; its content cannot.
  const { blockHash: hash, blockNumber, requireCanonical } = block as Record<string, unknown>;
  if (hash !== undefined && requireCanonical !== true) return dependenceOfBlock(hash);
  return hash === undefined && typeof blockNumber === "string" ? dependenceOfBlock(blockNumber) : undefined;
}

function dependenceOfLogs(filter: unknown): Dependence | undefined {
  const { blockHash: hash } = (filter ?? {}) as Record<string, unknown>;
  return hash === undefined ? dependenceOfRange(filter) : dependenceOfBlock(hash);
}

function dependenceOfRange(filter: unknown): Dependence | undefined {
  if (typeof filter !== "object" || filter === null) return undefined;
  const { fromBlock, toBlock } = filter as Record<string, unknown>;
  const [from, to] = [dependenceOfBlock(fromBlock), dependenceOfBlock(toBlock)];
  return from?.kind === "block" && to?.kind === "block" ? to : undefined;
}

/**
 * The block that an answer depends on, 0 for none. Undefined if the answer must not be cached: it says that something
 * does not exist (yet), or its block is above the newest one.
 */
export function blockOfAnswer(dependence: Dependence, value: unknown, head: ChainHead): number | undefined {
  if (value === null) return undefined;
  const block = blockOf(dependence, value);
  if (block === undefined || block > head.number) return undefined;
  return isEmpty(value) && block > head.finalized ? undefined : block;
}

function blockOf(dependence: Dependence, value: unknown): number | undefined {
  if (dependence.kind === "nothing") return 0;
  if (dependence.kind === "block") return dependence.number;
  if (typeof value !== "object" || value === null) return undefined;
  const { blockNumber } = value as { readonly blockNumber?: unknown };
  return typeof blockNumber === "string" && quantity.test(blockNumber) ? Number(blockNumber) : undefined;
}

function isEmpty(value: unknown): boolean {
  return value === "0x" || (Array.isArray(value) && value.length === 0);
}
