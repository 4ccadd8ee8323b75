import { hash } from "node:crypto";
import { FixedWindowLimiter } from "../../core/fixed-window-limiter.ts";
import { FairMap } from "../../core/fair-map.ts";
import type { AnswerLimit, LimitedRequest } from "../../core/judging/evaluation.ts";
import type { RateLimit } from "../../core/rulesets/rate-limit.ts";
import { withResponse, type DescribedResponse } from "../../core/judging/response-fields.ts";
import type { RunnableLimit } from "../../core/judging/program.ts";
import type { EdgeZone } from "../zones/edge-zone.ts";

interface Counter {
  readonly form: string;
  readonly windows: FixedWindowLimiter;
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

type Account = Pick<EdgeZone, "accountId">;

/**
 * Counts requests for rate limiting rules, in fixed windows. Beyond `keysMax`, the oldest window of the rule is
 * dropped; beyond `keysInAllMax`, all those of the rule that was asked for least recently, of an account that
 * has at least an equal part of them.
 */
export class RateCounters {
  /** By the id of the rule, with the number of its keys as weight. */
  readonly #counters: FairMap<string, Counter>;
  readonly #bounds: Bounds;

  constructor(bounds: Bounds = usualBounds) {
    this.#bounds = bounds;
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
    if (isCounted) this.#count(ruleId, windows, key, nowMs);
    const window = windows.exceeded(key, nowMs);
    if (window === undefined) return undefined;
    if (passedAt === undefined || passedAt <= window.beganAt) return window.endsAt;
    windows.end(key);
    this.#counters.weigh(ruleId, windows.size);
    if (isCounted) this.#count(ruleId, windows, key, nowMs);
    return undefined;
  }

  countAnswer(
    account: Account,
    { ruleId, limit, key, request }: AnswerLimit,
    response: DescribedResponse,
    nowMs: number,
  ): void {
    const amount = amountOf(limit.limit, response);
    if (amount === 0 || limit.counts?.(withResponse(request, response)) === false) return;
    this.#count(ruleId, this.#windowsOf(account, ruleId, limit), boundedKey(key), nowMs, amount);
  }

  get size(): number {
    return this.#counters.weight;
  }

  #count(ruleId: string, windows: FixedWindowLimiter, key: string, nowMs: number, amount = 1): void {
    const before = windows.size;
    windows.count(key, nowMs, amount);
    if (windows.size !== before) this.#counters.weigh(ruleId, windows.size);
  }

  #windowsOf({ accountId }: Account, ruleId: string, { form, limit }: RunnableLimit): FixedWindowLimiter {
    const known = this.#counters.get(ruleId);
    if (known?.form === form) return known.windows;
    const { requests_per_period, score_per_period, period, mitigation_timeout: timeout = 0 } = limit;
    const quota = requests_per_period ?? score_per_period ?? Infinity;
    const penalty = timeout > 0 ? { penaltyMs: timeout * 1_000 } : {};
    const perWindow = { quota, windowMs: period * 1_000, ...penalty };
    const windows = new FixedWindowLimiter(perWindow, this.#bounds.keysMax);
    this.#counters.set(ruleId, { form, windows }, [accountId], 0);
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
