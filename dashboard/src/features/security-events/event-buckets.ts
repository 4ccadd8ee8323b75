import type { SecurityEvent } from "../../api/security-events.ts";

/** What actions have in common for the request. */
export const outcomes = ["block", "challenge", "log", "other"] as const;

export type Outcome = (typeof outcomes)[number];

/** Of an action of the API: all kinds of challenges are one outcome. */
export function outcomeOf(action: string): Outcome {
  if (action === "block" || action === "log") return action;
  if (action === "simulate") return "log";
  return action.endsWith("challenge") ? "challenge" : "other";
}

/** The events of one stretch of time. */
export interface Bucket {
  /** Unix milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly counts: Readonly<Record<Outcome, number>>;
}

/** Counts events by outcome in `count` stretches of the same length between two times, in Unix milliseconds. */
export function toBuckets(
  events: readonly Pick<SecurityEvent, "action" | "datetime">[],
  from: number,
  to: number,
  count: number,
): Bucket[] {
  const length = (to - from) / count;
  const buckets = Array.from({ length: count }, (_, index) => ({
    start: from + index * length,
    end: from + (index + 1) * length,
    counts: { block: 0, challenge: 0, log: 0, other: 0 },
  }));
  for (const { action, datetime } of events) {
    const index = Math.floor((Date.parse(datetime) - from) / length);
    const bucket = buckets[Math.min(index, count - 1)];
    if (bucket !== undefined) bucket.counts[outcomeOf(action)] += 1;
  }
  return buckets;
}
