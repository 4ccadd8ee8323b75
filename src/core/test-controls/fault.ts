import type { Listener } from "./exchange.ts";
import type { Match } from "./match.ts";

/** An effect of a fault on a request. Times are in milliseconds unless their name says otherwise. */
export type Effect =
  /**
   * Fails instead of running the operation: with an error of the API, an error of JSON-RPC on the gateway, a
   * response code in DNS, a page at the edge.
   */
  | { readonly type: "error"; readonly status?: number; readonly code?: number; readonly message?: string }
  /** Answers 429 with `Retry-After` and the headers of rate limits. */
  | { readonly type: "rate_limit"; readonly retry_after_seconds?: number }
  /**
   * Waits first, for a fixed time or a random one between both bounds. Further rules may act on the same
   * request.
   */
  | { readonly type: "latency"; readonly ms: number | { readonly min: number; readonly max: number } }
  /** Sends the body slowly. */
  | { readonly type: "slow_body"; readonly bytes_per_second: number }
  /** Closes the connection; `before` the operation runs, `within` its answer, or `after` that. */
  | { readonly type: "close"; readonly when: "before" | "within" | "after" }
  /** Runs the operation, and closes the connection without an answer. */
  | { readonly type: "lost_answer" }
  /** Damages the JSON of the answer. */
  | { readonly type: "bad_json"; readonly form: "truncated" | "malformed" }
  /** Answers with a page of HTML, as proxies do. */
  | { readonly type: "html"; readonly status?: number }
  /** Answers reads as the same read was answered before the last change. */
  | { readonly type: "stale_read" }
  /** Answers a page of a list with the page before it, or leaves the page out. */
  | { readonly type: "page"; readonly form: "repeated" | "missing"; readonly page?: number };

export type EffectType = Effect["type"];

/** The requests, among those that match, that get the effect. */
export interface Occurrence {
  /** The share of the matching requests, from 0 to 1; `seed` decides which ones. */
  readonly share?: number;
  readonly seed?: number;
  /** Acts on this many requests, then on none. */
  readonly next?: number;
  /** Acts on every second request for 2, on every third for 3. */
  readonly every?: number;
}

export interface FaultMatch extends Match, Occurrence {}

export interface FaultRule {
  readonly name?: string;
  readonly match?: FaultMatch;
  readonly effect: Effect;
}

/** The listeners that can carry an effect. */
export const carriers: Readonly<Record<EffectType, readonly Listener[]>> = {
  error: ["api", "gateway", "dns", "edge"],
  rate_limit: ["api", "gateway", "edge"],
  latency: ["api", "gateway", "dns", "edge"],
  slow_body: ["api", "gateway", "edge"],
  close: ["api", "gateway", "dns", "edge"],
  lost_answer: ["api", "gateway", "dns", "edge"],
  bad_json: ["api", "gateway", "dns", "edge"],
  html: ["api", "gateway", "edge"],
  stale_read: ["api"],
  page: ["api"],
};

/** Lists of rules, by the name of the behaviour that they imitate. */
export const presets = {
  "rate-limited": [
    { name: "rate-limited", match: { every: 2 }, effect: { type: "rate_limit", retry_after_seconds: 1 } },
  ],
  outage: [
    { name: "outage", match: { listener: "dns" }, effect: { type: "error" } },
    { name: "outage", effect: { type: "html", status: 503 } },
  ],
  flaky: [
    { name: "flaky", match: { share: 0.05, seed: 1 }, effect: { type: "error", status: 500 } },
    { name: "flaky", match: { share: 0.05, seed: 2 }, effect: { type: "html", status: 502 } },
    { name: "flaky", match: { share: 0.05, seed: 3 }, effect: { type: "close", when: "before" } },
  ],
  slow: [
    { name: "slow", match: { seed: 1 }, effect: { type: "latency", ms: { min: 200, max: 2_000 } } },
    { name: "slow", effect: { type: "slow_body", bytes_per_second: 1_000 } },
  ],
  "lost-answers": [
    {
      name: "lost-answers",
      match: { method: ["POST", "PUT", "PATCH", "DELETE"], every: 2 },
      effect: { type: "lost_answer" },
    },
  ],
} as const satisfies Readonly<Record<string, readonly FaultRule[]>>;

export type PresetName = keyof typeof presets;

export const presetNames = Object.keys(presets) as readonly PresetName[];
