import type { NetworkSettings, RangeLimits } from "./networks.ts";
import { rpcErrors, type RpcError } from "./errors.ts";
import type { Call } from "./json-rpc.ts";

/** Methods that the public service documents as supported. */
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

/** Undocumented methods that current client libraries call on their own. */
const expectedByClients = [
  "eth_maxPriorityFeePerGas",
  "eth_blobBaseFee",
  "eth_getBlockReceipts",
  "eth_createAccessList",
  "eth_simulateV1",
] as const;

export const supportedMethods: ReadonlySet<string> = new Set([...documented, ...expectedByClients]);

/** Available on WebSockets only. */
export const subscriptionMethods: ReadonlySet<string> = new Set(["eth_subscribe", "eth_unsubscribe"]);

/** Returns whether a network permits a method. */
export function methodPolicy({ methods }: Pick<NetworkSettings, "methods">): (method: string) => boolean {
  const allowed = new Set([...supportedMethods, ...methods.allow]);
  for (const method of methods.refuse) allowed.delete(method);
  return (method) => allowed.has(method);
}

/** The error for a method that a network does not permit; `status` answers a single call. */
export function refusedMethod(method: string, status: 200 | 403): RpcError {
  const name = method.length <= 64 ? method : `${method.slice(0, 64)}...`;
  return subscriptionMethods.has(method)
    ? rpcErrors.methodNeedsWebSocket(name, status)
    : rpcErrors.methodNotAvailable(name, status);
}

/** Throws `RpcError` -32602 for a call that asks for more than the limits allow. */
type RangeCheck = (
  params: Call["params"],
  limits: RangeLimits,
  /** Called only where a tag takes the place of a block number. */
  newestBlock: () => Promise<number>,
) => Promise<void> | undefined;

const rangeChecks: ReadonlyMap<string, RangeCheck> = new Map<string, RangeCheck>([
  ["eth_getLogs", checkLogs],
  ["trace_filter", checkTraces],
  ["eth_feeHistory", checkFeeHistory],
]);

/** Undefined for a method without limits. */
export function rangeCheckOf(method: string): RangeCheck | undefined {
  return rangeChecks.get(method);
}

async function checkLogs(
  [filter]: Call["params"],
  { logBlocksMax }: RangeLimits,
  newestBlock: () => Promise<number>,
): Promise<void> {
  const { fromBlock, toBlock, blockHash } = membersOf(filter);
  // Some clients send null for a member that they do not set, and nodes accept it.
  if (blockHash !== undefined && blockHash !== null) return;
  const blocks = await countBlocks({ fromBlock, toBlock }, newestBlock);
  refuseAbove(logBlocksMax, blocks, "eth_getLogs", "blocks");
}

async function checkTraces(
  [filter]: Call["params"],
  { traceBlocksMax, traceCountMax }: RangeLimits,
  newestBlock: () => Promise<number>,
): Promise<void> {
  const { count, fromBlock, toBlock } = membersOf(filter);
  // Erigon and Reth start at the first block by default, and accept no block hash.
  const blocks = await countBlocks({ fromBlock: fromBlock ?? "earliest", toBlock }, newestBlock);
  refuseAbove(traceBlocksMax, blocks, "trace_filter", "blocks");
  refuseAbove(traceCountMax, parseQuantity(count) ?? 0, "trace_filter", "count");
}

function checkFeeHistory([count]: Call["params"], { feeHistoryBlocksMax }: RangeLimits): undefined {
  refuseAbove(feeHistoryBlocksMax, parseQuantity(count) ?? 0, "eth_feeHistory", "blocks");
}

function refuseAbove(limit: number, asked: number, method: string, unit: "blocks" | "count"): void {
  if (asked > limit) throw rpcErrors.rangeTooWide(method, unit, asked, limit);
}

interface BlockRange {
  readonly fromBlock: unknown;
  readonly toBlock: unknown;
}

/** The length of a range. A bound that is missing, or a tag that moves with the chain, is the newest block. */
async function countBlocks(
  { fromBlock, toBlock }: BlockRange,
  newestBlock: () => Promise<number>,
): Promise<number> {
  const from = parseBlockNumber(fromBlock);
  const to = parseBlockNumber(toBlock);
  if (from === undefined && to === undefined) return 1;
  const newest = from === undefined || to === undefined ? await newestBlock() : 0;
  return (to ?? newest) - (from ?? newest) + 1;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** Nodes accept a quantity in hexadecimal, as a decimal number and as decimal text. */
function parseQuantity(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^(?:0x[0-9a-f]+|\d+)$/i.test(value) ? Number(value) : undefined;
}

/** Undefined for a tag that moves with the chain. */
function parseBlockNumber(block: unknown): number | undefined {
  return block === "earliest" ? 0 : parseQuantity(block);
}
