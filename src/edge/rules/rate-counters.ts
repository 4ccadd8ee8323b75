import { hash } from "node:crypto";
import { FixedWindowLimiter } from "../../core/fixed-window-limiter.ts";
import { FairMap } from "../../core/fair-map.ts";
import type { AnswerLimit, LimitedRequest } from "../../core/judging/evaluation.ts";
import type { RateLimit } from "../../core/rulesets/rate-limit.ts";
import { withResponse, type DescribedResponse } from "../../core/judging/response-fields.ts";
import type { RunnableLimit } from "../../core/judging/program.ts";
import type { EdgeZone } from "../zones/edge-zone.ts";

type Account = Pick<EdgeZone, "accountId">;

interface Counter {
  readonly json: string;
  readonly windows: FixedWindowLimiter;
}

/** An amount that one thread counted for a key of a rule, as it tells the others. */
export interface Counted extends Account {
  readonly ruleId: string;
  readonly limit: Pick<RunnableLimit, "json" | "limit">;
  readonly key: string;
  readonly amount: number;
}

interface Bounds {
  /** Keys counted for one rule. */
  readonly keysMax: number;
  /** Keys counted for all rules together; each takes some 150 octets. */
  readonly keysInAllMax: number;
}

const usualBounds: Bounds = { keysMax: 20_000, keysInAllMax: 500_000 };
/** Longer keys are counted by their digest, as visitors choose what is in them. */
const keyCharactersMax = 64;

/**
 * Counts requests for rate limiting rules, in fixed windows. Beyond `keysMax`, the oldest window of the rule is
 * dropped; beyond `keysInAllMax`, all those of the rule that was asked for least recently, of an account that
 * has at least an equal part of them. What other threads count is taken from them.
 */
export class RateCounters {
  /** By the id of the rule, with the number of its keys as weight. */
  readonly #counters: FairMap<string, Counter>;
  readonly #bounds: Bounds;
  readonly #tell: ((counted: Counted) => void) | undefined;

  /** `tell` is called for all that is counted here, for other threads. */
  constructor(bounds: Bounds = usualBounds, tell?: (counted: Counted) => void) {
    this.#bounds = bounds;
    this.#tell = tell;
    this.#counters = new FairMap({ weightMax: bounds.keysInAllMax });
  }

  /**
   * Until when a request is above the limit of a rule; undefined if it is not. A challenge that the visitor
   * passed since the window began ends that window. Times (`passedAt` is that of the challenge) are milliseconds
   * since 1970.
   */
  exceededUntil(
    account: Account,
    { ruleId, limit, key: text, isCounted }: LimitedRequest,
    nowMs: number,
    passedAt: number | undefined,
  ): number | undefined {
    const windows = this.#windowsOf(account, ruleId, limit);
    const key = boundedKey(text);
    const counted = { accountId: account.accountId, ruleId, limit, key, amount: 1 };
    if (isCounted) this.#count(windows, counted, nowMs);
    const window = windows.exceeded(key, nowMs);
    if (window === undefined) return undefined;
    if (passedAt === undefined || passedAt <= window.beganAt) return window.endsAt;
    windows.end(key);
    this.#counters.weigh(ruleId, windows.size);
    if (isCounted) this.#add(windows, counted, nowMs);
    return undefined;
  }

  countAnswer(
    account: Account,
    { ruleId, limit, key: text, request }: AnswerLimit,
    response: DescribedResponse,
    nowMs: number,
  ): void {
    const amount = amountOf(limit.limit, response);
    if (amount === 0 || limit.counts?.(withResponse(request, response)) === false) return;
    const { accountId } = account;
    const counted = { accountId, ruleId, limit, key: boundedKey(text), amount };
    this.#count(this.#windowsOf(account, ruleId, limit), counted, nowMs);
  }

  /** Adds what another thread has counted a moment ago. */
  add(counted: Counted, nowMs: number): void {
    this.#add(this.#windowsOf(counted, counted.ruleId, counted.limit), counted, nowMs);
  }

  get size(): number {
    return this.#counters.weight;
  }

  #count(windows: FixedWindowLimiter, counted: Counted, nowMs: number): void {
    this.#add(windows, counted, nowMs);
    this.#tell?.(counted);
  }

  #add(windows: FixedWindowLimiter, { ruleId, key, amount }: Counted, nowMs: number): void {
    const before = windows.size;
    windows.count(key, nowMs, amount);
    if (windows.size !== before) this.#counters.weigh(ruleId, windows.size);
  }

  #windowsOf(
    { accountId }: Account,
    ruleId: string,
    { json, limit }: Pick<RunnableLimit, "json" | "limit">,
  ): FixedWindowLimiter {
    const known = this.#counters.get(ruleId);
    if (known?.json === json) return known.windows;
    const { requests_per_period, score_per_period, period, mitigation_timeout: timeout = 0 } = limit;
    const quota = requests_per_period ?? score_per_period ?? Infinity;
    const penalty = timeout > 0 ? { penaltyMs: timeout * 1_000 } : {};
    const perWindow = { quota, windowMs: period * 1_000, ...penalty };
    const windows = new FixedWindowLimiter(perWindow, this.#bounds.keysMax);
    this.#counters.set(ruleId, { json, windows }, [accountId], 0);
    return windows;
  }
}

function boundedKey(key: string): string {
  return key.length > keyCharactersMax ? hash("sha256", key, "base64url") : key;
}

const scoreMax = 1_000_000;

/** The amount that a response counts: 1, or for a limit of scores the number in a header; 0 without a valid one. */
function amountOf(
  { score_per_period, score_response_header_name = "" }: RateLimit,
  response: DescribedResponse,
): number {
  if (score_per_period === undefined) return 1;
  const name = score_response_header_name.toLowerCase();
  const values = response.headers.filter(([header]) => header === name).map(([, value]) => value.trim());
  const [score = ""] = values;
  if (values.length !== 1 || !/^\d{1,7}$/.test(score) || Number(score) > scoreMax) return 0;
  return Number(score);
}
