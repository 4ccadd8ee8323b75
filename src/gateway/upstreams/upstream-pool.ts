import { setTimeout as delay } from "node:timers/promises";

import type { Logger } from "pino";

import { dependenceOf } from "../cache/cacheability.ts";
import {
  resultAnswer,
  type ChainCall,
  type ChainHead,
  type ChainSource,
  type NodeAnswer,
  chainCall,
} from "../chain/chain-source.ts";
import { rpcErrors, codes } from "../chain/errors.ts";
import type { GatewayMetrics } from "../chain/metrics.ts";
import type { NetworkSettings } from "../chain/networks.ts";
import { createHeads } from "./heads.ts";
import { createMember, type Member } from "./upstream-member.ts";
import { createUpstream, UpstreamFailure, type FailureKind } from "./upstream.ts";
import { verdictOn, newestBlockIn } from "./verdict.ts";

interface PoolOptions {
  readonly network: NetworkSettings;
  readonly responseBytesMax: number;
  readonly metrics: GatewayMetrics;
  readonly logger: Logger;
}

/** An attempt that was not good: the answer of a node, or the reason for none. */
type NotGood =
  | { readonly answer: NodeAnswer; readonly isBehind: boolean }
  | { readonly failure: FailureKind };
type Attempt = AttemptResult<NodeAnswer, NotGood>;

const backOffMsFirst = 50;
const roundsMax = 5;
const hedgeMsDefault = 400;

/** The upstreams of a network as one chain, with failover between them. */
export function createUpstreamPool(options: PoolOptions): ChainSource {
  const { network, metrics, logger } = options;
  const members = network.upstreams.map((settings) =>
    createMember({
      network,
      upstream: createUpstream(settings, { ...options, allowLinkLocal: network.allowLinkLocal }),
      logger,
      onOutcome: (outcome) => metrics.asked(network.name, settings.name, outcome),
    }),
  );
  const heads = createHeads({
    network,
    members,
    logger,
    onLook: () => {
      for (const member of members) {
        metrics.upstreamState(network.name, member.name, isPreferred(member), member.head?.number);
      }
    },
  });
  /** The highest block number that any client was answered with. */
  let highestAnswered = 0;
  heads.onReorganisation(() => {
    // The chain may have become shorter: to wait for a block that is gone would stop all clients.
    highestAnswered = Math.min(highestAnswered, heads.last()?.number ?? highestAnswered);
  });

  const isPreferred = (member: Member): boolean =>
    member.breaker.admits() &&
    !member.isOnWrongChain() &&
    heads.lagOf(member) <= network.lagBlocksMax &&
    !isStale(member, network.headAgeSecondsMax);

  /** The members to try, best first. Those with an open breaker are tried only if there are no others. */
  const inOrder = (): readonly Member[] => {
    if (members.length === 1) return members;
    const onChain = members.filter((member) => !member.isOnWrongChain());
    const admitted = onChain.filter((member) => member.breaker.admits());
    if (admitted.length === 0) return shuffleByWeight(onChain);
    const preferred = admitted.filter(isPreferred);
    const others = admitted.filter((member) => !preferred.includes(member));
    return [...shuffleByWeight(preferred), ...others.toSorted((a, b) => heads.lagOf(a) - heads.lagOf(b))];
  };

  const attempt = async (
    call: ChainCall,
    member: Member,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<Attempt> => {
    try {
      const answer = await member.send(call, timeoutMs, signal);
      const verdict = verdictOn(call, answer, {
        answered: highestAnswered,
        head: heads.last()?.number,
        nodeHead: member.head?.number,
      });
      if (verdict === "good") return { good: answer, others: [] };
      return { others: [{ answer, isBehind: verdict === "behind" }] };
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      return { others: [{ failure: error.kind }] };
    }
  };

  const tryInOrder = (call: ChainCall, order: readonly Member[], timeoutMs: number): Promise<Attempt> => {
    const [first, second] = order;
    if (first !== undefined && second === undefined) return attempt(call, first, timeoutMs);
    return firstGood(order, (member, signal) => attempt(call, member, timeoutMs, signal), {
      hedgeMs: network.hedge ? first?.latencies.ninetiethMs(hedgeMsDefault) : undefined,
    });
  };

  /** Asks in rounds until an answer is good, no better one can be expected, or the deadline has passed. */
  const ask = async (call: ChainCall): Promise<NodeAnswer> => {
    const deadlineMs = performance.now() + network.deadlineMs;
    let others: readonly NotGood[] = [];
    for (let round = 0; round < roundsMax; round += 1) {
      const leftMs = deadlineMs - performance.now();
      if (leftMs <= 0) break;
      const result = await tryInOrder(call, inOrder(), Math.min(network.attemptMs, leftMs));
      if (result.good !== undefined) {
        highestAnswered = Math.max(highestAnswered, newestBlockIn(call, result.good.value) ?? 0);
        return result.good;
      }
      others = result.others;
      if (!isWorthRetrying(others)) break;
      await delay(backOffMs(round, deadlineMs));
    }
    return bestOf(call, others);
  };

  /** The best of attempts of which none was good. Errors: `RpcError`. */
  const bestOf = (call: ChainCall, others: readonly NotGood[]): NodeAnswer => {
    const answers = others.flatMap((other) => ("answer" in other ? [other] : []));
    const upToDate = answers.filter(({ isBehind }) => !isBehind).map(({ answer }) => answer);
    const best = upToDate.find(({ errorCode }) => errorCode === undefined) ?? upToDate[0];
    if (best !== undefined) return best;
    if (answers.length > 0 && call.method === "eth_blockNumber") {
      return resultAnswer(`0x${highestAnswered.toString(16)}`);
    }
    if (answers.length > 0) throw rpcErrors.upstreamsBehind(network.name, highestAnswered);
    if (others.some((other) => "failure" in other && other.failure === "too-large")) {
      throw rpcErrors.responseTooLarge(options.responseBytesMax);
    }
    throw rpcErrors.noUpstreamAnswers(network.name);
  };

  /** Asks all members at once until `network.agreement` of them agree. Errors: `RpcError`. */
  const askForAgreement = async (call: ChainCall): Promise<NodeAnswer> => {
    const votes = new Map<string, number>();
    const timeoutMs = Math.min(network.attemptMs, network.deadlineMs);
    const { good, others } = await firstGood(
      inOrder(),
      async (member, signal): Promise<Attempt> => {
        const result = await attempt(call, member, timeoutMs, signal);
        const { good: answer } = result;
        if (answer === undefined) return result;
        const key = `${answer.errorCode ?? JSON.stringify(answer.value)}`;
        const count = (votes.get(key) ?? 0) + 1;
        votes.set(key, count);
        return count >= network.agreement ? { good: answer, others: [] } : { others: [] };
      },
      { hedgeMs: 0 },
    );
    if (good !== undefined) return good;
    if (votes.size === 0) return bestOf(call, others);
    logger.warn({ network: network.name, method: call.method }, "upstreams do not agree");
    throw rpcErrors.upstreamsDisagree(network.name, network.agreement);
  };

  const send = async (call: ChainCall): Promise<NodeAnswer> => {
    const deadlineMs = performance.now() + network.deadlineMs;
    for (let round = 0; round < roundsMax && performance.now() < deadlineMs; round += 1) {
      const timeoutMs = Math.min(network.attemptMs, deadlineMs - performance.now());
      const answer = await broadcast(call, inOrder(), timeoutMs);
      if (answer !== undefined) return answer;
      await delay(backOffMs(round, deadlineMs));
    }
    throw rpcErrors.noUpstreamAnswers(network.name);
  };

  const head = async (): Promise<ChainHead> => {
    heads.touch();
    const last = heads.last();
    if (last !== undefined && performance.now() - last.seenAtMs < 2 * network.pollMs) return last;
    await heads.look();
    const looked = heads.last();
    if (looked === undefined) throw rpcErrors.noUpstreamAnswers(network.name);
    return looked;
  };

  return {
    call: (call) => {
      heads.touch();
      if (call.method === "eth_sendRawTransaction") return send(call);
      const needsAgreement = network.agreement > 1 && dependenceOf(call) !== undefined;
      return needsAgreement ? askForAgreement(call) : ask(call);
    },
    head,
    lastHead: heads.last,
    onReorganisation: heads.onReorganisation,
    close: async () => {
      heads.close();
      for (const member of members) await member.close();
    },
  };
}

/** Whether another round may bring a good answer: a node did not answer, or is behind. */
function isWorthRetrying(others: readonly NotGood[]): boolean {
  const isAnswered = others.some(
    (other) => "answer" in other && !other.isBehind && other.answer.errorCode === undefined,
  );
  return (
    !isAnswered &&
    (others.length === 0 ||
      others.some((other) => ("failure" in other ? other.failure !== "too-large" : other.isBehind)))
  );
}

/** Exponential back-off with jitter, up to the deadline. */
function backOffMs(round: number, deadlineMs: number): number {
  const ms = backOffMsFirst * 2 ** round * (0.5 + Math.random());
  return Math.min(ms, Math.max(0, deadlineMs - performance.now()));
}

function isStale({ head, headSeenAtMs }: Member, ageSecondsMax: number): boolean {
  if (ageSecondsMax === 0 || head === undefined) return false;
  const seenSecondsAgo = (performance.now() - headSeenAtMs) / 1000;
  return Date.now() / 1000 - seenSecondsAgo - head.timestamp > ageSecondsMax;
}

/** A random order in which a member comes first with a probability by its weight. */
function shuffleByWeight(members: readonly Member[]): readonly Member[] {
  if (members.length < 2) return members;
  return members
    .map((member) => ({ member, key: -Math.log(1 - Math.random()) / member.weight }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ member }) => member);
}

/** The outcome of attempts: a `good` one ends the search, otherwise the next candidate is tried. */
interface AttemptResult<Good, Other> {
  readonly good?: Good | undefined;
  readonly others: readonly Other[];
}

interface SearchOptions {
  /** After this time the next candidate is tried in parallel; undefined to wait. */
  readonly hedgeMs: number | undefined;
}

/**
 * Tries candidates in order until one is good: the next one after a failure, and once in parallel when the first is
 * late. Aborts the attempts that are in flight at the end. Returns the good outcome, or all others. `attempt` must not
 * reject.
 */
function firstGood<Candidate, Good, Other>(
  candidates: readonly Candidate[],
  attempt: (candidate: Candidate, signal: AbortSignal) => Promise<AttemptResult<Good, Other>>,
  { hedgeMs }: SearchOptions,
): Promise<AttemptResult<Good, Other>> {
  return new Promise((resolve, reject) => {
    const failed: Other[] = [];
    const aborts = new Set<AbortController>();
    let next = 0;
    let isOver = false;
    let hedge: NodeJS.Timeout | undefined;

    const end = (good: Good | undefined): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(hedge);
      for (const abort of aborts) abort.abort();
      resolve({ good, others: failed });
    };
    const start = async (candidate: Candidate): Promise<void> => {
      const abort = new AbortController();
      aborts.add(abort);
      const { good, others } = await attempt(candidate, abort.signal);
      aborts.delete(abort);
      if (isOver) return;
      if (good !== undefined) {
        end(good);
        return;
      }
      failed.push(...others);
      if (!startNext() && aborts.size === 0) end(undefined);
    };
    const startNext = (): boolean => {
      const candidate = candidates[next];
      if (candidate === undefined) return false;
      next += 1;
      start(candidate).catch(reject);
      return true;
    };

    if (!startNext()) end(undefined);
    else if (candidates.length > 1 && hedgeMs !== undefined)
      hedge = setTimeout(() => void startNext(), hedgeMs);
  });
}

const alreadyKnown =
  /already (?:known|imported|exists)|known transaction|already in (?:the )?(?:mempool|pool)|ALREADY_EXISTS/i;
const alreadyKnownCode = 1000;
/** A blob transaction is sent with its blobs, which its hash does not cover (EIP-4844). */
const blobTransaction = /^0x03/i;

/**
 * Sends a signed transaction to several nodes at once and returns the answer of the first that accepts it, or already
 * has it. Returns undefined if no node answered: only then may it be sent again.
 */
async function broadcast(
  call: ChainCall,
  members: readonly Member[],
  timeoutMs: number,
): Promise<NodeAnswer | undefined> {
  const refusals: NodeAnswer[] = [];
  const attempts = members.map(async (member) => {
    const answer = await member.send(call, timeoutMs);
    if (answer.errorCode === undefined) return answer;
    const hash = isAlreadyKnown(answer) ? await hashOf(call, member, timeoutMs) : undefined;
    if (hash !== undefined) return hash;
    refusals.push(answer);
    throw new Error("refused");
  });
  try {
    return await Promise.any(attempts);
  } catch {
    // An error of the transaction is more useful than one of a busy node.
    return refusals.find(({ errorCode }) => !isBusy(errorCode)) ?? refusals[0];
  }
}

function isBusy(errorCode: number | undefined): boolean {
  return errorCode === codes.internalError || errorCode === codes.limitExceeded;
}

function isAlreadyKnown({ errorCode, value }: NodeAnswer): boolean {
  const { message } = (value ?? {}) as { readonly message?: unknown };
  return errorCode === alreadyKnownCode || (typeof message === "string" && alreadyKnown.test(message));
}

/** A node that already has a transaction does not return its hash, but computes it from the bytes. */
async function hashOf(
  { params }: ChainCall,
  member: Member,
  timeoutMs: number,
): Promise<NodeAnswer | undefined> {
  const [bytes] = params;
  if (typeof bytes !== "string" || blobTransaction.test(bytes)) return undefined;
  const answer = await member.send(chainCall("web3_sha3", bytes), timeoutMs);
  return answer.errorCode === undefined ? answer : undefined;
}
