import { dependenceOf, keptUnder, type Dependence } from "./cacheability.ts";
import type { ChainCall, ChainHead, ChainSource, NodeAnswer } from "../chain-source.ts";
import type { Soon } from "../soon.ts";

/**
 * `HIT`: kept from before. `MISS`: asked of a node, and kept from now on if it may be. `SHARED`: the same call was
 * under way already. `BYPASS`: never kept.
 */
export type CacheOutcome = "HIT" | "MISS" | "SHARED" | "BYPASS";

export interface CachedAnswer {
  readonly answer: Pick<NodeAnswer, "text" | "errorCode">;
  readonly outcome: CacheOutcome;
}

/** A chain with a memory of its answers. */
export interface CachedSource {
  /** At once where the answer is kept. Errors: `RpcError` where no node answers. */
  readonly call: (call: ChainCall) => Soon<CachedAnswer>;
  readonly head: ChainSource["head"];
}

interface CacheOptions {
  /** Memory for answers, keys included. */
  readonly bytesMax: number;
  /** How long a block that is not final may go unconfirmed, in milliseconds, before what rests on it is asked for again. */
  readonly unconfirmedMsMax: number;
  readonly onBytes: (bytes: number) => void;
}

interface Kept {
  readonly text: string;
  /** The block that it rests on; 0 for none. */
  readonly block: number;
  readonly bytes: number;
  /** Whether it was asked for since it was last about to go. */
  isUsed: boolean;
}

/** What one entry costs beside its text. */
const entryBytes = 200;
/** One answer must not push out all others. */
const shareMax = 1 / 8;
/** What depends on no block holds on a chain of any length. */
const genesis: ChainHead = { number: 0, finalized: 0, seenAtMs: 0 };

/**
 * Keeps answers by method and parameters for as long as the chain cannot change them: for ever below the final block,
 * above it until blocks are replaced. Identical calls under way at the same time share one request.
 */
export function createCachedSource(source: ChainSource, options: CacheOptions): CachedSource {
  const { bytesMax, unconfirmedMsMax, onBytes } = options;
  const kept = new Map<string, Kept>();
  const underWay = new Map<string, Promise<NodeAnswer>>();
  let bytes = 0;
  let reorganisations = 0;

  const drop = (key: string, { bytes: size }: Kept): void => {
    kept.delete(key);
    bytes -= size;
  };

  source.onReorganisation((from) => {
    reorganisations += 1;
    for (const [key, entry] of kept) if (entry.block !== 0 && entry.block >= from) drop(key, entry);
    onBytes(bytes);
  });

  const find = (key: string): Kept | undefined => {
    const entry = kept.get(key);
    if (entry === undefined || !isConfirmed(entry, source.lastHead(), unconfirmedMsMax)) return undefined;
    entry.isUsed = true;
    return entry;
  };

  /** The oldest go, but for those that were asked for meanwhile, which wait for another turn. */
  const makeRoom = (): void => {
    for (const [oldest, entry] of kept) {
      if (bytes <= bytesMax) return;
      if (!entry.isUsed) drop(oldest, entry);
      else {
        entry.isUsed = false;
        kept.delete(oldest);
        kept.set(oldest, entry);
      }
    }
  };

  const keep = (key: string, text: string, block: number): void => {
    const size = key.length + 2 * text.length + entryBytes;
    if (size > bytesMax * shareMax) return;
    const before = kept.get(key);
    if (before !== undefined) drop(key, before);
    kept.set(key, { text, block, bytes: size, isUsed: false });
    bytes += size;
    makeRoom();
    onBytes(bytes);
  };

  const keepIfLasting = async (
    key: string,
    dependence: Dependence,
    answer: NodeAnswer,
    askedIn: number,
  ): Promise<void> => {
    if (answer.errorCode !== undefined) return;
    const head = dependence.kind === "nothing" ? genesis : (source.lastHead() ?? (await source.head()));
    const block = keptUnder(dependence, answer.value, head);
    if (block === undefined || (askedIn !== reorganisations && block > head.finalized)) return;
    keep(key, answer.text, block);
  };

  const ask = async (key: string, call: ChainCall): Promise<NodeAnswer> => {
    const asked = source.call(call);
    underWay.set(key, asked);
    try {
      return await asked;
    } finally {
      underWay.delete(key);
    }
  };

  const askOnce = async (
    key: string,
    dependence: Dependence | undefined,
    call: ChainCall,
  ): Promise<CachedAnswer> => {
    const same = underWay.get(key);
    if (same !== undefined) return { answer: await same, outcome: "SHARED" };
    const askedIn = reorganisations;
    const answer = await ask(key, call);
    if (dependence === undefined) return { answer, outcome: "BYPASS" };
    // Whether it may be kept can depend on a head that has to be asked for; the client need not wait.
    keepIfLasting(key, dependence, answer, askedIn).catch(() => undefined);
    return { answer, outcome: "MISS" };
  };

  const send = async (call: ChainCall): Promise<CachedAnswer> => ({
    answer: await source.call(call),
    outcome: "BYPASS",
  });

  return {
    head: source.head,
    call(call) {
      if (call.method === "eth_sendRawTransaction") return send(call);
      const key = call.method + call.paramsText;
      const dependence = dependenceOf(call);
      const entry = dependence && find(key);
      if (entry === undefined) return askOnce(key, dependence, call);
      return { answer: { text: entry.text, errorCode: undefined }, outcome: "HIT" };
    },
  };
}

/** Whether what rests on a block still holds: it is final, or no node has said lately that it was replaced. */
function isConfirmed({ block }: Kept, head: ChainHead | undefined, unconfirmedMsMax: number): boolean {
  if (block === 0) return true;
  if (head === undefined) return false;
  return block <= head.finalized || performance.now() - head.seenAtMs <= unconfirmedMsMax;
}
