import { isInRange, type IpRange } from "../net/ip-range.ts";
import { matchesUrl, type UrlPattern } from "../page-rules/url-pattern.ts";
import { addressOf, requestUrlOf, type ProductStage } from "./product.ts";

/** URLs of a zone that only some addresses may ask for. */
export interface ZoneLockdown {
  readonly id: string;
  readonly description: string;
  /** In lower case: neither hosts nor paths are told apart by their case. */
  readonly patterns: readonly UrlPattern[];
  readonly allowed: readonly IpRange[];
}

/**
 * The lockdowns that are in force, the one with precedence first. The first that is about a URL decides: an address that
 * it allows passes, and need not meet the user-agent rules; any other is blocked.
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
