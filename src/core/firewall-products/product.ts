import { decodeText } from "../expression/byte-string.ts";
import { isIpAddress, valueOf, type RequestContext } from "../expression/context.ts";
import type { Phase } from "../expression/phases.ts";
import type { IpAddress } from "../net/ip-address.ts";
import type { RequestUrl } from "../page-rules/url-pattern.ts";

/**
 * Products with rules of their own, outside of rulesets. IP Access Rules are one product for each kind of
 * place.
 */
export type RuleProduct = "ip" | "ipRange" | "asn" | "country" | "zoneLockdown" | "uaBlock";

/**
 * Products without rules, which settings turn on: the Browser Integrity Check, the security level and hotlink
 * protection.
 */
export type SettingProduct = "bic" | "securityLevel" | "hot";

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

/** The URL of a request, in the letter case that the visitor sent. */
export function requestUrlOf(request: RequestContext): RequestUrl {
  const text = (field: string): string => {
    const bytes = textOf(request, field);
    return decodeText(bytes) ?? bytes;
  };
  return {
    scheme: valueOf(request, "ssl") === true ? "https" : "http",
    host: text("http.host"),
    port: Number(valueOf(request, "cf.edge.server_port")),
    path: text("http.request.uri.path"),
    query: text("http.request.uri.query"),
  };
}

/** The byte string of a field; empty where there is none. */
export function textOf(request: RequestContext, field: string): string {
  const value = valueOf(request, field);
  return typeof value === "string" ? value : "";
}

export function addressOf(request: RequestContext): IpAddress | undefined {
  const value = valueOf(request, "ip.src");
  return value !== undefined && isIpAddress(value) ? value : undefined;
}
