import type { Provider, ProviderConfig } from "@nomicfoundation/edr";

import { chainCall, errorAnswer, type ChainCall, type NodeAnswer } from "../chain-source.ts";
import { codes } from "../rpc/errors.ts";
import { memberTexts } from "../rpc/json-slices.ts";
import { isJsonObject } from "../../core/json-object.ts";
import { normalTopics } from "../subscriptions/log-filter.ts";

/** An Ethereum node in this process with a chain of its own, which begins with empty blocks. */
export interface DevelopmentNode {
  readonly call: (call: ChainCall) => Promise<NodeAnswer>;
  /** The result of a call that cannot fail. */
  readonly result: (method: string, ...params: readonly unknown[]) => Promise<unknown>;
  /** Mines one block at `time`, in seconds since the epoch. */
  readonly mine: (time: number) => Promise<void>;
}

type Library = typeof import("@nomicfoundation/edr");

/** The first accounts of the mnemonic `test test ... junk`, which all development chains fund. */
const fundedAccounts = [
  "f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  "70997970c51812dc3a010c7d01b50e0d17dc79c8",
  "3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
  "90f79bf6eb2c4f870365e785982e1f101e93b906",
  "15d34aaf54267db7d7c367839aaf71a00a2c6a65",
  "9965507d1a55bcc2695c58ba16fb37d819b0a4dc",
  "976ea74026e726554db657fa54763abd0c3a0aa9",
  "14dc79964da2c08b23698b3d3cc7ca32193d9955",
  "23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f",
  "a0ee7a142d267c1f36714e4a8f75612f20a79720",
] as const;

const ether = 10n ** 18n;
const gasLimit = 60_000_000n;
const gasPerTransactionMax = 16_777_216n;
/** 2025-01-01, 00:00 UTC, at every start: the first blocks have the same hashes. */
const genesisTime = 1_735_689_600;
/** The library computes these blocks on demand, without links between them. */
const reservedBlocks = 0x2200;
/** Blocks with links; 0x2244 is an example of the public documentation. */
const minedBlocks = 100;
const blockSeconds = 12;

/** Starts a node. Errors: `LibraryMissing`. */
export async function startDevelopmentNode(chainId: number): Promise<DevelopmentNode> {
  const library = await loadLibrary();
  const context = await contextOf(library);
  const provider = await context.createProvider(
    library.L1_CHAIN_TYPE,
    configOf(library, chainId),
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => undefined },
    { subscriptionCallback: () => undefined },
    new library.ContractDecoder(),
  );
  const node = wrap(provider);
  await node.result("hardhat_mine", `0x${reservedBlocks.toString(16)}`, `0x${blockSeconds.toString(16)}`);
  const { timestamp } = (await node.result("eth_getBlockByNumber", "latest", false)) as { timestamp: string };
  for (let block = 1; block <= minedBlocks; block += 1)
    await node.mine(Number(timestamp) + block * blockSeconds);
  return node;
}

async function loadLibrary(): Promise<Library> {
  try {
    return await import("@nomicfoundation/edr");
  } catch (cause) {
    throw new LibraryMissing(cause);
  }
}

/** The library is an optional dependency: some platforms have no build of it. */
export class LibraryMissing extends Error {
  constructor(cause: unknown) {
    super(`@nomicfoundation/edr cannot be loaded on ${process.platform}-${process.arch}`, { cause });
    this.name = "LibraryMissing";
  }
}

let sharedContext: Promise<InstanceType<Library["EdrContext"]>> | undefined;

/** The library permits one context per process. */
function contextOf(library: Library): Promise<InstanceType<Library["EdrContext"]>> {
  sharedContext ??= (async () => {
    const context = new library.EdrContext();
    await context.registerProviderFactory(library.L1_CHAIN_TYPE, library.l1ProviderFactory());
    return context;
  })();
  return sharedContext;
}

function configOf(library: Library, chainId: number): ProviderConfig {
  const accounts = fundedAccounts.map((address) => ({
    address: Buffer.from(address, "hex"),
    balance: 10_000n * ether,
  }));
  // Versions of the library differ in how they name Osaka.
  const hardfork = library.l1HardforkLatest();
  return {
    allowBlocksWithSameTimestamp: false,
    allowUnlimitedContractSize: false,
    bailOnCallFailure: true,
    bailOnTransactionFailure: false,
    chainId: BigInt(chainId),
    networkId: BigInt(chainId),
    coinbase: new Uint8Array(20),
    defaultTransactionGasLimit: gasPerTransactionMax,
    genesisState: [...library.l1GenesisState(hardfork), ...accounts],
    hardfork: library.l1HardforkToString(hardfork),
    initialBaseFeePerGas: 10n ** 9n,
    minGasPrice: 0n,
    // Blocks are mined at times that can be replayed, never at those of the library's clock.
    mining: { autoMine: false, blockGasLimit: gasLimit, memPool: { order: library.MineOrdering.Fifo } },
    network: { genesisBlockGasLimit: gasLimit, genesisBlockTime: BigInt(genesisTime) },
    observability: {},
    ownedAccounts: [],
    precompileOverrides: [library.precompileP256Verify()],
  };
}

function wrap(provider: Provider): DevelopmentNode {
  const call = async (asked: ChainCall): Promise<NodeAnswer> => {
    const { method, paramsText } = withNormalTopics(asked);
    const request = `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${paramsText}}`;
    const { data } = await provider.handleRequest(request);
    const text = typeof data === "string" ? data : JSON.stringify(data);
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
  return { call, result, mine: async (time) => void (await result("evm_mine", time)) };
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
  return errorAnswer({ code, message: withoutParserWords(message) });
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
