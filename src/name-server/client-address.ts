import { parseClientAddress } from "../core/net/client-network.ts";
import { fourOctets } from "../core/dns/wire/octets.ts";

/** The 4 or 16 octets of an address that Node wrote as text. */
export function addressOctets(address: string): string {
  const parsed = parseClientAddress(address);
  if (parsed === undefined) return "";
  const { version, words } = parsed;
  return version === 4 ? fourOctets(words[3]) : words.map(fourOctets).join("");
}

/** A key for the /24 network of an IPv4 address, or the /56 network of an IPv6 address. */
export function addressNetwork(address: string): string {
  const octets = addressOctets(address);
  return octets.slice(0, octets.length === 4 ? 3 : 7);
}
