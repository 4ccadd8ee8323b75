import type { CountPeriod, EventCount } from "../features/security-events/event-queries.ts";

/** Kinds of actions, by their effect on the request. */
export const outcomes = ["block", "challenge", "log", "other"] as const;

export type Outcome = (typeof outcomes)[number];

/** All kinds of challenges of the API are one outcome. */
export function outcomeOf(action: string): Outcome {
  if (action === "block" || action === "log") return action;
  if (action === "simulate") return "log";
  return action.endsWith("challenge") ? "challenge" : "other";
}

export interface Bucket {
  /** Unix milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly counts: Readonly<Record<Outcome, number>>;
}

const lengths: Readonly<Record<CountPeriod, number>> = {
  datetimeMinute: 60_000,
  datetimeHour: 3_600_000,
  date: 86_400_000,
};

/** Counts events by outcome in every stretch of a period from the one that holds `from` to the one that holds `to`. */
export function toBuckets(
  counts: readonly EventCount[],
  period: CountPeriod,
  { from, to }: { readonly from: number; readonly to: number },
): Bucket[] {
  const length = lengths[period];
  const first = Math.floor(from / length);
  const buckets = Array.from({ length: Math.floor(to / length) - first + 1 }, (_, index) => ({
    start: (first + index) * length,
    end: (first + index + 1) * length,
    counts: { block: 0, challenge: 0, log: 0, other: 0 },
  }));
  for (const { count, dimensions } of counts) {
    const bucket = buckets[Math.floor(Date.parse(dimensions[period] ?? "") / length) - first];
    if (bucket !== undefined) bucket.counts[outcomeOf(dimensions.action)] += count;
  }
  return buckets;
}
