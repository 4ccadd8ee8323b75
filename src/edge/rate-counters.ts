import { hash } from "node:crypto";

import type { RequestContext } from "../core/expression/context.ts";
import { FixedWindowLimiter } from "../core/fixed-window-limiter.ts";
import { LruMap } from "../core/lru-map.ts";
import type { AnswerLimit } from "../core/rulesets/evaluation.ts";
import type { RateLimit } from "../core/rulesets/rate-limit.ts";
import { withResponse, type DescribedResponse } from "../core/rulesets/response-fields.ts";
import type { RunnableLimit } from "../core/rulesets/runnable-limit.ts";

/** A request that a rule limits. */
interface Limited extends AnswerLimit {
  /** Whether the request is counted now. */
  readonly isCounted: boolean;
  /** When the visitor passed the challenge of the rule, in milliseconds since 1970; undefined if it did not. */
  readonly passedAt: number | undefined;
}

interface Counter {
  /** The limit, as JSON, when counting began. */
  readonly form: string;
  readonly windows: FixedWindowLimiter;
}

const rulesMax = 10_000;
/** Keys counted for one rule. */
const keysMax = 20_000;
/** Longer keys are counted by their digest, as visitors choose what is in them. */
const keyCharactersMax = 64;

/**
 * Counts requests for rate limiting rules, in fixed windows. The numbers of rules and of keys are bounded.
 */
export class RateCounters {
  readonly #counters = new LruMap<string, Counter>(rulesMax);

  /**
   * Whether a request exceeds the limit of a rule. A challenge that the visitor passed since the window began ends
   * that window.
   */
  exceeds({ ruleId, limit, request, isCounted, passedAt }: Limited, nowMs: number): boolean {
    const windows = this.#windowsOf(ruleId, limit);
    const key = keyOf(limit, request);
    if (isCounted) windows.count(key, nowMs);
    const since = windows.exceededSince(key, nowMs);
    if (since === undefined) return false;
    if (passedAt === undefined || passedAt <= since) return true;
    windows.end(key);
    if (isCounted) windows.count(key, nowMs);
    return false;
  }

  /** Counts a request to which the origin has answered. */
  countAnswer({ ruleId, limit, request }: AnswerLimit, response: DescribedResponse, nowMs: number): void {
    const amount = amountOf(limit.limit, response);
    if (amount === 0 || limit.counts?.(withResponse(request, response)) === false) return;
    this.#windowsOf(ruleId, limit).count(keyOf(limit, request), nowMs, amount);
  }

  #windowsOf(ruleId: string, { form, limit }: RunnableLimit): FixedWindowLimiter {
    const known = this.#counters.get(ruleId);
    if (known?.form === form) return known.windows;
    const { requests_per_period, score_per_period, period, mitigation_timeout: timeout = 0 } = limit;
    const quota = requests_per_period ?? score_per_period ?? Infinity;
    const penalty = timeout > 0 ? { penaltyMs: timeout * 1_000 } : {};
    const windows = new FixedWindowLimiter({ quota, windowMs: period * 1_000, ...penalty }, keysMax);
    this.#counters.set(ruleId, { form, windows });
    return windows;
  }
}

function keyOf({ keyOf: textOf }: RunnableLimit, request: RequestContext): string {
  const text = textOf(request);
  return text.length > keyCharactersMax ? hash("sha256", text, "base64url") : text;
}

const scoreMax = 1_000_000;

/** How much a response counts: 1, or for a limit of a score what the origin says in a header; 0 for no valid score. */
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
