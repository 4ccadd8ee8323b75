import { isIpAddress, type RequestContext, type Value } from "../expression/context.ts";
import { printIpAddress } from "../net/ip-address.ts";
import type { Library } from "./library.ts";
import type { RateLimit } from "./rate-limit.ts";

/** A compiled rate limit. */
export interface RunnableLimit {
  readonly limit: RateLimit;
  /** The values of the characteristics, as the key under which a request is counted. */
  readonly keyOf: (request: RequestContext) => string;
  /** Whether a request is counted; undefined if the expression of the rule decides. */
  readonly counts: ((request: RequestContext) => boolean) | undefined;
}

/** Characteristics that are the same for every request of one edge. */
const constant = new Set(["cf.colo.id", "cf.api_gateway.fallthrough_detected"]);
/** Characteristics that depend only on the address: the edge sets no cookie for visitors. */
const ofAddress = new Set(["cf.unique_visitor_id", "ip.nat"]);

/** Compiles a rate limit. */
export function compileRateLimit(limit: RateLimit, { compile, compileValue }: Library): RunnableLimit {
  const { counting_expression: counting = "" } = limit;
  const values = keyExpressionsOf(limit).map((expression) => compileValue(expression).evaluate);
  return {
    limit,
    keyOf: (request) => JSON.stringify(values.map((evaluate) => plain(evaluate(request)))),
    counts: counting === "" ? undefined : compile(counting).evaluate,
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
