import { type Listener, listeners } from "./exchange.ts";
import { type Match, matchCheck, type OperationNames } from "./match.ts";
import { isJsonObject } from "../json.ts";
import {
  follows,
  objectOf,
  type Check,
  type Issue,
  integerBetween,
  oneOf,
  textOf,
  type Rule,
} from "../validate/rules.ts";

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

type EffectType = Effect["type"];

/** The requests, among those that match, that get the effect. */
interface Occurrence {
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

const dayMs = 86_400_000;

const share: Rule<number> = {
  rule: "must be a number from 0 to 1",
  accepts: (value): value is number => typeof value === "number" && value >= 0 && value <= 1,
};
const counted = follows(integerBetween(1, 1_000_000_000));
const milliseconds = follows(integerBetween(0, dayMs));
const failureStatus = follows(integerBetween(400, 599));

const spread: Check = (value, pointer, issues) => {
  if (!isJsonObject(value)) {
    follows({
      ...integerBetween(0, dayMs),
      rule: `must be milliseconds from 0 to ${dayMs}, or an object with \`min\` and \`max\``,
    })(value, pointer, issues);
    return;
  }
  objectOf({ min: milliseconds, max: milliseconds }, { required: ["min", "max"] })(value, pointer, issues);
  if (Number(value["min"]) > Number(value["max"])) {
    issues.push({ pointer: `${pointer}/max`, rule: "must not be less than `min`" });
  }
};

interface EffectShape {
  readonly members: Readonly<Record<string, Check>>;
  readonly required?: readonly string[];
}

const shapes: Readonly<Record<EffectType, EffectShape>> = {
  error: {
    members: {
      status: failureStatus,
      code: follows(integerBetween(-1_000_000, 1_000_000)),
      message: follows(textOf(/^.{1,1000}$/s, "must be a text of 1 to 1000 characters")),
    },
  },
  rate_limit: { members: { retry_after_seconds: follows(integerBetween(0, 86_400)) } },
  latency: { members: { ms: spread }, required: ["ms"] },
  slow_body: {
    members: { bytes_per_second: follows(integerBetween(1, 1_000_000_000)) },
    required: ["bytes_per_second"],
  },
  close: { members: { when: follows(oneOf("before", "within", "after")) }, required: ["when"] },
  lost_answer: { members: {} },
  bad_json: { members: { form: follows(oneOf("truncated", "malformed")) }, required: ["form"] },
  html: { members: { status: failureStatus } },
  stale_read: { members: {} },
  page: {
    members: { form: follows(oneOf("repeated", "missing")), page: follows(integerBetween(2, 1_000_000)) },
    required: ["form"],
  },
};

const effectTypes = Object.keys(shapes) as readonly EffectType[];
const effectType = oneOf(...effectTypes);

const effect: Check = (value, pointer, issues) => {
  const type = isJsonObject(value) ? value["type"] : undefined;
  if (!effectType.accepts(type)) {
    objectOf({ type: follows(effectType) }, { required: ["type"] })(
      isJsonObject(value) ? (type === undefined ? {} : { type }) : value,
      pointer,
      issues,
    );
    return;
  }
  const { members, required = [] } = shapes[type];
  objectOf({ type: follows(effectType), ...members }, { required })(value, pointer, issues);
};

const occurrence: Readonly<Record<keyof Occurrence, Check>> = {
  share: follows(share),
  seed: follows(integerBetween(0, 2 ** 32 - 1)),
  next: counted,
  every: counted,
};

/** Checks `FaultRule`, of untrusted JSON. */
export function faultRuleCheck(operations: OperationNames): Check {
  const name = follows(textOf(/^.{1,200}$/, "must be a text of 1 to 200 characters"));
  const rule = objectOf(
    { name, match: matchCheck(operations, occurrence), effect },
    { required: ["effect"] },
  );
  return (value, pointer, issues) => {
    const before = issues.length;
    rule(value, pointer, issues);
    if (issues.length === before) checkCarrier(value as FaultRule, pointer, issues);
  };
}

function checkCarrier({ match, effect: { type } }: FaultRule, pointer: string, issues: Issue[]): void {
  const named: Listener | undefined = listeners.find((listener) => listener === match?.listener);
  if (named === undefined || carriers[type].includes(named)) return;
  issues.push({
    pointer: `${pointer}/effect/type`,
    rule: `is carried by ${carriers[type].join(", ")} and not by ${named}`,
  });
}
