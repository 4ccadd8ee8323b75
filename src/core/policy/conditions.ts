import { isCalendarDay } from "../validate/rules.ts";
import { parseClientAddress } from "../net/client-network.ts";
import { cidrOfAddress, isInRange, parseCidr, type IpRange } from "../net/ip-range.ts";
import { invalidTokenBody, type BodyPath } from "./token-error.ts";

/** The condition `request.ip` of a token: CIDR ranges (docs/contract/tokens.md#conditions). */
export interface AddressCondition {
  /** All addresses if absent, none if empty. */
  readonly in?: readonly string[] | undefined;
  /** Takes precedence over `in`. Alone and empty it lets nobody in. */
  readonly not_in?: readonly string[] | undefined;
}

/** Clients use either key for an `AddressCondition`. */
export const conditionKeys = ["request.ip", "request_ip"] as const;
export type ConditionKey = (typeof conditionKeys)[number];

/** Whether an address is allowed; other texts are only allowed by a condition without lists. */
export type AllowsAddress = (address: string) => boolean;

/**
 * Compiles a condition; `path` is its place in the body. Errors: 400 code 1001 for entries without CIDR
 * notation.
 */
export function compileAddressCondition(
  condition: AddressCondition,
  path: BodyPath = ["condition", "request.ip"],
): AllowsAddress {
  const included = condition.in && parseRanges(condition.in, [...path, "in"]);
  const excluded = condition.not_in && parseRanges(condition.not_in, [...path, "not_in"]);
  if (included === undefined && excluded === undefined) return () => true;
  // A condition that names nobody admits nobody, as in the public service: a list that came out empty must
  // not open the token.
  if ((included ?? excluded)?.length === 0) return () => false;
  return (text) => {
    const address = parseClientAddress(text);
    if (address === undefined) return false;
    const isWithin = (range: IpRange): boolean => isInRange(address, range);
    return (included?.some(isWithin) ?? true) && excluded?.some(isWithin) !== true;
  };
}

function parseRanges(texts: readonly string[], path: BodyPath): IpRange[] {
  return texts.map((text, index) => {
    const range = parseCidr(text);
    if (range !== undefined) return range;
    const single = cidrOfAddress(text);
    const example = single === undefined ? "such as 192.0.2.0/24 or 2001:db8::/32" : `here ${single}`;
    throw invalidTokenBody([...path, index], `must be a range in CIDR notation, ${example}`);
  });
}

/** The time window of a token, in milliseconds since 1970. */
export interface TimeWindow {
  readonly notBefore: number;
  /** Exclusive. */
  readonly expiresOn: number;
}

interface TimeWindowBody {
  readonly not_before?: string | null | undefined;
  readonly expires_on?: string | null | undefined;
}

/**
 * The time window of a token, unbounded on omitted sides. Errors: 400 code 1001 for another format, an
 * invalid date, and an empty window.
 */
export function parseTimeWindow({ not_before, expires_on }: TimeWindowBody): TimeWindow {
  const notBefore = not_before == null ? -Infinity : parseTime(not_before, "not_before");
  const expiresOn = expires_on == null ? Infinity : parseTime(expires_on, "expires_on");
  if (expiresOn <= notBefore) throw invalidTokenBody(["expires_on"], "must be after `not_before`");
  return { notBefore, expiresOn };
}

/** The phase at `now`, in milliseconds since 1970. */
export function windowPhase({ notBefore, expiresOn }: TimeWindow, now: number): "early" | "open" | "over" {
  if (now < notBefore) return "early";
  return now < expiresOn ? "open" : "over";
}

const timeForm = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

function parseTime(text: string, field: string): number {
  if (!timeForm.test(text)) throw invalidTokenBody([field], "must be of the form YYYY-MM-DDThh:mm:ssZ");
  if (!isCalendarDay(text.slice(0, 10))) throw invalidTokenBody([field], "must be a day of the calendar");
  return Date.parse(text);
}
