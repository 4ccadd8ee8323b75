import { FixedWindowLimiter } from "../core/fixed-window-limiter.ts";
import { LruMap } from "../core/lru-map.ts";
import type { RequestContext } from "../core/expression/context.ts";
import type { Rule } from "../core/rulesets/rule.ts";
import type { RunnableLimit } from "../core/rulesets/runnable-limit.ts";

interface Counter {
  /** The limit, as JSON, when counting began. */
  readonly form: string;
  readonly windows: FixedWindowLimiter;
}

const rulesMax = 10_000;
/** Keys counted for one rule. */
const keysMax = 20_000;

/**
 * Counts requests for rate limiting rules, in fixed windows. The numbers of rules and of keys are bounded.
 */
export class RateCounters {
  readonly #counters = new LruMap<string, Counter>(rulesMax);

  /** Whether a request exceeds the limit of a rule; `isCounted`: it is counted too. */
  exceeds(
    rule: Rule,
    limit: RunnableLimit,
    request: RequestContext,
    isCounted: boolean,
    nowMs: number,
  ): boolean {
    const counter = this.#counterOf(rule, limit);
    if (counter === undefined) return false;
    const key = limit.keyOf(request);
    return isCounted ? counter.windows.count(key, nowMs).isExceeded : counter.windows.isUsedUp(key, nowMs);
  }

  /** Undefined for a limit on a score: the edge does not add up scores from origins. */
  #counterOf({ id }: Rule, { limit }: RunnableLimit): Counter | undefined {
    const { requests_per_period: quota, period, mitigation_timeout: timeout = 0 } = limit;
    if (quota === undefined) return undefined;
    const form = JSON.stringify(limit);
    const known = this.#counters.get(id);
    if (known?.form === form) return known;
    const penalty = timeout > 0 ? { penaltyMs: timeout * 1_000 } : {};
    const windows = new FixedWindowLimiter({ quota, windowMs: period * 1_000, ...penalty }, keysMax);
    const counter = { form, windows };
    this.#counters.set(id, counter);
    return counter;
  }
}
