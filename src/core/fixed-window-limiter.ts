import { FairMap } from "./fair-map.ts";

/** The number of events that a key may have. */
export interface RateLimit {
  /** Maximum number of events in a window, which begins with its first event. */
  readonly quota: number;
  readonly windowMs: number;
  /** The time that a key which exceeds the quota is refused; by default until its window ends. */
  readonly penaltyMs?: number;
}

export interface RateStatus {
  readonly remaining: number;
  readonly isExceeded: boolean;
  /** Milliseconds since 1970. */
  readonly resetsAt: number;
}

interface Window {
  count: number;
  endsAt: number;
}

const keysMaxDefault = 100_000;
const nobody: readonly string[] = [];

/**
 * Counts events by key in windows of a fixed length. At most `keysMax` keys are kept, with two numbers each;
 * the owners of the keys share them (`FairMap`): above the bound, the oldest windows are dropped of an owner
 * with at least an equal part. Times are milliseconds since 1970.
 */
export class FixedWindowLimiter {
  readonly #limit: RateLimit;
  /** All windows in the order in which they end. */
  readonly #windows: FairMap<string, Window>;

  constructor(limit: RateLimit, keysMax: number = keysMaxDefault) {
    this.#limit = limit;
    this.#windows = new FairMap({ weightMax: keysMax });
  }

  /** Counts an event of a key of these owners, or `amount` of them. */
  count(key: string, now: number, amount = 1, owners = nobody): RateStatus {
    const { quota, windowMs, penaltyMs } = this.#limit;
    const window = this.#windowOf(key, now) ?? this.#begin(key, now + windowMs, now, owners);
    const before = window.count;
    window.count += amount;
    if (before <= quota && window.count > quota && penaltyMs !== undefined) {
      this.#begin(key, now + penaltyMs, now, owners).count = window.count;
      return { remaining: 0, isExceeded: true, resetsAt: now + penaltyMs };
    }
    const remaining = Math.max(0, quota - window.count);
    return { remaining, isExceeded: window.count > quota, resetsAt: window.endsAt };
  }

  /** Whether the next event would exceed the quota. */
  isUsedUp(key: string, now: number): boolean {
    const window = this.#windowOf(key, now);
    return window !== undefined && window.count >= this.#limit.quota;
  }

  /** The window of a key that has more events than the quota; undefined if it has none. */
  exceeded(key: string, now: number): { readonly beganAt: number; readonly endsAt: number } | undefined {
    const { quota, windowMs, penaltyMs = windowMs } = this.#limit;
    const window = this.#windowOf(key, now);
    if (window === undefined || window.count <= quota) return undefined;
    return { beganAt: window.endsAt - penaltyMs, endsAt: window.endsAt };
  }

  end(key: string): void {
    this.#windows.delete(key);
  }

  clear(): void {
    this.#windows.clear();
  }

  get size(): number {
    return this.#windows.size;
  }

  #windowOf(key: string, now: number): Window | undefined {
    const window = this.#windows.peek(key);
    return window === undefined || this.#hasEnded(window, now) ? undefined : window;
  }

  #begin(key: string, endsAt: number, now: number, owners: readonly string[]): Window {
    this.#dropEnded(now);
    const window = { count: 0, endsAt };
    this.#windows.set(key, window, owners);
    return window;
  }

  /** Drops up to two windows for each that is added, so that ended ones do not accumulate. */
  #dropEnded(now: number): void {
    for (let step = 0; step < 2; step += 1) {
      const [key, window] = this.#windows.oldest() ?? [];
      if (key === undefined || window === undefined || !this.#hasEnded(window, now)) return;
      this.#windows.delete(key);
    }
  }

  #hasEnded({ endsAt }: Window, now: number): boolean {
    const longest = Math.max(this.#limit.windowMs, this.#limit.penaltyMs ?? 0);
    // A clock that is set back must not prolong a window.
    return now >= endsAt || endsAt - now > longest;
  }
}
