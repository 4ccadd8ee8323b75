import { chainCall, type NodeAnswer } from "../chain/chain-source.ts";
import { codes } from "../chain/errors.ts";
import { supportedMethods } from "../chain/methods.ts";
import { builtInNetworks, defaultLimits } from "../chain/networks.ts";
import { createUpstream, UpstreamFailure, type Upstream } from "./upstream.ts";

/** Findings on how far an upstream supports what the gateway offers. */
export interface UpstreamCheck {
  readonly chainId: number;
  /** Name of the built-in network with that chain id. */
  readonly network: string | undefined;
  readonly client: string;
  readonly newestBlock: number;
  /** Age of the newest block by this machine's clock. */
  readonly ageSeconds: number;
  /** Undefined if the upstream does not report it. */
  readonly finalizedBlock: number | undefined;
  /** Methods that it does not have. */
  readonly missing: readonly string[];
  /** Methods that fail for the widest range that the gateway permits, with the message of the error. */
  readonly narrow: readonly { readonly method: string; readonly message: string }[];
  readonly supported: readonly string[];
}

const timeoutMs = 15_000;
const responseBytesMax = 64 * 1024 * 1024;
const missingCodes = new Set<number | undefined>([codes.methodNotFound, codes.notSupported]);
const zeroAddress = `0x${"0".repeat(40)}`;
const zeroHash = `0x${"0".repeat(64)}`;

/**
 * Calls every method that the gateway offers, with the widest ranges that it permits. Nothing changes: the transaction
 * that is sent is invalid. Errors: `UpstreamFailure` if the upstream does not answer as an Ethereum node does.
 */
export async function checkUpstream(
  url: string,
  headers: Readonly<Record<string, string>>,
  now: () => Date,
): Promise<UpstreamCheck> {
  const upstream = createUpstream(
    { name: "checked", url, headers, weight: 1 },
    { allowLinkLocal: true, responseBytesMax },
  );
  try {
    return await check(upstream, now);
  } finally {
    await upstream.close();
  }
}

async function check(upstream: Upstream, now: () => Date): Promise<UpstreamCheck> {
  const ask = (method: string, ...params: readonly unknown[]): Promise<NodeAnswer> =>
    upstream.send(chainCall(method, ...params), timeoutMs);
  const chainId = Number((await ask("eth_chainId")).value);
  const newest = blockOf(await ask("eth_getBlockByNumber", "latest", false));
  if (!Number.isSafeInteger(chainId) || newest === undefined) {
    throw new UpstreamFailure("malformed", "it does not answer as an Ethereum node does");
  }
  const finalized = blockOf(await ask("eth_getBlockByNumber", "finalized", false));
  const client = await ask("web3_clientVersion");
  const missing: string[] = [];
  const supported: string[] = [];
  const narrow: { method: string; message: string }[] = [];
  for (const method of supportedMethods) {
    const { errorCode, value } = await ask(method, ...probeOf(method, newest.number));
    if (missingCodes.has(errorCode)) missing.push(method);
    else supported.push(method);
    const isRange = ["eth_getLogs", "eth_feeHistory", "trace_filter"].includes(method);
    if (isRange && errorCode !== undefined && !missingCodes.has(errorCode)) {
      narrow.push({ method, message: String((value as { readonly message?: unknown }).message) });
    }
  }
  return {
    chainId,
    network: builtInNetworks.find((network) => network.chainId === chainId)?.name,
    client: client.errorCode === undefined ? String(client.value) : "unknown",
    newestBlock: newest.number,
    ageSeconds: Math.max(0, Math.round(now().getTime() / 1000 - newest.timestamp)),
    finalizedBlock: finalized?.number,
    missing,
    narrow,
    supported,
  };
}

/** Parameters that take a node little work; for ranges, the widest that the gateway permits. */
function probeOf(method: string, newest: number): readonly unknown[] {
  const back = (blocks: number): string => `0x${Math.max(0, newest - blocks + 1).toString(16)}`;
  const toBlock = back(1);
  const { logBlocksMax, feeHistoryBlocksMax, traceBlocksMax } = defaultLimits;
  switch (method) {
    case "web3_sha3":
    case "eth_sendRawTransaction":
      return ["0x"];
    case "eth_feeHistory":
      return [`0x${feeHistoryBlocksMax.toString(16)}`, "latest", []];
    case "eth_getLogs":
      return [{ fromBlock: back(logBlocksMax), toBlock, address: zeroAddress }];
    case "trace_filter":
      return [{ fromBlock: back(traceBlocksMax), toBlock, toAddress: [zeroAddress], count: 1 }];
    case "eth_getBalance":
    case "eth_getCode":
    case "eth_getTransactionCount":
      return [zeroAddress, "latest"];
    case "eth_getStorageAt":
      return [zeroAddress, "0x0", "latest"];
    case "eth_getProof":
      return [zeroAddress, [], "latest"];
    case "eth_call":
    case "eth_createAccessList":
      return [{ to: zeroAddress }, "latest"];
    case "eth_estimateGas":
      return [{ to: zeroAddress }];
    case "eth_simulateV1":
      return [{ blockStateCalls: [] }, "latest"];
    case "eth_getBlockByHash":
      return [zeroHash, false];
    case "eth_getBlockByNumber":
      return ["latest", false];
    case "eth_getBlockReceipts":
    case "eth_getBlockTransactionCountByNumber":
    case "eth_getUncleCountByBlockNumber":
      return ["latest"];
    case "eth_getTransactionByBlockNumberAndIndex":
    case "eth_getUncleByBlockNumberAndIndex":
      return ["latest", "0x0"];
    case "eth_getTransactionByBlockHashAndIndex":
    case "eth_getUncleByBlockHashAndIndex":
      return [zeroHash, "0x0"];
    default:
      return /Hash$|Receipt$/.test(method) ? [zeroHash] : [];
  }
}

function blockOf({
  value,
  errorCode,
}: NodeAnswer): { readonly number: number; readonly timestamp: number } | undefined {
  if (errorCode !== undefined || typeof value !== "object" || value === null) return undefined;
  const { number, timestamp } = value as Record<string, unknown>;
  return { number: Number(number), timestamp: Number(timestamp) };
}
