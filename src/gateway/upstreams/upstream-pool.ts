import { setTimeout as delay } from "node:timers/promises";

import type { Logger } from "pino";

import { broadcast } from "./broadcast.ts";
import { dependenceOf } from "../cache/cacheability.ts";
import type { ChainCall, ChainHead, ChainSource, NodeAnswer } from "../chain-source.ts";
import { firstGood, type Attempted } from "./first-good.ts";
import type { GatewayMetrics } from "../gateway-metrics.ts";
import { createHeads } from "./heads.ts";
import { codes, responseTooLarge, RpcError } from "../rpc/json-rpc.ts";
import type { NetworkSettings } from "../networks.ts";
import { createMember, type Member } from "./upstream-member.ts";
import { createUpstream, UpstreamFailure, type FailureKind } from "./upstream.ts";
import { announcedBlock, judge } from "./verdict.ts";

interface PoolOptions {
  readonly network: NetworkSettings;
  readonly responseBytesMax: number;
  readonly metrics: GatewayMetrics;
  readonly logger: Logger;
}

/** An attempt that was not good: what the node answered, or why it did not. */
type Other = { readonly answer: NodeAnswer; readonly isBehind: boolean } | { readonly failure: FailureKind };

const backOffMsFirst = 50;
const roundsMax = 5;
const hedgeMsUnknown = 400;

/** The upstreams of a network as one chain: what one does not answer, another does. */
export function createUpstreamPool(options: PoolOptions): ChainSource {
  const { network, metrics, logger } = options;
  const members = network.upstreams.map((settings) =>
    createMember({
      network,
      upstream: createUpstream(settings, { ...options, allowLinkLocal: network.allowLinkLocal }),
      logger,
      onAsked: (outcome) => metrics.asked(network.name, settings.name, outcome),
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
  let tip = 0;
  heads.onReorganisation(() => {
    // A chain that became shorter for everybody is shorter: to insist on a lost block would stop its clients for ever.
    tip = Math.min(tip, heads.last()?.number ?? tip);
  });

  const isPreferred = (member: Member): boolean =>
    member.breaker.admits() &&
    !member.isOnWrongChain() &&
    heads.lagOf(member) <= network.lagBlocksMax &&
    !isStale(member, network.headAgeSecondsMax);

  /** Best first; those that are cut off are tried only where there is nobody else. */
  const inOrder = (): readonly Member[] => {
    const [first] = members;
    if (members.length === 1 && first !== undefined) return members;
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
  ): Promise<Attempted<NodeAnswer, Other>> => {
    try {
      const answer = await member.send(call, timeoutMs, signal);
      const progress = { tip, head: heads.last()?.number, nodeHead: member.head?.number };
      const verdict = judge(call, answer, progress);
      if (verdict === "good") return { good: answer, others: [] };
      return { others: [{ answer, isBehind: verdict === "behind" }] };
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      return { others: [{ failure: error.kind }] };
    }
  };

  const tryInOrder = (
    call: ChainCall,
    order: readonly Member[],
    timeoutMs: number,
  ): Promise<Attempted<NodeAnswer, Other>> => {
    const [first, second] = order;
    // Where nobody else can be asked there is nothing to race.
    if (first !== undefined && second === undefined) return attempt(call, first, timeoutMs);
    return firstGood(order, (member, signal) => attempt(call, member, timeoutMs, signal), {
      hedgeMs: network.hedge ? first?.latencies.ninetiethMs(hedgeMsUnknown) : undefined,
    });
  };

  const ask = async (call: ChainCall): Promise<NodeAnswer> => {
    const deadlineMs = performance.now() + network.deadlineMs;
    let others: readonly Other[] = [];
    for (let round = 0; round < roundsMax; round += 1) {
      const leftMs = deadlineMs - performance.now();
      if (leftMs <= 0) break;
      const order = inOrder();
      const timeoutMs = Math.min(network.attemptMs, leftMs);
      const found = await tryInOrder(call, order, timeoutMs);
      if (found.good !== undefined) return announce(call, found.good);
      others = found.others;
      if (!mayPass(others)) break;
      await delay(Math.min(backOffMs(round), Math.max(0, deadlineMs - performance.now())));
    }
    return settle(call, others);
  };

  /** Remembers what clients are told of the chain's length. */
  const announce = (call: ChainCall, answer: NodeAnswer): NodeAnswer => {
    tip = Math.max(tip, announcedBlock(call, answer.value) ?? 0);
    return answer;
  };

  /** Makes the best of attempts of which none was good. Errors: `RpcError`. */
  const settle = (call: ChainCall, others: readonly Other[]): NodeAnswer => {
    const answers = others.flatMap((other) => ("answer" in other ? [other] : []));
    const known = answers.filter(({ isBehind }) => !isBehind).map(({ answer }) => answer);
    const best = known.find(({ errorCode }) => errorCode === undefined) ?? known[0];
    if (best !== undefined) return best;
    if (answers.length > 0 && call.method === "eth_blockNumber") return quantityAnswer(tip);
    if (answers.length > 0) {
      throw new RpcError(
        codes.unavailable,
        `Every upstream of ${network.name} that answers is behind block ${tip}`,
        {
          status: 503,
        },
      );
    }
    if (others.some((other) => "failure" in other && other.failure === "too-large"))
      throw responseTooLarge(options.responseBytesMax);
    throw unavailable(network.name);
  };

  /** Asks until `network.agreement` upstreams say the same. Errors: `RpcError`. */
  const askSeveral = async (call: ChainCall): Promise<NodeAnswer> => {
    const votes = new Map<string, NodeAnswer[]>();
    const timeoutMs = Math.min(network.attemptMs, network.deadlineMs);
    const { good, others } = await firstGood(
      inOrder(),
      async (member, signal): Promise<Attempted<NodeAnswer, Other>> => {
        const attempted = await attempt(call, member, timeoutMs, signal);
        const { good: answer } = attempted;
        if (answer === undefined) return attempted;
        const key = `${answer.errorCode ?? JSON.stringify(answer.value)}`;
        const same = [...(votes.get(key) ?? []), answer];
        votes.set(key, same);
        return same.length >= network.agreement ? { good: answer, others: [] } : { others: [] };
      },
      { hedgeMs: 0 },
    );
    if (good !== undefined) return good;
    if (votes.size === 0) return settle(call, others);
    logger.warn({ network: network.name, method: call.method }, "upstreams do not agree");
    throw new RpcError(
      codes.unavailable,
      `Fewer than ${network.agreement} upstreams of ${network.name} agree`,
      {
        status: 503,
      },
    );
  };

  const send = async (call: ChainCall): Promise<NodeAnswer> => {
    const deadlineMs = performance.now() + network.deadlineMs;
    for (let round = 0; round < roundsMax && performance.now() < deadlineMs; round += 1) {
      const answer = await broadcast(
        call,
        inOrder(),
        Math.min(network.attemptMs, deadlineMs - performance.now()),
      );
      if (answer !== undefined) return answer;
      await delay(Math.min(backOffMs(round), Math.max(0, deadlineMs - performance.now())));
    }
    throw unavailable(network.name);
  };

  const head = async (): Promise<ChainHead> => {
    heads.touch();
    const last = heads.last();
    if (last !== undefined && performance.now() - last.seenAtMs < 2 * network.pollMs) return last;
    await heads.look();
    const looked = heads.last();
    if (looked === undefined) throw unavailable(network.name);
    return looked;
  };

  return {
    call: (call) => {
      heads.touch();
      if (call.method === "eth_sendRawTransaction") return send(call);
      const needsAgreement = network.agreement > 1 && dependenceOf(call) !== undefined;
      return needsAgreement ? askSeveral(call) : ask(call);
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

/** Whether another round may go better: a node failed to answer, or has yet to catch up. */
function mayPass(others: readonly Other[]): boolean {
  const isAnswered = others.some(
    (other) => "answer" in other && !other.isBehind && other.answer.errorCode === undefined,
  );
  return (
    !isAnswered &&
    (others.length === 0 ||
      others.some((other) => ("failure" in other ? other.failure !== "too-large" : other.isBehind)))
  );
}

/** Doubles from round to round; half of it is by chance, so that callers do not come back all at once. */
function backOffMs(round: number): number {
  return backOffMsFirst * 2 ** round * (0.5 + Math.random());
}

function isStale({ head, headSeenAtMs }: Member, ageSecondsMax: number): boolean {
  if (ageSecondsMax === 0 || head === undefined) return false;
  const seenSecondsAgo = (performance.now() - headSeenAtMs) / 1000;
  return Date.now() / 1000 - seenSecondsAgo - head.timestamp > ageSecondsMax;
}

/** A random order in which the heavier come first more often. */
function shuffleByWeight(members: readonly Member[]): readonly Member[] {
  if (members.length < 2) return members;
  return members
    .map((member) => ({ member, key: -Math.log(1 - Math.random()) / member.weight }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ member }) => member);
}

function quantityAnswer(quantity: number): NodeAnswer {
  const value = `0x${quantity.toString(16)}`;
  return { text: JSON.stringify(value), value, errorCode: undefined };
}

function unavailable(network: string): RpcError {
  return new RpcError(codes.unavailable, `No upstream of ${network} answers`, { status: 503 });
}
