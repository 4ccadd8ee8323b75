import { parseIpv4, parseIpv6, parseIpv6Groups } from "../../core/dns/addresses.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { invalidBody } from "../../core/error.ts";
import type { AccessRuleConfiguration } from "./schema.ts";

type Target = AccessRuleConfiguration["target"];

/** The ranges that the public service takes. */
const ipv4RangeBits = [16, 24];
const ipv6RangeBits = [32, 48, 64];

/**
 * What a rule is about, in one spelling; an IPv6 address is `ip6` whatever it was called.
 * Errors: 400 code 10011 with a pointer to the value.
 */
export function parseConfiguration({ target, value }: AccessRuleConfiguration): AccessRuleConfiguration {
  switch (target) {
    case "ip":
    case "ip6": {
      const ipv4 = parseIpv4(value);
      if (ipv4 !== undefined && target === "ip") return { target: "ip", value: ipv4 };
      const ipv6 = parseIpv6(value);
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
 * What a search asks for, in the spelling in which rules are stored: it may be written in any form, and `ip` may stand
 * for an IPv6 address, as it does where a rule is created. A text that is no such value is searched for as it is.
 */
export function searchedConfiguration(
  target: Target | undefined,
  value: string | undefined,
): { readonly target: Target | undefined; readonly value: string | undefined } {
  if (value === undefined) return { target, value };
  const ipv6 = parseIpv6(value);
  if (ipv6 !== undefined) return { target: target === "ip" ? "ip6" : target, value: ipv6 };
  return { target, value: parseRange(value) ?? value };
}

/** The value as it is answered: an IPv6 address in full, which is the only spelling that Terraform takes for one. */
export function shownValue({ target, value }: AccessRuleConfiguration): string {
  const groups = target === "ip6" ? parseIpv6Groups(value) : undefined;
  return groups?.map((group) => group.toString(16).padStart(4, "0")).join(":") ?? value;
}

const rangeRule = `must be a range of /${ipv4RangeBits.join(" or /")} (IPv4), or /${ipv6RangeBits.join(", /")} (IPv6)`;

function parseRange(text: string): string | undefined {
  const [address = "", bits = "", ...rest] = text.split("/");
  if (rest.length > 0 || !/^\d{1,3}$/.test(bits)) return undefined;
  const ipv4 = parseIpv4(address);
  if (ipv4 !== undefined) {
    if (!ipv4RangeBits.includes(Number(bits))) return undefined;
    const [a, b, c] = ipv4.split(".");
    return Number(bits) === 16 ? `${a}.${b}.0.0/16` : `${a}.${b}.${c}.0/24`;
  }
  const ipv6 = parseIpv6(address);
  if (ipv6 === undefined || !ipv6RangeBits.includes(Number(bits))) return undefined;
  return `${networkOf(ipv6, Number(bits))}/${Number(bits)}`;
}

/** The address with its host bits cleared, canonical again. */
function networkOf(ipv6: string, bits: number): string {
  const [head = "", tail] = ipv6.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const middle = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => "0");
  const kept = [...left, ...middle, ...right].slice(0, bits / 16);
  return parseIpv6(`${kept.join(":")}::`) ?? ipv6;
}

function refuse(target: Target, rule: string): never {
  throw invalidBody(
    "/configuration/value",
    `for the target ${target} it ${rule}`,
    errorCodes.accessRules.invalidValue,
  );
}
