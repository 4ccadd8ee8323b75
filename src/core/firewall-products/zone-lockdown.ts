import { isInRange, parseIpRange, type IpRange } from "../net/ip-range.ts";
import { matchesUrl, parseUrlPattern, type UrlPattern, requestUrlOf } from "../page-rules/url-pattern.ts";
import { addressOf, type ProductStage } from "./product.ts";

export interface LockdownText {
  readonly id: string;
  readonly description: string;
  readonly isPaused: boolean;
  /** The lowest goes first; null comes behind all numbers. */
  readonly priority: number | null;
  readonly urls: readonly string[];
  /** Addresses and ranges. */
  readonly allowed: readonly string[];
}

/** URLs of a zone that only some addresses may request. */
export interface ZoneLockdown {
  readonly id: string;
  readonly description: string;
  readonly patterns: readonly UrlPattern[];
  readonly allowed: readonly IpRange[];
}

/**
 * The active lockdowns, highest precedence first. The first that matches the URL decides: a request from an
 * allowed address passes and skips the user-agent rules; any other is blocked.
 */
export function zoneLockdownStage(lockdowns: readonly ZoneLockdown[]): ProductStage {
  return {
    product: "zoneLockdown",
    judge: (request) => {
      const url = requestUrlOf(request);
      const lockdown = lockdowns.find(({ patterns }) => patterns.some((pattern) => matchesUrl(pattern, url)));
      if (lockdown === undefined) return undefined;
      const address = addressOf(request);
      const isAllowed = address !== undefined && lockdown.allowed.some((range) => isInRange(address, range));
      return {
        ruleId: lockdown.id,
        description: lockdown.description,
        action: isAllowed ? "allow" : "block",
        skips: isAllowed ? ["uaBlock"] : [],
      };
    },
  };
}

/** The lockdowns of a zone that are in force, by their precedence; equals stay in their order. */
export function parseLockdowns(texts: readonly LockdownText[], zoneName: string): ZoneLockdown[] {
  return texts
    .filter(({ isPaused }) => !isPaused)
    .toSorted((one, other) => precedenceOf(one) - precedenceOf(other))
    .map(({ id, description, urls, allowed }) => ({
      id,
      description,
      patterns: urls.flatMap((url) => {
        const pattern = parseUrlPattern(url, zoneName);
        return pattern instanceof Error ? [] : [pattern];
      }),
      allowed: allowed.flatMap((value) => parseIpRange(value) ?? []),
    }));
}

/** The lowest goes first. */
export function precedenceOf({ priority }: { readonly priority?: number | null }): number {
  return priority ?? Number.MAX_SAFE_INTEGER;
}
