import type { Logger } from "pino";

import type { CachedSource } from "../cache/cached-source.ts";
import { chainCall } from "../chain-source.ts";
import type { Log } from "./log-filter.ts";

/** What subscribers hear of a chain. */
interface ChainEvents {
  readonly newHead: (header: object) => void;
  readonly log: (log: Log & { readonly removed: boolean }) => void;
  readonly pendingTransaction: (hash: string) => void;
}

/** What of it anybody wants to hear: nothing is asked for nobody. */
interface Interest {
  readonly isFollowed: boolean;
  readonly logs: boolean;
  readonly pendingTransactions: boolean;
}

export interface ChainFollower {
  /** To be called when the interest changed, or a block is known to be there. */
  readonly wake: () => void;
  readonly close: () => void;
}

interface FollowerOptions {
  readonly source: CachedSource;
  readonly pollMs: number;
  readonly interest: () => Interest;
  readonly events: ChainEvents;
  readonly logger: Logger;
}

interface Block {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly transactions: readonly string[];
}

interface Followed {
  readonly block: Block;
  /** Undefined where nobody wanted them when the block came. */
  readonly logs: readonly Log[] | undefined;
}

/** So far back a reorganisation is told block by block. */
const followedMax = 128;
const pendingMax = 20_000;
/** Parts of a block that are no part of its header. */
const bodyMembers = new Set(["transactions", "uncles", "withdrawals", "size", "totalDifficulty"]);

/**
 * Follows a chain by asking for its newest block, once for all subscribers, and reports every new block, and the logs
 * of replaced blocks again with `removed`.
 */
export function createChainFollower({
  source,
  pollMs,
  interest,
  events,
  logger,
}: FollowerOptions): ChainFollower {
  /** Blocks that were told, oldest first, each the parent of the next. */
  let told: Followed[] = [];
  let pending = new Set<string>();
  let isPendingKnown = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isAwaited = false;
  let isClosed = false;

  const ask = async (method: string, ...params: readonly unknown[]): Promise<unknown> => {
    const { answer } = await source.call(chainCall(method, ...params));
    if (answer.errorCode !== undefined) throw new Error(`${method} is answered with ${answer.errorCode}`);
    return JSON.parse(answer.text);
  };

  const follow = async (): Promise<void> => {
    const newest = await ask("eth_getBlockByNumber", "latest", false);
    if (!isBlock(newest)) return;
    if (told.length === 0) {
      told = [{ block: newest, logs: undefined }];
      return;
    }
    const fresh = await branchOf(newest);
    const [oldest] = fresh;
    if (oldest === undefined) return;
    // Blocks that are too far back to be told are left out; those that were told before them still stand.
    const replaced = told.findIndex(({ block }) => Number(block.number) >= Number(oldest.number));
    for (const { logs } of told.splice(replaced === -1 ? told.length : replaced).toReversed()) {
      for (const log of logs?.toReversed() ?? []) events.log({ ...log, removed: true });
    }
    for (const block of fresh) await tell(block);
    told = told.slice(-followedMax);
  };

  /** The blocks up to `newest` that were not told yet, oldest first. */
  const branchOf = async (newest: Block): Promise<Block[]> => {
    const known = new Set(told.map(({ block }) => block.hash));
    const branch: Block[] = [];
    let block = newest;
    while (!known.has(block.hash)) {
      branch.unshift(block);
      const isEnd =
        branch.length === followedMax || Number(block.number) === 0 || known.has(block.parentHash);
      if (isEnd) break;
      const parent = await ask("eth_getBlockByHash", block.parentHash, false);
      if (!isBlock(parent)) throw new Error("a block has no parent");
      block = parent;
    }
    return branch;
  };

  const tell = async (block: Block): Promise<void> => {
    const logs = interest().logs ? await ask("eth_getLogs", { blockHash: block.hash }) : undefined;
    told.push({ block, logs: logs as readonly Log[] | undefined });
    events.newHead(Object.fromEntries(Object.entries(block).filter(([name]) => !bodyMembers.has(name))));
    for (const log of (logs ?? []) as readonly Log[]) events.log({ ...log, removed: false });
    if (interest().pendingTransactions) tellPending(block.transactions);
  };

  const tellPending = (hashes: readonly string[]): void => {
    for (const hash of hashes) {
      if (pending.has(hash)) continue;
      pending.add(hash);
      if (isPendingKnown) events.pendingTransaction(hash);
    }
    if (pending.size > pendingMax) pending = new Set([...pending].slice(-pendingMax / 2));
  };

  const lookAtPending = async (): Promise<void> => {
    const block = await ask("eth_getBlockByNumber", "pending", false);
    const { transactions } = (block ?? {}) as { readonly transactions?: readonly string[] };
    tellPending(transactions ?? []);
    // What was pending before anybody asked is not new.
    isPendingKnown = true;
  };

  const look = async (): Promise<void> => {
    try {
      await follow();
      if (interest().pendingTransactions) await lookAtPending();
    } catch (error) {
      // The next look may go better; who calls is told of it by the answer.
      logger.debug({ err: error }, "following the chain failed");
    }
  };

  const run = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (isClosed) return;
    if (looking !== undefined) {
      // What happened since it began may have escaped it.
      isAwaited = true;
      return;
    }
    if (!interest().isFollowed) {
      told = [];
      pending.clear();
      isPendingKnown = false;
      return;
    }
    looking = look().finally(() => {
      looking = undefined;
      if (!isClosed) timer = setTimeout(run, isAwaited ? 0 : pollMs).unref();
      isAwaited = false;
    });
  };

  return {
    wake: run,
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

function isBlock(value: unknown): value is Block {
  if (typeof value !== "object" || value === null) return false;
  const { number, hash, parentHash } = value as Record<string, unknown>;
  return typeof number === "string" && typeof hash === "string" && typeof parentHash === "string";
}
