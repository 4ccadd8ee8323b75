import { errorCodes } from "../../core/error-codes.ts";
import { invalidBody } from "../../core/error.ts";
import { rangeBits, rangeRule } from "../../core/firewall-products/access-rule.ts";
import { fullValue, networkOf } from "../../core/net/ip-range.ts";
import { canonicalIpv4, canonicalIpv6, parseIpAddress, printIpAddress } from "../../core/net/ip-address.ts";
import type { AccessRuleConfiguration } from "./schema.ts";

type Target = AccessRuleConfiguration["target"];

/**
 * Parses target and value into canonical form. An IPv6 address gets the target `ip6`. Errors: 400 code 10011.
 */
export function parseConfiguration({ target, value }: AccessRuleConfiguration): AccessRuleConfiguration {
  switch (target) {
    case "ip":
    case "ip6": {
      const ipv4 = canonicalIpv4(value);
      if (ipv4 !== undefined && target === "ip") return { target: "ip", value: ipv4 };
      const ipv6 = canonicalIpv6(value);
      if (ipv6 !== undefined) return { target: "ip6", value: ipv6 };
      return refuse(target, target === "ip" ? "must be an IP address" : "must be an IPv6 address");
    }
    case "ip_range":
      return { target, value: parseRange(value) ?? refuse(target, rangeRule) };
    case "asn": {
      const [, number] = /^(?:AS)?(\d{1,10})$/i.exec(value) ?? [];
      if (number === undefined || Number(number) < 1 || Number(number) > 4_294_967_295) {
        return refuse(target, "must be the number of an autonomous system, AS64496 for one");
      }
      return { target, value: `AS${Number(number)}` };
    }
    case "country":
      if (!/^(?:[A-Z]{2}|T1)$/i.test(value)) return refuse(target, "must be a country code of two letters");
      return { target, value: value.toUpperCase() };
  }
}

/**
 * The target and value to search for, in the form in which rules are stored; any other text is searched for
 * as it is.
 */
export function searchedConfiguration(
  target: Target | undefined,
  value: string | undefined,
): { readonly target: Target | undefined; readonly value: string | undefined } {
  if (value === undefined) return { target, value };
  const ipv6 = canonicalIpv6(value);
  if (ipv6 !== undefined) return { target: target === "ip" ? "ip6" : target, value: ipv6 };
  return { target, value: parseRange(value) ?? value };
}

/** An IPv6 address is answered in full: Terraform accepts no other spelling. */
export function shownValue({ target, value }: AccessRuleConfiguration): string {
  return (target === "ip6" ? fullValue(value) : null) ?? value;
}

/** A range in canonical form, without host bits; undefined for anything else. */
function parseRange(text: string): string | undefined {
  const [, base = "", length] = /^([^/]*)\/(\d{1,3})$/.exec(text) ?? [];
  const address = parseIpAddress(base);
  const bits = Number(length);
  if (address === undefined || !rangeBits[address.version].some((one) => one === bits)) return undefined;
  return `${printIpAddress(networkOf(address, bits).first)}/${bits}`;
}

function refuse(target: Target, rule: string): never {
  throw invalidBody(
    "/configuration/value",
    `for the target ${target} it ${rule}`,
    errorCodes.accessRules.invalidValue,
  );
}
