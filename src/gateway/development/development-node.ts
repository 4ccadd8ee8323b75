import { isJsonObject } from "../../core/json.ts";
import {
  chainCall,
  errorAnswer,
  type ChainCall,
  type NodeAnswer,
  resultAnswer,
} from "../chain/chain-source.ts";
import { codes } from "../chain/errors.ts";
import { memberTexts } from "../chain/json-rpc.ts";
import { startChainProcess, type ChainProcess } from "./chain-process.ts";
import { normalTopics } from "../subscriptions/log-filter.ts";

/** An Ethereum node in a process of its own, with a chain that begins with empty blocks. */
export interface DevelopmentNode {
  readonly call: (call: ChainCall) => Promise<NodeAnswer>;
  readonly result: (method: string, ...params: readonly unknown[]) => Promise<unknown>;
  /** Mines one block at `time`, in seconds since the epoch. */
  readonly mine: (time: number) => Promise<void>;
  readonly hasEnded: () => boolean;
  readonly end: () => void;
}

/** The library computes these blocks on demand, without links between them. */
const reservedBlocks = 0x2200;
/** Blocks with links; 0x2244 is an example of the public documentation. */
const minedBlocks = 100;
const blockSeconds = 12;

/** Starts a node in a process of its own. Errors: `LibraryMissing` and `ChainEnded`. */
export async function startDevelopmentNode(chainId: number): Promise<DevelopmentNode> {
  const node = wrap(startChainProcess(chainId));
  try {
    await node.result("hardhat_mine", hexOf(reservedBlocks), hexOf(blockSeconds));
    const { timestamp } = (await node.result("eth_getBlockByNumber", "latest", false)) as {
      timestamp: string;
    };
    for (let block = 1; block <= minedBlocks; block += 1)
      await node.mine(Number(timestamp) + block * blockSeconds);
    return node;
  } catch (error) {
    node.end();
    throw error;
  }
}

const hexOf = (number: number): string => `0x${number.toString(16)}`;

function wrap(chain: ChainProcess): DevelopmentNode {
  const call = async (asked: ChainCall): Promise<NodeAnswer> => {
    const { method, paramsText } = withNormalTopics(asked);
    const text = await chain.ask(
      `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${paramsText}}`,
    );
    const { result, error } = JSON.parse(text) as {
      readonly result?: unknown;
      readonly error?: LibraryError;
    };
    if (error !== undefined) return translateError(method, error);
    return { text: memberTexts(text).get("result") ?? "null", value: result ?? null, errorCode: undefined };
  };
  const result = async (method: string, ...params: readonly unknown[]): Promise<unknown> => {
    const { value, errorCode, text } = await call(chainCall(method, ...params));
    if (errorCode !== undefined) throw new Error(`${method} failed on the development chain: ${text}`);
    return value;
  };
  return {
    call,
    result,
    mine: async (time) => void (await result("evm_mine", time)),
    hasEnded: chain.hasEnded,
    end: chain.end,
  };
}

/** The library takes no `null` among the alternatives of a topic. */
function withNormalTopics(call: ChainCall): Pick<ChainCall, "method" | "paramsText"> {
  const [filter, ...others] = call.params;
  if (!isJsonObject(filter) || !Array.isArray(filter["topics"])) return call;
  const normal = { ...filter, topics: normalTopics(filter["topics"]) };
  return { method: call.method, paramsText: JSON.stringify([normal, ...others]) };
}

interface LibraryError {
  readonly code: number;
  readonly message: string;
  readonly data?: { readonly data?: unknown; readonly reason?: unknown } | null;
}

/** For an invalid block, the library reports these methods as not supported. */
const methodsWithBlock: ReadonlySet<string> = new Set([
  "eth_call",
  "eth_estimateGas",
  "eth_feeHistory",
  "eth_getBalance",
  "eth_getCode",
  "eth_getLogs",
  "eth_getProof",
  "eth_getStorageAt",
  "eth_getTransactionCount",
]);

/** Translates an error of the library to that of other nodes, which clients expect. */
function translateError(method: string, { code, message, data }: LibraryError): NodeAnswer {
  const returned = data?.data;
  if (data?.reason !== undefined && typeof returned === "string") {
    const reason = revertReason(returned);
    const text = reason === undefined ? "execution reverted" : `execution reverted: ${reason}`;
    return errorAnswer({ code: codes.reverted, message: text, data: returned });
  }
  if (code === codes.notSupported && methodsWithBlock.has(method)) {
    const advice = "Invalid params: a block is a number in hexadecimal, or a tag such as latest";
    return errorAnswer({ code: codes.invalidParams, message: advice });
  }
  if (code === codes.notSupported) {
    return errorAnswer({ code: codes.methodNotFound, message: `${message} by the development chain` });
  }
  return errorAnswer({ code, message: withoutParserWords(withWordsOfNodes(message)) });
}

/** Clients look for these words, which other nodes use. */
function withWordsOfNodes(message: string): string {
  return message.replace(
    /^Sender doesn't have enough funds\b/,
    "insufficient funds for gas * price + value: the sender does not have enough",
  );
}

/** The library tells its own types, and a position in a text that the client did not send. */
function withoutParserWords(message: string): string {
  return message
    .replace(/ at line \d+ column \d+$/, "")
    .replace(/tuple variant \S+ with (\d+) elements?/, "$1 params");
}

/** The message of Solidity's `Error(string)`; undefined for other data. */
function revertReason(data: string): string | undefined {
  if (!data.startsWith("0x08c379a0")) return undefined;
  const bytes = Buffer.from(data.slice(10), "hex");
  if (bytes.length < 64) return undefined;
  const length = bytes.readUInt32BE(60);
  return bytes.toString("utf8", 64, Math.min(bytes.length, 64 + length));
}

type Fields = Readonly<Record<string, unknown>>;

const ofTransaction: ReadonlySet<string> = new Set([
  "eth_getTransactionByHash",
  "eth_getTransactionByBlockHashAndIndex",
  "eth_getTransactionByBlockNumberAndIndex",
]);
const ofBlock: ReadonlySet<string> = new Set(["eth_getBlockByHash", "eth_getBlockByNumber"]);

/**
 * An answer with what the library leaves out of transactions: `blockTimestamp`, and `yParity` of all types but the
 * first ([execution-apis](https://ethereum.github.io/execution-apis/)).
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
