import type { Party } from "../chain-source.ts";
import { FixedWindowLimiter } from "../../core/fixed-window-limiter.ts";

/** The answer to a client that wants to make calls. */
export interface Grant {
  /** How many of them it may make now. */
  readonly calls: number;
  /** Seconds until it may make more. */
  readonly retrySeconds: number;
}

export interface RateLimit {
  /** Counts calls of a client, of a party. */
  readonly count: (clientOf: () => string, calls: number, party: Party) => Grant;
  /** Forgets what was counted. */
  readonly forget: () => void;
}

const minute = 60_000;

/** Lets each client make `callsPerMinute` calls in a minute that begins with its first one; 0 for no limit. */
export function createRateLimit(callsPerMinute: number, now: () => Date): RateLimit {
  if (callsPerMinute === 0) {
    return { count: (_, calls) => ({ calls, retrySeconds: 0 }), forget: () => undefined };
  }
  const limiter = new FixedWindowLimiter({ quota: callsPerMinute, windowMs: minute });
  return {
    count: (clientOf, calls, party) => {
      const client = clientOf();
      const nowMs = now().getTime();
      for (let granted = 0; granted < calls; granted += 1) {
        const { isExceeded, resetsAt } = limiter.count(client, nowMs, 1, [party]);
        if (isExceeded) return { calls: granted, retrySeconds: Math.ceil((resetsAt - nowMs) / 1000) };
      }
      return { calls, retrySeconds: 0 };
    },
    forget: () => limiter.clear(),
  };
}
