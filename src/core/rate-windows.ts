/** How often a key may come. */
export interface RateLimit {
  /** Most times in a window, which begins with the first of them. */
  readonly quota: number;
  readonly windowMs: number;
  /** How long a key is refused that came more often; without it until its window ends. */
  readonly penaltyMs?: number;
}

/** How a key stands. */
export interface RateStanding {
  /** How often it may still come until `resetsAt`. */
  readonly remaining: number;
  /** Whether it came too often. */
  readonly isExceeded: boolean;
  /** When its count begins anew, in milliseconds since 1970. */
  readonly resetsAt: number;
}

interface Window {
  count: number;
  endsAt: number;
}

const keysMaxDefault = 100_000;

/**
 * Counts how often keys come, in windows of time. Of a key it keeps two numbers, and of no more than `keysMax` keys:
 * beyond that the oldest windows are forgotten. Times are milliseconds since 1970.
 */
export class RateWindows {
  readonly #limit: RateLimit;
  readonly #keysMax: number;
  /** In the order in which they end. */
  readonly #windows = new Map<string, Window>();

  constructor(limit: RateLimit, keysMax: number = keysMaxDefault) {
    this.#limit = limit;
    this.#keysMax = keysMax;
  }

  /** Counts one more. */
  count(key: string, now: number): RateStanding {
    const { quota, windowMs, penaltyMs } = this.#limit;
    const window = this.#windowOf(key, now) ?? this.#begin(key, now + windowMs, now);
    window.count += 1;
    if (window.count === quota + 1 && penaltyMs !== undefined) {
      this.#windows.delete(key);
      this.#begin(key, now + penaltyMs, now).count = window.count;
      return { remaining: 0, isExceeded: true, resetsAt: now + penaltyMs };
    }
    const remaining = Math.max(0, quota - window.count);
    return { remaining, isExceeded: window.count > quota, resetsAt: window.endsAt };
  }

  /** Whether the next one would be too many. */
  isUsedUp(key: string, now: number): boolean {
    const window = this.#windowOf(key, now);
    return window !== undefined && window.count >= this.#limit.quota;
  }

  get size(): number {
    return this.#windows.size;
  }

  #windowOf(key: string, now: number): Window | undefined {
    const window = this.#windows.get(key);
    return window === undefined || this.#isOver(window, now) ? undefined : window;
  }

  #begin(key: string, endsAt: number, now: number): Window {
    this.#windows.delete(key);
    this.#forgetOldest(now);
    const window = { count: 0, endsAt };
    this.#windows.set(key, window);
    return window;
  }

  /** Two for each that is added: what is over goes sooner than anything new comes. */
  #forgetOldest(now: number): void {
    for (let step = 0; step < 2; step += 1) {
      const [oldest] = this.#windows;
      if (oldest === undefined) return;
      const [key, window] = oldest;
      if (this.#windows.size < this.#keysMax && !this.#isOver(window, now)) return;
      this.#windows.delete(key);
    }
  }

  #isOver({ endsAt }: Window, now: number): boolean {
    const longest = Math.max(this.#limit.windowMs, this.#limit.penaltyMs ?? 0);
    // A clock that was set back must not prolong it.
    return now >= endsAt || endsAt - now > longest;
  }
}
