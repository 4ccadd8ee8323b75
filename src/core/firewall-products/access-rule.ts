import { valueOf, textOf } from "../expression/context.ts";
import { canonicalIpv4, canonicalIpv6, parseIpAddress, printIpAddress } from "../net/ip-address.ts";
import { networkOf } from "../net/ip-range.ts";
import { addressOf, type ProductStage, type ProductVerdict } from "./product.ts";
import type { RuleProduct } from "../rulesets/phases.ts";

/** The prefix lengths that the public service accepts in IP Access Rules and zone lockdowns, by version. */
export const rangeBits = { 4: [16, 24], 6: [32, 48, 64] } as const;

export const rangeRule = `must be a range of /${rangeBits[4].join(" or /")} (IPv4), or /${rangeBits[6].join(", /")} (IPv6)`;

type AccessTarget = "ip" | "ip6" | "ip_range" | "asn" | "country";

/** A place that an access rule matches: an address, a range, an AS number or a country. */
interface AccessPlace {
  readonly target: AccessTarget;
  readonly value: string;
}

export interface AccessRule extends AccessPlace {
  readonly id: string;
  readonly notes: string;
  readonly mode: "block" | "challenge" | "js_challenge" | "managed_challenge" | "whitelist";
}

/** The source of a request, as far as known. */
export interface RequestSource {
  readonly address: string;
  readonly asn?: number | undefined;
  readonly country?: string | undefined;
}

type AccessProduct = Extract<RuleProduct, "ip" | "ipRange" | "asn" | "country">;

const productOf: Readonly<Record<AccessTarget, AccessProduct>> = {
  ip: "ip",
  ip6: "ip",
  ip_range: "ipRange",
  asn: "asn",
  country: "country",
};

/** The stages that an allowed request skips; it does not skip zone lockdowns. */
const skipped = [
  "http_request_firewall_custom",
  "uaBlock",
  "bic",
  "securityLevel",
  "http_ratelimit",
  "http_request_sbfm",
] as const;
const managed = ["http_request_firewall_managed", "waf"] as const;

/** The places of a source that rules may name, the most specific first. */
export function placesOf({ address: text, asn, country }: RequestSource): AccessPlace[] {
  const address = parseIpAddress(text);
  const places: AccessPlace[] = [];
  if (address !== undefined) {
    const printed = printIpAddress(address);
    const ipv6 = canonicalIpv4(printed) === undefined ? canonicalIpv6(printed) : undefined;
    places.push(
      ipv6 === undefined ? { target: "ip", value: printed } : { target: "ip6", value: ipv6 },
      ...rangeBits[address.version].toReversed().map((bits): AccessPlace => ({
        target: "ip_range",
        value: `${printIpAddress(networkOf(address, bits).first)}/${bits}`,
      })),
    );
  }
  if (asn) places.push({ target: "asn", value: `AS${asn}` });
  if (country) places.push({ target: "country", value: country.toUpperCase() });
  return places;
}

/**
 * The rules that match a request, one stage for each kind of place; rules of the nearest scope come first. An
 * allowing rule decides, otherwise the one for the most specific place.
 */
export function accessRuleStages(rules: readonly AccessRule[]): ProductStage[] {
  const byPlace = Map.groupBy(rules, keyOf);
  const decide = (source: RequestSource): AccessRule | undefined => {
    const about = placesOf(source).flatMap((place) => byPlace.get(keyOf(place)) ?? []);
    return about.find(({ mode }) => mode === "whitelist") ?? about[0];
  };
  const products = new Set(rules.map(({ target }) => productOf[target]));
  return Array.from(products, (product) => ({
    product,
    judge: (request) => {
      const address = addressOf(request);
      const asn = valueOf(request, "ip.src.asnum");
      const rule = decide({
        address: address === undefined ? "" : printIpAddress(address),
        asn: typeof asn === "number" ? asn : undefined,
        country: textOf(request, "ip.src.country"),
      });
      return rule === undefined || productOf[rule.target] !== product ? undefined : verdictOf(rule);
    },
  }));
}

function verdictOf({ id, notes, mode, target }: AccessRule): ProductVerdict {
  const isAllowed = mode === "whitelist";
  return {
    ruleId: id,
    description: notes,
    action: isAllowed ? "allow" : mode,
    skips: isAllowed ? [...skipped, ...(target === "country" ? [] : managed)] : [],
  };
}

function keyOf({ target, value }: AccessPlace): string {
  return `${target} ${value}`;
}
