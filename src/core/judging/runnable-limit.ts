import { isIpAddress, type RequestContext, type Value } from "../expression/context.ts";
import { fields } from "../expression/fields.ts";
import { responsePhases } from "../expression/phases.ts";
import { networkKey } from "../net/client-network.ts";
import { printIpAddress } from "../net/ip-address.ts";
import type { Library } from "./library.ts";
import type { RateLimit } from "../rulesets/rate-limit.ts";

/** A compiled rate limit. */
export interface RunnableLimit {
  readonly limit: RateLimit;
  /** The limit as JSON. */
  readonly form: string;
  /**
   * The values of the characteristics, as the key under which a request is counted. `visitorId` is what the edge
   * knows the visitor by; by default its address is.
   */
  readonly keyOf: (request: RequestContext, visitorId?: string) => string;
  /** Whether a request is counted; undefined if the expression of the rule decides. */
  readonly counts: ((request: RequestContext) => boolean) | undefined;
  /** Whether a request is counted only once the origin has answered. */
  readonly countsAnswers: boolean;
}

type KeyPart = (request: RequestContext, visitorId: string | undefined) => unknown;

const responseFields = fields.filter(({ phases }) => phases === responsePhases).map(({ name }) => name);

/** Characteristics that are the same for every request of one edge. */
const constant = new Set(["cf.colo.id", "cf.api_gateway.fallthrough_detected"]);
const clientAddress = "ip.src";
/** Characteristics that tell visitors behind one address from each other. */
const ofVisitor = new Set(["cf.unique_visitor_id", "ip.nat"]);

/** Compiles a rate limit. */
export function compileRateLimit(limit: RateLimit, { compile, compileValue }: Library): RunnableLimit {
  const { counting_expression: counting = "", score_per_period } = limit;
  const parts = keyCharacteristicsOf(limit).map((characteristic): KeyPart => {
    const { evaluate } = compileValue(expressionOf(characteristic));
    if (ofVisitor.has(characteristic)) return (request, id) => id ?? networkOf(evaluate(request));
    if (characteristic === clientAddress) return (request) => networkOf(evaluate(request));
    return (request) => plain(evaluate(request));
  });
  return {
    limit,
    form: JSON.stringify(limit),
    keyOf: (request, visitorId) => JSON.stringify(parts.map((part) => part(request, visitorId))),
    counts: counting === "" ? undefined : compile(counting).evaluate,
    countsAnswers: score_per_period !== undefined || responseFields.some((name) => counting.includes(name)),
  };
}

/** The expressions of the characteristics. */
export function keyExpressionsOf(limit: RateLimit): string[] {
  return keyCharacteristicsOf(limit).map(expressionOf);
}

/** Whether a limit tells visitors behind one address from each other. */
export function tellsVisitorsApart({ limit }: RunnableLimit): boolean {
  return limit.characteristics.some((characteristic) => ofVisitor.has(characteristic));
}

function keyCharacteristicsOf({ characteristics }: RateLimit): string[] {
  return characteristics.filter((characteristic) => !constant.has(characteristic));
}

function expressionOf(characteristic: string): string {
  return ofVisitor.has(characteristic) ? clientAddress : characteristic;
}

/** A client may use any address of an IPv6 network, so all of them count as one. */
function networkOf(value: Value | undefined): string {
  return value !== undefined && isIpAddress(value) ? networkKey(value) : "";
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
