import type { Logger } from "pino";

import { LruMap } from "../../core/lru-map.ts";
import { chainCall, type ChainCall, type NodeAnswer } from "../chain/chain-source.ts";
import type { NetworkSettings } from "../chain/networks.ts";
import { UpstreamFailure, type Upstream } from "./upstream.ts";

/** The parts of a block that health checks and the detection of reorganisations need. */
export interface SeenBlock {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  /** Seconds since the epoch, by the chain's clock. */
  readonly timestamp: number;
}

/** An upstream of a network with its state. */
export interface Member {
  readonly name: string;
  readonly weight: number;
  readonly breaker: CircuitBreaker;
  readonly latencies: Latencies;
  head: SeenBlock | undefined;
  /** Time of the last look, in milliseconds of `performance.now()`. */
  headSeenAtMs: number;
  /** Hashes of its earlier heads by number. */
  readonly seen: LruMap<number, string>;
  /** Whether it reported another chain id than that of the network. */
  isOnWrongChain: () => boolean;
  /** One attempt, with a check of the chain id before it where that is due. Errors: `UpstreamFailure`. */
  send(call: ChainCall, timeoutMs: number, signal?: AbortSignal): Promise<NodeAnswer>;
  close(): Promise<void>;
}

interface MemberOptions {
  readonly network: NetworkSettings;
  readonly upstream: Upstream;
  readonly logger: Logger;
  /** Called with the outcome of every request. */
  readonly onOutcome: (outcome: string) => void;
}

const seenMax = 256;
/** Milliseconds for which a reported chain id is valid; a wrong one is checked sooner. */
const chainKnownMs = 300_000;
const wrongChainKnownMs = 30_000;

/** Tracks the chain id, the failures and the latencies of an upstream. */
export function createMember({ network, upstream, logger, onOutcome }: MemberOptions): Member {
  const breaker = createCircuitBreaker();
  const latencies = createLatencies();
  let chainId: number | undefined;
  let chainKnownUntilMs = 0;
  let check: Promise<void> | undefined;

  const isWrong = (): boolean => chainId !== undefined && chainId !== network.chainId;

  const attempt = async (call: ChainCall, timeoutMs: number, signal?: AbortSignal): Promise<NodeAnswer> => {
    const began = performance.now();
    breaker.begin();
    try {
      const answer = await upstream.send(call, timeoutMs, signal);
      breaker.succeed();
      latencies.add(performance.now() - began);
      onOutcome(answer.errorCode === undefined ? "ok" : "error");
      return answer;
    } catch (error) {
      const failure =
        error instanceof UpstreamFailure ? error : new UpstreamFailure("connection", String(error));
      onOutcome(failure.kind);
      if (failure.kind === "given-up") breaker.forget();
      // An answer that is too large is no fault of the node.
      else if (failure.kind === "too-large") breaker.succeed();
      else {
        breaker.fail();
        breaker.pause(failure.pauseMs);
        logger.warn(
          { network: network.name, upstream: upstream.name, failure: failure.kind },
          failure.message,
        );
      }
      throw failure;
    }
  };

  const checkChain = async (timeoutMs: number): Promise<void> => {
    const { value, errorCode } = await attempt(chainCall("eth_chainId"), timeoutMs);
    if (errorCode !== undefined) throw new UpstreamFailure("malformed", "no answer to eth_chainId");
    chainId = Number(value);
    chainKnownUntilMs = performance.now() + (isWrong() ? wrongChainKnownMs : chainKnownMs);
    if (!isWrong()) return;
    logger.error(
      { network: network.name, upstream: upstream.name, expected: network.chainId, found: chainId },
      "an upstream serves another chain and is not used",
    );
  };

  const checkAndAttempt = async (
    call: ChainCall,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<NodeAnswer> => {
    if (performance.now() >= chainKnownUntilMs) {
      // Concurrent calls wait for the same check.
      check ??= checkChain(timeoutMs).finally(() => (check = undefined));
      await check;
    }
    if (isWrong()) throw new UpstreamFailure("wrong-chain", "it serves another chain");
    return attempt(call, timeoutMs, signal);
  };

  return {
    name: upstream.name,
    weight: upstream.weight,
    breaker,
    latencies,
    head: undefined,
    headSeenAtMs: 0,
    seen: new LruMap(seenMax),
    isOnWrongChain: () => isWrong() && performance.now() < chainKnownUntilMs,
    send(call, timeoutMs, signal) {
      if (performance.now() < chainKnownUntilMs && !isWrong()) return attempt(call, timeoutMs, signal);
      return checkAndAttempt(call, timeoutMs, signal);
    },
    close: upstream.close,
  };
}

/** Consecutive failures after which the breaker opens. */
const failuresMax = 5;
const openMsFirst = 2_000;
const openMsMax = 60_000;

/** Stops calls to an upstream that fails, and lets a probe through from time to time. */
interface CircuitBreaker {
  /** Whether a call may be sent now. One may when an open breaker's time is over: the probe. */
  readonly admits: () => boolean;
  /** Must be called before each call, and `succeed`, `fail` or `forget` after it. */
  readonly begin: () => void;
  readonly succeed: () => void;
  readonly fail: () => void;
  /** The call was aborted, which says nothing about the upstream. */
  readonly forget: () => void;
  readonly pause: (ms: number) => void;
}

/** `nowMs` is a monotonic clock. */
export function createCircuitBreaker(nowMs: () => number = () => performance.now()): CircuitBreaker {
  let failures = 0;
  let openUntilMs = 0;
  let openMs = openMsFirst;
  let isProbing = false;
  const isOpen = (): boolean => failures >= failuresMax || openUntilMs > nowMs();

  return {
    admits: () => !isOpen() || (nowMs() >= openUntilMs && !isProbing),
    begin: () => {
      if (isOpen()) isProbing = true;
    },
    succeed: () => {
      failures = 0;
      openMs = openMsFirst;
      openUntilMs = 0;
      isProbing = false;
    },
    fail: () => {
      failures += 1;
      isProbing = false;
      if (failures < failuresMax) return;
      openUntilMs = nowMs() + openMs;
      openMs = Math.min(2 * openMs, openMsMax);
    },
    forget: () => {
      isProbing = false;
    },
    pause: (ms) => {
      openUntilMs = Math.max(openUntilMs, nowMs() + Math.min(ms, openMsMax));
    },
  };
}

const samplesMax = 64;
const samplesMin = 16;
const floorMs = 25;

/** The latencies of recent answers, by which a late one is recognised. */
interface Latencies {
  readonly add: (ms: number) => void;
  /** The 90th percentile, or `defaultMs` while there are too few samples. */
  readonly ninetiethMs: (defaultMs: number) => number;
}

/** Keeps the last 64 latencies. */
function createLatencies(): Latencies {
  const samples: number[] = [];
  let next = 0;
  let cached: number | undefined;
  return {
    add: (ms) => {
      samples[next] = ms;
      next = (next + 1) % samplesMax;
      // An approximate percentile is enough: the samples are not sorted after every answer.
      if (next % samplesMin === 0) cached = undefined;
    },
    ninetiethMs: (defaultMs) => {
      if (samples.length < samplesMin) return defaultMs;
      cached ??= samples.toSorted((one, other) => one - other)[Math.floor(samples.length * 0.9)] ?? defaultMs;
      return Math.max(cached, floorMs);
    },
  };
}
