import { isDiscardAddress, networkRule, originRule } from "../../net/origin-address.ts";
import { isWithin } from "./name.ts";
import type { RecordType } from "./record-types.ts";

/**
 * Whether traffic for a record can be proxied. `content` is that of a `parseRdata` result.
 */
export type ProxiableRule = (type: RecordType, content: string) => boolean;

/** The resolvers of the public service, without and with filters for families, and those for networks with DNS64. */
const resolvers: ReadonlySet<string> = new Set([
  ...[1, 2, 3].flatMap((last) => [`1.1.1.${last}`, `1.0.0.${last}`]),
  ...[1, 2, 3].flatMap((last) => [`2606:4700:4700::111${last}`, `2606:4700:4700::100${last}`]),
  "2606:4700:4700::64",
  "2606:4700:4700::6400",
]);

/** Targets that serve no web site (https://developers.cloudflare.com/dns/proxy-status/limitations/). */
const unproxiableNames: ReadonlySet<string> = new Set([
  "dkim2.mcsv.net",
  "dkim3.mcsv.net",
  "zmverify.zoho.com",
  "dkim.infusionmail.com",
  "dkim.amazonses.com",
]);
const unproxiableBelow = [
  "dkim.amazonses.com",
  "onmicrosoft.com",
  "dkim.intercom.io",
  "acm-validations.aws",
] as const;

export function isProxiableType(type: RecordType): boolean {
  return type === "A" || type === "AAAA" || type === "CNAME";
}

/**
 * Records that can be proxied: A and AAAA with a public address that is no resolver of the public service, with one of
 * `networks`, or with `100::`, which stands for no origin; and a CNAME whose target is not known to serve no web site.
 */
export function proxiableRule(networks: readonly string[]): ProxiableRule {
  const mayBeOrigin = originRule(networks);
  const isInNetworks = networkRule(networks);
  return (type, content) => {
    if (type === "CNAME") return isProxiableName(content);
    if (!isProxiableType(type)) return false;
    return resolvers.has(content) ? isInNetworks(content) : mayBeOrigin(content) || isDiscardAddress(content);
  };
}

function isProxiableName(name: string): boolean {
  return (
    !unproxiableNames.has(name) &&
    !unproxiableBelow.some((parent) => name !== parent && isWithin(name, parent))
  );
}
