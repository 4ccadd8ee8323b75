import { LruMap } from "../../core/lru-map.ts";

/** Returns how many of `calls` a client may make now. */
export type RateLimit = (clientOf: () => string, calls: number) => number;

const clientsMax = 10_000;

interface Allowance {
  calls: number;
  atMs: number;
}

/** A token bucket for each client: `callsPerMinute` calls, all at once or spread out; 0 for no limit. */
export function createRateLimit(callsPerMinute: number): RateLimit {
  if (callsPerMinute === 0) return (_, calls) => calls;
  const allowances = new LruMap<string, Allowance>(clientsMax);
  return (clientOf, calls) => {
    const client = clientOf();
    const nowMs = performance.now();
    const { calls: left, atMs } = allowances.get(client) ?? { calls: callsPerMinute, atMs: nowMs };
    const regained = ((nowMs - atMs) / 60_000) * callsPerMinute;
    const available = Math.min(callsPerMinute, left + regained);
    const granted = Math.min(calls, Math.floor(available));
    allowances.set(client, { calls: available - granted, atMs: nowMs });
    return granted;
  };
}
