import { parseAddress } from "./policy/address-ranges.ts";

/**
 * The network that requests from an address are counted for: an IPv4 address, however it is written, or the /64 of an
 * IPv6 address, which belongs to one client.
 */
export function clientNetwork(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === undefined || typeof parsed === "number") return String(parsed ?? address);
  return parsed
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":");
}
