import { ipv4Address, isIpv4Mapped, parseIpAddress, type IpAddress } from "./ip-address.ts";

/**
 * Parses the address of a socket or of a header. A zone id is ignored, and an IPv4-mapped IPv6 address, as Node shows the
 * IPv4 clients of a dual-stack socket, is the IPv4 address. Undefined for anything else.
 */
export function parseClientAddress(text: string): IpAddress | undefined {
  const zone = text.indexOf("%");
  const address = parseIpAddress(zone === -1 ? text : text.slice(0, zone));
  if (address === undefined || (zone !== -1 && address.version === 4)) return undefined;
  return isIpv4Mapped(address) ? ipv4Address(address.words[3]) : address;
}

/**
 * A key for all addresses of one client: an IPv4 address, or the /64 of an IPv6 address. Something that is not an address is
 * a key of its own.
 */
export function clientNetwork(address: string): string {
  const parsed = parseClientAddress(address);
  if (parsed === undefined) return address;
  const { version, words } = parsed;
  return version === 4 ? String(words[3]) : `${words[0].toString(16)}:${words[1].toString(16)}`;
}
