import ipaddr from "ipaddr.js";

import { ipv4Octets, ipv6Groups, parseIpAddress, type IpAddress } from "./ip-address.ts";
import { isInRange, parseCidr } from "./ip-range.ts";

/** Not public, but common in first records (RFC 5737, RFC 3849, RFC 9637). */
const documentationRanges = [
  "192.0.2.0/24",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "2001:db8::/32",
  "3fff::/20",
].flatMap((cidr) => parseCidr(cidr) ?? []);

/** Whether an address is a public unicast address; those for documentation count as public. */
export function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text);
  if (address === undefined) return false;
  return kindOf(address) === "unicast" || documentationRanges.some((range) => isInRange(address, range));
}

function kindOf(address: IpAddress): string {
  const { version, words } = address;
  const parsed = version === 4 ? new ipaddr.IPv4(ipv4Octets(words[3])) : new ipaddr.IPv6(ipv6Groups(address));
  return parsed.range();
}
