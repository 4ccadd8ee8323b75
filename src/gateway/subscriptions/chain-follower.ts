import type { Logger } from "pino";

import type { CachedSource } from "../cache/cached-source.ts";
import { chainCall } from "../chain/chain-source.ts";
import type { Log } from "./log-filter.ts";

/** The events of a chain that clients can subscribe to. */
interface ChainEvents {
  readonly newHead: (header: object) => void;
  readonly log: (log: Log & { readonly removed: boolean }) => void;
  readonly pendingTransaction: (hash: string) => void;
}

/** Events with subscribers; nothing is polled for the others. */
interface Interest {
  readonly isFollowed: boolean;
  readonly logs: boolean;
  readonly pendingTransactions: boolean;
}

export interface ChainFollower {
  /** Must be called when the interest changes, and may be called when there is a new block. */
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

interface ReportedBlock {
  readonly block: Block;
  /** Undefined if there was no interest in logs at the time. */
  readonly logs: readonly Log[] | undefined;
}

/** The deepest reorganisation that is reported block by block. */
const reportedMax = 128;
const pendingMax = 20_000;
/** Members of a block that do not belong to its header. */
const bodyMembers = new Set(["transactions", "uncles", "withdrawals", "size", "totalDifficulty"]);

/**
 * Polls the newest block of a chain, once for all subscribers, and reports every new block with its logs. After a
 * reorganisation it reports the logs of replaced blocks again with `removed: true`.
 */
export function createChainFollower({
  source,
  pollMs,
  interest,
  events,
  logger,
}: FollowerOptions): ChainFollower {
  /** Oldest first, each the parent of the next. */
  let reported: ReportedBlock[] = [];
  let pending = new Set<string>();
  let isPendingKnown = false;
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | undefined;
  let pollAgain = false;
  let isClosed = false;

  const ask = async (method: string, ...params: readonly unknown[]): Promise<unknown> => {
    const { text, errorCode } = await source.call(chainCall(method, ...params));
    if (errorCode !== undefined) throw new Error(`${method} failed with code ${errorCode}`);
    return JSON.parse(text);
  };

  const follow = async (): Promise<void> => {
    const newest = await ask("eth_getBlockByNumber", "latest", false);
    if (!isBlock(newest)) return;
    if (reported.length === 0) {
      reported = [{ block: newest, logs: undefined }];
      return;
    }
    const fresh = await branchOf(newest);
    const [oldest] = fresh;
    if (oldest === undefined) return;
    // Where the branch was cut off at its maximum, the reported blocks before it are still valid.
    const replaced = reported.findIndex(({ block }) => Number(block.number) >= Number(oldest.number));
    for (const { logs } of reported.splice(replaced === -1 ? reported.length : replaced).toReversed()) {
      for (const log of logs?.toReversed() ?? []) events.log({ ...log, removed: true });
    }
    for (const block of fresh) await report(block);
    reported = reported.slice(-reportedMax);
  };

  /** The blocks up to `newest` that were not reported yet, oldest first. */
  const branchOf = async (newest: Block): Promise<Block[]> => {
    const known = new Set(reported.map(({ block }) => block.hash));
    const branch: Block[] = [];
    let block = newest;
    while (!known.has(block.hash)) {
      branch.unshift(block);
      const isEnd =
        branch.length === reportedMax || Number(block.number) === 0 || known.has(block.parentHash);
      if (isEnd) break;
      const parent = await ask("eth_getBlockByHash", block.parentHash, false);
      if (!isBlock(parent)) throw new Error("a block has no parent");
      block = parent;
    }
    return branch;
  };

  const report = async (block: Block): Promise<void> => {
    const logs = interest().logs ? await ask("eth_getLogs", { blockHash: block.hash }) : undefined;
    reported.push({ block, logs: logs as readonly Log[] | undefined });
    events.newHead(Object.fromEntries(Object.entries(block).filter(([name]) => !bodyMembers.has(name))));
    for (const log of (logs ?? []) as readonly Log[]) events.log({ ...log, removed: false });
    if (interest().pendingTransactions) reportPending(block.transactions);
  };

  const reportPending = (hashes: readonly string[]): void => {
    for (const hash of hashes) {
      if (pending.has(hash)) continue;
      pending.add(hash);
      if (isPendingKnown) events.pendingTransaction(hash);
    }
    if (pending.size > pendingMax) pending = new Set([...pending].slice(-pendingMax / 2));
  };

  const pollPending = async (): Promise<void> => {
    const block = await ask("eth_getBlockByNumber", "pending", false);
    const { transactions } = (block ?? {}) as { readonly transactions?: readonly string[] };
    reportPending(transactions ?? []);
    // Transactions of the first poll were pending before the subscription.
    isPendingKnown = true;
  };

  const poll = async (): Promise<void> => {
    try {
      await follow();
      if (interest().pendingTransactions) await pollPending();
    } catch (error) {
      // The next poll may succeed; callers get the error themselves.
      logger.debug({ err: error }, "following the chain failed");
    }
  };

  const run = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (isClosed) return;
    if (polling !== undefined) {
      // The poll in progress may have missed what happened since it began.
      pollAgain = true;
      return;
    }
    if (!interest().isFollowed) {
      reported = [];
      pending.clear();
      isPendingKnown = false;
      return;
    }
    polling = poll().finally(() => {
      polling = undefined;
      if (!isClosed) timer = setTimeout(run, pollAgain ? 0 : pollMs).unref();
      pollAgain = false;
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
