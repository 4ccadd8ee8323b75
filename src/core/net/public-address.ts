import ipaddr from "ipaddr.js";

import { parseIpAddress, printIpAddress } from "./ip-address.ts";
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
  return (
    ipaddr.parse(printIpAddress(address)).range() === "unicast" ||
    documentationRanges.some((range) => isInRange(address, range))
  );
}
