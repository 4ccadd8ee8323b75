import { FairMap } from "../../core/fair-map.ts";
import { FairTurns } from "../../core/fair-room.ts";
import { rpcErrors } from "../chain/errors.ts";
import type { Party, ChainCall, ChainHead, ChainSource, NodeAnswer } from "../chain/chain-source.ts";
import { blockOfAnswer, dependenceOf, type Dependence } from "./cacheability.ts";

/**
 * `HIT`: the answer was in the cache. `MISS`: a node was asked, and the answer is cached if that is allowed. `SHARED`:
 * an identical call was in flight. `BYPASS`: the answer is never cached.
 */
export type CacheOutcome = "HIT" | "MISS" | "SHARED" | "BYPASS";

export interface CachedAnswer extends Pick<NodeAnswer, "text" | "errorCode"> {
  readonly cache: CacheOutcome;
}

/** A chain with a cache in front. */
export interface CachedSource {
  /** Returns a promise unless the answer is in the cache. Errors: `RpcError` if no node answers. */
  readonly call: (call: ChainCall, party?: Party) => CachedAnswer | Promise<CachedAnswer>;
  readonly head: ChainSource["head"];
}

interface CacheOptions {
  /** Memory for answers, including their keys; those who asked for them share it. */
  readonly bytesMax: number;
  /** For how many milliseconds an answer about a block that is not final is valid after the last look at the chain. */
  readonly unconfirmedMsMax: number;
  readonly onBytes: (bytes: number) => void;
}

interface Entry {
  readonly text: string;
  /** The block that the answer depends on; 0 for none. */
  readonly block: number;
}

/** Overhead of an entry. */
const entryBytes = 200;
/** Calls that nodes are asked at the same time, and that wait for it: those who make them share both. */
const askedMax = { runningMax: 256, waitingMax: 20_000 };
/** Largest share of the cache for one answer. */
const shareMax = 1 / 8;
const genesis: ChainHead = { number: 0, finalized: 0, seenAtMs: 0 };

/**
 * Caches answers by method and parameters while the chain cannot change them: up to the final block for ever, above it
 * until a reorganisation. Identical calls in flight share one request.
 */
export function createCachedSource(source: ChainSource, options: CacheOptions): CachedSource {
  const { bytesMax, unconfirmedMsMax, onBytes } = options;
  const entries = new FairMap<string, Entry>({ weightMax: bytesMax });
  const turns = new FairTurns(askedMax);
  const inFlight = new Map<string, Promise<NodeAnswer>>();
  let reorganisations = 0;

  /** Asks when it is the turn of the party. Errors: `RpcError`. */
  const askInTurn = (call: ChainCall, party: Party): Promise<NodeAnswer> =>
    new Promise((resolve, reject) => {
      const isTaken = turns.take(party, (end) => {
        source.call(call).finally(end).then(resolve, reject);
      });
      if (!isTaken) reject(rpcErrors.tooManyCalls(1));
    });

  source.onReorganisation((from) => {
    reorganisations += 1;
    for (const [key, { block }] of entries) if (block !== 0 && block >= from) entries.delete(key);
    onBytes(entries.weight);
  });

  const find = (key: string): Entry | undefined => {
    const entry = entries.get(key);
    const isValid = entry !== undefined && isConfirmed(entry, source.lastHead(), unconfirmedMsMax);
    return isValid ? entry : undefined;
  };

  const add = (key: string, text: string, block: number, party: Party): void => {
    const size = key.length + 2 * text.length + entryBytes;
    if (size > bytesMax * shareMax) return;
    entries.set(key, { text, block }, [party], size);
    onBytes(entries.weight);
  };

  const addIfStable = async (
    key: string,
    dependence: Dependence,
    answer: NodeAnswer,
    reorganisationsBefore: number,
    party: Party,
  ): Promise<void> => {
    if (answer.errorCode !== undefined) return;
    const head = dependence.kind === "nothing" ? genesis : (source.lastHead() ?? (await source.head()));
    const block = blockOfAnswer(dependence, answer.value, head);
    if (block === undefined) return;
    const mayBeReplaced = reorganisationsBefore !== reorganisations && block > head.finalized;
    if (!mayBeReplaced) add(key, answer.text, block, party);
  };

  const ask = async (
    key: string,
    call: ChainCall,
    dependence: Dependence | undefined,
    party: Party,
  ): Promise<CachedAnswer> => {
    const same = inFlight.get(key);
    if (same !== undefined) return withOutcome(await same, "SHARED");
    const reorganisationsBefore = reorganisations;
    const asked = askInTurn(call, party);
    inFlight.set(key, asked);
    try {
      const answer = await asked;
      if (dependence === undefined) return withOutcome(answer, "BYPASS");
      // The client does not wait for the head, which may have to be asked for.
      addIfStable(key, dependence, answer, reorganisationsBefore, party).catch(() => undefined);
      return withOutcome(answer, "MISS");
    } finally {
      inFlight.delete(key);
    }
  };

  return {
    head: source.head,
    call(call, party = "") {
      // Each client that sends a transaction gets an answer of its own.
      if (call.method === "eth_sendRawTransaction")
        return askInTurn(call, party).then((answer) => withOutcome(answer, "BYPASS"));
      const key = call.method + call.paramsText;
      const dependence = dependenceOf(call);
      const entry = dependence && find(key);
      if (entry === undefined) return ask(key, call, dependence, party);
      return { text: entry.text, errorCode: undefined, cache: "HIT" };
    },
  };
}

function withOutcome({ text, errorCode }: NodeAnswer, cache: CacheOutcome): CachedAnswer {
  return { text, errorCode, cache };
}

/** Whether the block of an answer is final, or the chain was looked at recently without finding it replaced. */
function isConfirmed({ block }: Entry, head: ChainHead | undefined, unconfirmedMsMax: number): boolean {
  if (block === 0) return true;
  if (head === undefined) return false;
  return block <= head.finalized || performance.now() - head.seenAtMs <= unconfirmedMsMax;
}
