import { codes, RpcError, type Call } from "./json-rpc.ts";
import type { NetworkSettings, RangeLimits } from "../networks.ts";
import { soon, type Soon } from "../soon.ts";

/** The methods that the public service documents as supported. */
const documented = [
  "web3_clientVersion",
  "web3_sha3",
  "net_version",
  "net_listening",
  "eth_syncing",
  "eth_mining",
  "eth_gasPrice",
  "eth_feeHistory",
  "eth_blockNumber",
  "eth_chainId",
  "eth_getBalance",
  "eth_getStorageAt",
  "eth_getTransactionCount",
  "eth_getBlockTransactionCountByHash",
  "eth_getBlockTransactionCountByNumber",
  "eth_getUncleCountByBlockHash",
  "eth_getUncleCountByBlockNumber",
  "eth_getCode",
  "eth_sendRawTransaction",
  "eth_call",
  "eth_estimateGas",
  "eth_getBlockByHash",
  "eth_getBlockByNumber",
  "eth_getTransactionByHash",
  "eth_getTransactionByBlockHashAndIndex",
  "eth_getTransactionByBlockNumberAndIndex",
  "eth_getTransactionReceipt",
  "eth_getUncleByBlockHashAndIndex",
  "eth_getUncleByBlockNumberAndIndex",
  "eth_getLogs",
  "eth_getWork",
  "eth_getProof",
  "trace_filter",
] as const;

/** Beyond them, what current client libraries send of their own accord. */
const expectedByClients = [
  "eth_maxPriorityFeePerGas",
  "eth_blobBaseFee",
  "eth_getBlockReceipts",
  "eth_createAccessList",
  "eth_simulateV1",
] as const;

export const supportedMethods: ReadonlySet<string> = new Set([...documented, ...expectedByClients]);

/** Only on a WebSocket. */
const subscriptionMethods: ReadonlySet<string> = new Set(["eth_subscribe", "eth_unsubscribe"]);

/** Answers whether a network lets a method through. */
export function methodPolicy({ methods }: Pick<NetworkSettings, "methods">): (method: string) => boolean {
  const allowed = new Set([...supportedMethods, ...methods.allow]);
  for (const method of methods.refuse) allowed.delete(method);
  return (method) => allowed.has(method);
}

/** The refusal of a method that the network does not serve; `status` is that of a single call. */
export function refusedMethod(method: string, status: 200 | 403): RpcError {
  const reason = subscriptionMethods.has(method)
    ? `The method ${shown(method)} needs a WebSocket`
    : `The method ${shown(method)} does not exist or is not available`;
  return new RpcError(codes.methodNotFound, reason, { status });
}

/** A name that a client made up, short enough for a message. */
function shown(method: string): string {
  return method.length <= 64 ? method : `${method.slice(0, 64)}...`;
}

/**
 * Refuses a call that asks for more than the limits allow: -32602, which clients do not send again, with the limit
 * in message and data. `head` is the newest block, asked for only where a tag stands in for a number.
 */
export function refuseWideRange(
  { method, params }: Call,
  limits: RangeLimits,
  head: () => Promise<number>,
): Soon<void> {
  switch (method) {
    case "eth_getLogs":
      return refuseWideLogs(method, membersOf(params[0]), limits.logBlocksMax, head);
    case "trace_filter": {
      const { count, fromBlock, toBlock } = membersOf(params[0]);
      // Erigon and Reth begin with the first block where none is named, and take no hash of one.
      const range = { fromBlock: fromBlock ?? "earliest", toBlock };
      return soon(refuseManyBlocks(method, range, limits.traceBlocksMax, head), () =>
        refuseMoreThan(method, "count", numberOf(count) ?? 0, limits.traceCountMax),
      );
    }
    case "eth_feeHistory":
      return refuseMoreThan(method, "blocks", numberOf(params[0]) ?? 0, limits.feeHistoryBlocksMax);
    default:
  }
}

function refuseWideLogs(
  method: string,
  { fromBlock, toBlock, blockHash }: Members,
  most: number,
  head: () => Promise<number>,
): Soon<void> {
  // Null is what some clients send for what they do not set, and nodes take it as such.
  if (blockHash !== undefined && blockHash !== null) return;
  return refuseManyBlocks(method, { fromBlock, toBlock }, most, head);
}

/** What is not named, or by a tag that follows the chain, counts as the newest block. */
function refuseManyBlocks(
  method: string,
  { fromBlock, toBlock }: { readonly fromBlock: unknown; readonly toBlock: unknown },
  most: number,
  head: () => Promise<number>,
): Soon<void> {
  const [from, to] = [fromBlock, toBlock].map(blockNumberOf);
  if (from === undefined && to === undefined) return;
  return soon(from === undefined || to === undefined ? head() : 0, (newest) =>
    refuseMoreThan(method, "blocks", (to ?? newest) - (from ?? newest) + 1, most),
  );
}

function refuseMoreThan(method: string, what: "blocks" | "count", requested: number, limit: number): void {
  if (requested <= limit) return;
  const message = `${method} is limited to ${what === "count" ? `a count of ${limit}` : `${limit} blocks`}; ${requested} were asked for`;
  throw new RpcError(codes.invalidParams, message, { data: { method, limit, requested, unit: what } });
}

type Members = Readonly<Record<string, unknown>>;

function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null ? (value as Members) : {};
}

/** A quantity: in hexadecimal, or a decimal number or text, which nodes take as well. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^(?:0x[0-9a-f]+|\d+)$/i.test(value) ? Number(value) : undefined;
}

/** The number of a block parameter; undefined for a tag that follows the chain. */
function blockNumberOf(block: unknown): number | undefined {
  return block === "earliest" ? 0 : numberOf(block);
}
