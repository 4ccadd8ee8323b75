import { chainCall, resultAnswer, type ChainCall, type NodeAnswer } from "../chain-source.ts";
import type { DevelopmentNode } from "./development-node.ts";

type Fields = Readonly<Record<string, unknown>>;

const ofTransaction: ReadonlySet<string> = new Set([
  "eth_getTransactionByHash",
  "eth_getTransactionByBlockHashAndIndex",
  "eth_getTransactionByBlockNumberAndIndex",
]);
const ofBlock: ReadonlySet<string> = new Set(["eth_getBlockByHash", "eth_getBlockByNumber"]);

/**
 * An answer with what the library leaves out of transactions: `blockTimestamp`, and `yParity` of all types but the first
 * ([execution-apis](https://ethereum.github.io/execution-apis/)).
 */
export async function withTransactionFields(
  node: DevelopmentNode,
  { method, params }: ChainCall,
  answer: NodeAnswer,
): Promise<NodeAnswer> {
  const { value, errorCode } = answer;
  if (errorCode !== undefined || value === null) return answer;
  if (ofTransaction.has(method)) {
    const transaction = value as Fields;
    const block = await blockOf(node, transaction);
    return resultAnswer(complete(transaction, block?.["timestamp"] ?? null));
  }
  if (!ofBlock.has(method) || params[1] !== true) return answer;
  const block = value as Fields & { readonly transactions: readonly Fields[] };
  const transactions = block.transactions.map((one) => complete(one, block["timestamp"]));
  return resultAnswer({ ...block, transactions });
}

async function blockOf(node: DevelopmentNode, { blockHash }: Fields): Promise<Fields | undefined> {
  if (typeof blockHash !== "string") return undefined;
  const { value } = await node.call(chainCall("eth_getBlockByHash", blockHash, false));
  return (value ?? undefined) as Fields | undefined;
}

function complete(transaction: Fields, blockTimestamp: unknown): Fields {
  const { type, v } = transaction;
  const hasParity = type !== undefined && type !== "0x0";
  return { ...transaction, blockTimestamp, ...(hasParity && { yParity: transaction["yParity"] ?? v }) };
}
