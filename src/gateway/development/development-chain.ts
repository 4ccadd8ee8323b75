import { mkdirSync, readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";

import type { Logger } from "pino";

import {
  chainCall,
  errorAnswer,
  resultAnswer,
  type ChainCall,
  type ChainHead,
  type ChainSource,
  type NodeAnswer,
} from "../chain/chain-source.ts";
import { codes, rpcErrors, type RpcError } from "../chain/errors.ts";
import type { NetworkSettings } from "../chain/networks.ts";
import { ChainEnded } from "./chain-process.ts";
import { callGasMax, LibraryMissing } from "./development-library.ts";
import { startDevelopmentNode, type DevelopmentNode, withTransactionFields } from "./development-node.ts";

interface DevelopmentChainOptions {
  readonly network: NetworkSettings;
  /** The file of its transactions; undefined to store none. */
  readonly journalFile: string | undefined;
  /** Version of the software, for `web3_clientVersion`. */
  readonly version: string;
  readonly now: () => Date;
  readonly logger: Logger;
}

interface Running {
  readonly node: DevelopmentNode;
  readonly journal: ChainJournal;
  /** The time of the newest block, in seconds since the epoch. */
  time: number;
  number: number;
  /** Gas that the transactions of the journal used: running them again takes about as long at each start. */
  journalGas: number;
}

/** After a start that failed, calls get its error for so long. */
const pauseMs = 10_000;

/** Gas of all transactions of a journal: some 20,000 transfers, or 80 contracts of the largest size. */
export const journalGasMax = 400_000_000;

/**
 * A chain in a process of its own, for a network without an upstream. It is not a copy of the public network: it has
 * the same chain id, some empty blocks and accounts with funds. The first call starts it. Each transaction is mined at
 * once in a block of its own; transactions and times are stored and replayed at the next start, so that hashes stay the
 * same. A process that ends, as a call took too long or too much memory, is started again by the next call.
 */
export function createDevelopmentChain(options: DevelopmentChainOptions): ChainSource {
  const { network, version, now, logger } = options;
  let starting: Promise<Running> | undefined;
  let running: Running | undefined;
  let failed: { readonly error: RpcError; readonly untilMs: number } | undefined;
  let lastWrite: Promise<unknown> = Promise.resolve();
  const listeners: (() => void)[] = [];

  const started = async (): Promise<Running> => {
    if (failed !== undefined && performance.now() < failed.untilMs) throw failed.error;
    if (running?.node.hasEnded() === true) {
      const { journal } = running;
      starting = running = undefined;
      await journal.close();
    }
    starting ??= start(options);
    try {
      return (running = await starting);
    } catch (error) {
      starting = undefined;
      logger.error({ network: network.name, err: error }, "the development chain cannot be started");
      failed = { error: unavailable(network.name, error), untilMs: performance.now() + pauseMs };
      throw failed.error;
    }
  };

  /** One transaction after another, each in a block of its own. */
  const send = async (chain: Running, call: ChainCall): Promise<NodeAnswer> => {
    if (chain.journalGas >= journalGasMax) throw rpcErrors.developmentChainFull(network.name, journalGasMax);
    const answer = await chain.node.call(call);
    if (answer.errorCode !== undefined) return answer;
    const time = Math.max(Math.floor(now().getTime() / 1000), chain.time + 1);
    // Stored only once it has been mined: one that ends the process must not end each process after it.
    const gas = await mineAt(chain, time);
    try {
      await chain.journal.append({ time, transaction: String(call.params[0]), gas });
    } catch (error) {
      // A transaction that is not stored would be lost at the next start.
      chain.node.end();
      throw error;
    }
    chain.journalGas += gas;
    for (const listener of listeners) listener();
    return answer;
  };

  const inTurn = (work: () => Promise<NodeAnswer>): Promise<NodeAnswer> => {
    const answer = lastWrite.then(work, work);
    lastWrite = answer.catch(() => undefined);
    return answer;
  };

  const headOf = ({ number }: Running): ChainHead => ({
    number,
    finalized: number,
    seenAtMs: performance.now(),
  });

  return {
    async call(call) {
      try {
        if (call.method === "eth_sendRawTransaction")
          return await inTurn(async () => send(await started(), call));
        const { node } = await started();
        if (call.method === "web3_clientVersion") return await clientVersion(node, version);
        const answer = (await answerMissingMethod(node, call)) ?? (await node.call(withinGas(call)));
        return await withTransactionFields(node, call, answer);
      } catch (error) {
        if (!(error instanceof ChainEnded)) throw error;
        logger.error(
          { network: network.name, method: call.method, err: error },
          "the development chain has ended",
        );
        throw rpcErrors.developmentChainEnded(network.name, error.message);
      }
    },
    head: async () => headOf(await started()),
    lastHead: () => running && headOf(running),
    onReorganisation: () => undefined,
    onNewBlock: (listener) => listeners.push(listener),
    close: async () => {
      await lastWrite;
      const chain = await starting?.catch(() => undefined);
      chain?.node.end();
      await chain?.journal.close();
    },
  };
}

function unavailable(network: string, error: unknown): RpcError {
  const reason =
    error instanceof LibraryMissing ? error.message : "its transactions cannot be replayed, see the log";
  return rpcErrors.developmentChainUnavailable(network, reason);
}

async function start({ network, journalFile }: DevelopmentChainOptions): Promise<Running> {
  const node = await startDevelopmentNode(network.chainId);
  const journal = journalFile === undefined ? journalInMemory : await openJournal(journalFile);
  const { number, timestamp } = (await node.result("eth_getBlockByNumber", "latest", false)) as Record<
    string,
    string
  >;
  const chain: Running = { node, journal, number: Number(number), time: Number(timestamp), journalGas: 0 };
  try {
    for (const { time, transaction, gas } of journal.entries) {
      await node.result("eth_sendRawTransaction", transaction);
      const used = await mineAt(chain, time);
      chain.journalGas += gas ?? used;
    }
  } catch (error) {
    node.end();
    await journal.close();
    throw error;
  }
  return chain;
}

/** Mines a block. Returns the gas that it used. */
async function mineAt(chain: Running, time: number): Promise<number> {
  await chain.node.mine(time);
  chain.time = time;
  chain.number += 1;
  const { gasUsed } = (await chain.node.result("eth_getBlockByNumber", "latest", false)) as {
    gasUsed: string;
  };
  return Number(gasUsed);
}

/** A call gets no more gas than the library runs in a fraction of a second. */
function withinGas(call: ChainCall): ChainCall {
  const [request, ...others] = call.params;
  if (call.method !== "eth_call" || typeof request !== "object" || request === null) return call;
  const { gas } = request as { readonly gas?: unknown };
  if (typeof gas !== "string" || !/^0x[0-9a-f]+$/i.test(gas) || BigInt(gas) <= callGasMax) return call;
  return chainCall(call.method, { ...request, gas: `0x${callGasMax.toString(16)}` }, ...others);
}

async function clientVersion(node: DevelopmentNode, version: string): Promise<NodeAnswer> {
  const library = String(await node.result("web3_clientVersion"));
  return resultAnswer(`Zoneward/${version}/development-chain/${library}`);
}

/** Answers methods that the library lacks; undefined for those that it has. */
async function answerMissingMethod(
  node: DevelopmentNode,
  { method, params }: ChainCall,
): Promise<NodeAnswer | undefined> {
  switch (method) {
    case "net_listening":
      return resultAnswer(true);
    case "eth_mining":
      return resultAnswer(false);
    case "eth_getWork":
      return errorAnswer({
        code: codes.notSupported,
        message: "There is no work on a chain without proof of work",
      });
    case "eth_getUncleByBlockHashAndIndex":
    case "eth_getUncleByBlockNumberAndIndex":
      return resultAnswer(null);
    case "eth_getUncleCountByBlockHash":
      return countOfUncles(await node.call(chainCall("eth_getBlockByHash", params[0], false)));
    case "eth_getUncleCountByBlockNumber":
      return countOfUncles(await node.call(chainCall("eth_getBlockByNumber", params[0], false)));
    case "eth_getBlockReceipts":
      return receiptsOf(node, params[0]);
    case "eth_getProof": {
      const padded = params.map(padStorageKeys);
      return node.call({ method, params: padded, paramsText: JSON.stringify(padded) });
    }
    default:
      return undefined;
  }
}

/** Clients may leave out the leading zeros of storage keys; the library requires 32 bytes. */
function padStorageKeys(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((key: unknown) =>
    typeof key === "string" && /^0x[0-9a-f]{1,64}$/i.test(key) ? `0x${key.slice(2).padStart(64, "0")}` : key,
  );
}

/** No block has uncles since the merge. */
function countOfUncles(block: NodeAnswer): NodeAnswer {
  return block.errorCode !== undefined || block.value === null ? block : resultAnswer("0x0");
}

async function receiptsOf(node: DevelopmentNode, block: unknown): Promise<NodeAnswer> {
  const isHash = typeof block === "string" && block.length === 66;
  const found = await node.call(
    chainCall(isHash ? "eth_getBlockByHash" : "eth_getBlockByNumber", block, false),
  );
  if (found.errorCode !== undefined || found.value === null) return found;
  const { transactions } = found.value as { readonly transactions: readonly string[] };
  const receipts = await Promise.all(
    transactions.map((hash) => node.result("eth_getTransactionReceipt", hash)),
  );
  return resultAnswer(receipts);
}

interface JournalEntry {
  /** Seconds since the epoch. */
  readonly time: number;
  /** The signed transaction of the block, in hexadecimal. */
  readonly transaction: string;
  /** Gas that it used. Entries of earlier versions lack it. */
  readonly gas?: number;
}

/** The transactions of a chain in order, from which it can be rebuilt. */
interface ChainJournal {
  /** The entries that existed when it was opened. */
  readonly entries: readonly JournalEntry[];
  /** Resolves when the entry is durable. */
  readonly append: (entry: JournalEntry) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A journal that is not stored. */
const journalInMemory: ChainJournal = {
  entries: [],
  append: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** Opens the journal in `file`, one line of JSON per entry. Creates the file and its directory if they are missing. */
async function openJournal(file: string): Promise<ChainJournal> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(file, "a", 0o600);
  const { entries, bytes } = readEntries(readFileSync(file));
  let size = bytes;
  // The transaction of an incomplete line was never answered.
  await handle.truncate(size);
  return {
    entries,
    append: async (entry) => {
      const line = `${JSON.stringify(entry)}\n`;
      try {
        await handle.appendFile(line);
        await handle.datasync();
      } catch (error) {
        // The next entry must not follow half a line.
        await handle.truncate(size);
        throw error;
      }
      size += Buffer.byteLength(line);
    },
    close: () => handle.close(),
  };
}

/** The entries up to the first line that is not one, and their length. */
function readEntries(content: Buffer): { readonly entries: JournalEntry[]; readonly bytes: number } {
  const entries: JournalEntry[] = [];
  let bytes = 0;
  for (let end = content.indexOf(10); end !== -1; end = content.indexOf(10, bytes)) {
    const entry = parseEntry(content.toString("utf8", bytes, end));
    if (entry === undefined) break;
    entries.push(entry);
    bytes = end + 1;
  }
  return { entries, bytes };
}

function parseEntry(line: string): JournalEntry | undefined {
  try {
    const { time, transaction, gas } = JSON.parse(line) as Partial<JournalEntry>;
    if (!Number.isSafeInteger(time) || typeof transaction !== "string") return undefined;
    const entry = { time: time as number, transaction };
    return Number.isSafeInteger(gas) ? { ...entry, gas: gas as number } : entry;
  } catch {
    return undefined;
  }
}
