import { isIpAddress, valueOf, type RequestContext } from "../expression/context.ts";
import type { Phase } from "../expression/phases.ts";
import type { IpAddress } from "../net/ip-address.ts";
import type { RuleProduct, SettingProduct } from "../rulesets/phases.ts";

export interface ProductVerdict {
  readonly ruleId: string;
  readonly description: string;
  /** `allow` lets the request pass. */
  readonly action: "allow" | "block" | "challenge" | "js_challenge" | "managed_challenge";
  readonly skips: readonly (RuleProduct | SettingProduct | Phase | "waf")[];
}

/** A product with the rules of a zone. */
export interface ProductStage {
  readonly product: RuleProduct;
  readonly judge: (request: RequestContext) => ProductVerdict | undefined;
}

export function addressOf(request: RequestContext): IpAddress | undefined {
  const value = valueOf(request, "ip.src");
  return value !== undefined && isIpAddress(value) ? value : undefined;
}

/** A description as it is stored: without tags, as dashboards show it. */
export function withoutTags(text: string): string {
  return text.replaceAll(/<[^<>]*>/g, "");
}
