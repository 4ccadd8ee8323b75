import { isInRange, type IpRange } from "../net/ip-range.ts";
import { matchesUrl, type UrlPattern } from "../page-rules/url-pattern.ts";
import { addressOf, requestUrlOf, type ProductStage } from "./product.ts";

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
