import ipaddr from "ipaddr.js";

import type { RecordType } from "./record-types.ts";

const ipv6LengthMax = 45;
const embeddedIpv4 = /(?<=:)[^:]+\.[^:]+$/;

/** An IPv4 address in dotted quad form without leading zeros (RFC 1035); undefined for anything else. */
export function parseIpv4(text: string): string | undefined {
  return ipaddr.IPv4.isValidFourPartDecimal(text) ? text : undefined;
}

/** An IPv6 address in its canonical text form (RFC 5952), without zone id; undefined for anything else. */
export function parseIpv6(text: string): string | undefined {
  return readIpv6(text)?.toRFC5952String();
}

/** The eight groups of an IPv6 address without zone id; undefined for anything else. */
export function parseIpv6Groups(text: string): readonly number[] | undefined {
  return readIpv6(text)?.parts;
}

function readIpv6(text: string): ipaddr.IPv6 | undefined {
  if (text.length > ipv6LengthMax) return undefined;
  // ipaddr.js reads `::192.0.2.1` as an IPv4-mapped address, which is another one.
  const hexadecimal = text.replace(embeddedIpv4, (quad) => ipv4AsGroups(quad) ?? quad);
  if (/[.%]/.test(hexadecimal)) return undefined;
  try {
    return ipaddr.IPv6.parse(hexadecimal);
  } catch {
    return undefined;
  }
}

function ipv4AsGroups(quad: string): string | undefined {
  if (parseIpv4(quad) === undefined) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(quad).octets;
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

// Not public, but what people put into their first records (RFC 5737, RFC 3849, RFC 9637).
const documentationRanges = [
  "192.0.2.0/24",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "2001:db8::/32",
  "3fff::/20",
].map((range) => ipaddr.parseCIDR(range));

const proxiableTypes: Partial<Record<RecordType, (content: string) => boolean>> = {
  A: isReachable,
  AAAA: isReachable,
  CNAME: () => true,
};

/**
 * Whether traffic for a record can be proxied: a CNAME, or an A or AAAA record with a public unicast
 * address. Documentation ranges count as public. `content` is that of a `parseRdata` result.
 */
export function isProxiable(type: RecordType, content: string): boolean {
  return proxiableTypes[type]?.(content) ?? false;
}

function isReachable(content: string): boolean {
  const address = ipaddr.parse(content);
  return (
    address.range() === "unicast" ||
    documentationRanges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))
  );
}
