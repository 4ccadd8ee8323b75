import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv4 } from "node:net";

/**
 * Makes the function that finds the address a request comes from: that of the socket, or the one that trusted proxies
 * name in `X-Forwarded-For`.
 */
export function clientAddressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trusted = new BlockList();
  for (const entry of trustedProxies) {
    const [address = "", bits] = entry.split("/");
    const family = isIPv4(address) ? "ipv4" : "ipv6";
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string): boolean => trusted.check(address, isIPv4(address) ? "ipv4" : "ipv6");

  return ({ socket, headers }) => {
    let address = socket.remoteAddress ?? "";
    if (trustedProxies.length === 0) return address;
    const forwarded = [headers["x-forwarded-for"] ?? ""].flat().join(",").split(",");
    // From the right: what stands further left was written by whoever sent it.
    for (const hop of forwarded.toReversed()) {
      const before = hop.trim();
      if (!isTrusted(address) || isIP(before) === 0) break;
      address = before;
    }
    return address;
  };
}
