import { isIpAddress, type RequestContext, type Value } from "../expression/context.ts";
import { fields } from "../expression/fields.ts";
import { responsePhases } from "../expression/phases.ts";
import { printIpAddress } from "../net/ip-address.ts";
import type { Library } from "./library.ts";
import type { RateLimit } from "./rate-limit.ts";

/** A compiled rate limit. */
export interface RunnableLimit {
  readonly limit: RateLimit;
  /** The limit as JSON. */
  readonly form: string;
  /** The values of the characteristics, as the key under which a request is counted. */
  readonly keyOf: (request: RequestContext) => string;
  /** Whether a request is counted; undefined if the expression of the rule decides. */
  readonly counts: ((request: RequestContext) => boolean) | undefined;
  /** Whether a request is counted only once the origin has answered. */
  readonly countsAnswers: boolean;
}

const responseFields = fields.filter(({ phases }) => phases === responsePhases).map(({ name }) => name);

/** Characteristics that are the same for every request of one edge. */
const constant = new Set(["cf.colo.id", "cf.api_gateway.fallthrough_detected"]);
/** Characteristics that depend only on the address: the edge sets no cookie for visitors. */
const ofAddress = new Set(["cf.unique_visitor_id", "ip.nat"]);

/** Compiles a rate limit. */
export function compileRateLimit(limit: RateLimit, { compile, compileValue }: Library): RunnableLimit {
  const { counting_expression: counting = "", score_per_period } = limit;
  const values = keyExpressionsOf(limit).map((expression) => compileValue(expression).evaluate);
  return {
    limit,
    form: JSON.stringify(limit),
    keyOf: (request) => JSON.stringify(values.map((evaluate) => plain(evaluate(request)))),
    counts: counting === "" ? undefined : compile(counting).evaluate,
    countsAnswers: score_per_period !== undefined || responseFields.some((name) => counting.includes(name)),
  };
}

/** The expressions of the characteristics. */
export function keyExpressionsOf({ characteristics }: RateLimit): string[] {
  return characteristics
    .filter((characteristic) => !constant.has(characteristic))
    .map((characteristic) => (ofAddress.has(characteristic) ? "ip.src" : characteristic));
}

/** Distinguishes a missing value from an empty one. */
function plain(value: Value | undefined): unknown {
  if (value === undefined) return null;
  if (typeof value !== "object") return value;
  if (isIpAddress(value)) return printIpAddress(value);
  return value instanceof Map
    ? [...value].map(([key, item]) => [key, plain(item)])
    : Array.from(value as readonly Value[], plain);
}
