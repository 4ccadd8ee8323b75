import type { Logger } from "pino";

import { chainCall, type ChainHead } from "../chain/chain-source.ts";
import type { NetworkSettings } from "../chain/networks.ts";
import type { Member, SeenBlock } from "./upstream-member.ts";
import { UpstreamFailure } from "./upstream.ts";

/** The newest blocks of a network's upstreams. */
export interface Heads {
  /** Must be called when the network is used: it keeps the polling going for a while. */
  readonly touch: () => void;
  /** Looks at all upstreams now, or waits for the look that is in progress. */
  readonly look: () => Promise<void>;
  readonly last: () => ChainHead | undefined;
  /** Blocks that `member` is behind the newest one; 0 if its head is unknown. */
  readonly lagOf: (member: Member) => number;
  /** Registers a listener, which is called with the lowest number of the blocks that were replaced. */
  readonly onReorganisation: (listener: (from: number) => void) => void;
  readonly close: () => void;
}

interface HeadsOptions {
  readonly network: NetworkSettings;
  readonly members: readonly Member[];
  readonly logger: Logger;
  readonly onLook: () => void;
}

/** Polling ends this long after the last use: providers bill or limit requests. */
const pollAfterUseMs = 30_000;
/** The final block moves every few minutes. */
const finalizedEveryMs = 15_000;

/**
 * Polls the newest block of every upstream while the network is in use. If a block's parent is not the block seen
 * before it, there was a reorganisation.
 */
export function createHeads({ network, members, logger, onLook }: HeadsOptions): Heads {
  const listeners: ((from: number) => void)[] = [];
  let finalized = 0;
  let finalizedSeenAtMs = Number.NEGATIVE_INFINITY;
  let touchedAtMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isClosed = false;

  let best: Member | undefined;
  let last: ChainHead | undefined;

  const updateLast = (): void => {
    const known = members.filter((member) => member.head !== undefined && !member.isOnWrongChain());
    best = known.toSorted((one, other) => (other.head?.number ?? 0) - (one.head?.number ?? 0))[0];
    last = best?.head && { number: best.head.number, finalized, seenAtMs: best.headSeenAtMs };
  };

  const onReplacedBlocks = (member: Member, head: SeenBlock): void => {
    // A head below the final block means another chain: the node was reset.
    const from = head.number < finalized ? 0 : finalized + 1;
    if (from === 0) finalized = Math.max(0, head.number - network.finalityBlocks);
    updateLast();
    member.seen.clear();
    logger.warn({ network: network.name, upstream: member.name, block: head.number }, "blocks were replaced");
    for (const listener of listeners) listener(from);
  };

  const lookAt = async (member: Member): Promise<void> => {
    const head = await blockOf(member, "latest", network.attemptMs);
    if (head === undefined) return;
    const isReorganised = await wasReorganised(member, head, network.attemptMs);
    member.head = head;
    member.headSeenAtMs = performance.now();
    updateLast();
    if (isReorganised) onReplacedBlocks(member, head);
    member.seen.set(head.number, head.hash);
  };

  const lookAtFinalized = async (): Promise<void> => {
    const member = best;
    if (member?.head === undefined || performance.now() - finalizedSeenAtMs < finalizedEveryMs) return;
    const block = await blockOf(member, "finalized", network.attemptMs);
    finalizedSeenAtMs = performance.now();
    finalized = Math.max(finalized, block?.number ?? member.head.number - network.finalityBlocks);
    updateLast();
  };

  const lookAtAll = async (): Promise<void> => {
    const looks = members
      .filter((member) => member.breaker.admits())
      .map((member) => lookAt(member).catch(ignoreFailure));
    await Promise.all(looks);
    await lookAtFinalized().catch(ignoreFailure);
    onLook();
  };

  const look = (): Promise<void> => {
    looking ??= lookAtAll().finally(() => (looking = undefined));
    return looking;
  };

  const tick = async (): Promise<void> => {
    try {
      await look();
    } finally {
      const isUsed = performance.now() - touchedAtMs < pollAfterUseMs;
      timer = isUsed && !isClosed ? setTimeout(startTick, network.pollMs).unref() : undefined;
    }
  };
  const startTick = (): void => {
    tick().catch((error: unknown) => logger.error({ err: error }, "looking at the newest blocks failed"));
  };

  return {
    touch: () => {
      touchedAtMs = performance.now();
      if (timer !== undefined || isClosed) return;
      timer = setTimeout(startTick, 0).unref();
    },
    look,
    last: () => last,
    lagOf: ({ head }) => (head === undefined ? 0 : (last?.number ?? head.number) - head.number),
    onReorganisation: (listener) => listeners.push(listener),
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** The circuit breaker deals with nodes that do not answer. */
function ignoreFailure(error: unknown): void {
  if (!(error instanceof UpstreamFailure)) throw error;
}

async function wasReorganised(member: Member, head: SeenBlock, timeoutMs: number): Promise<boolean> {
  const { head: before, seen } = member;
  if (before === undefined || before.hash === head.hash) return false;
  if (head.number === before.number + 1) return head.parentHash !== before.hash;
  // Nodes behind one URL differ by a block or two: a block that was seen before replaces nothing.
  if (head.number <= before.number) return seen.get(head.number) !== head.hash;
  const same = await blockOf(member, `0x${before.number.toString(16)}`, timeoutMs);
  return same !== undefined && same.hash !== before.hash;
}

async function blockOf(member: Member, block: string, timeoutMs: number): Promise<SeenBlock | undefined> {
  const { value, errorCode } = await member.send(chainCall("eth_getBlockByNumber", block, false), timeoutMs);
  if (errorCode !== undefined || typeof value !== "object" || value === null) return undefined;
  const { number, hash, parentHash, timestamp } = value as Record<string, unknown>;
  if (typeof number !== "string" || typeof hash !== "string" || typeof parentHash !== "string")
    return undefined;
  return { number: Number(number), hash, parentHash, timestamp: Number(timestamp) };
}
