/** How many of `calls` a client may still make; the answer is at most that. */
export type RateLimit = (clientOf: () => string, calls: number) => number;

const clientsMax = 10_000;

interface Allowance {
  calls: number;
  atMs: number;
}

/** Lets each client make `callsPerMinute`, all at once or spread out; 0 sets no limit. */
export function createRateLimit(callsPerMinute: number): RateLimit {
  if (callsPerMinute === 0) return (_, calls) => calls;
  const allowances = new Map<string, Allowance>();
  return (clientOf, calls) => {
    const client = clientOf();
    const nowMs = performance.now();
    const { calls: left, atMs } = allowances.get(client) ?? { calls: callsPerMinute, atMs: nowMs };
    const regained = ((nowMs - atMs) / 60_000) * callsPerMinute;
    const available = Math.min(callsPerMinute, left + regained);
    const granted = Math.min(calls, Math.floor(available));
    // The order is that of last use, so that the client that goes is one that is quiet.
    allowances.delete(client);
    allowances.set(client, { calls: available - granted, atMs: nowMs });
    if (allowances.size > clientsMax) allowances.delete(allowances.keys().next().value as string);
    return granted;
  };
}
