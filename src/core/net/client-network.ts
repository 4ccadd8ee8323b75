import { LruMap } from "../lru-map.ts";
import { ipv4Address, isIpv4Mapped, parseIpAddress, type IpAddress } from "./ip-address.ts";

/**
 * Parses the address of a socket or header without its zone id. IPv4-mapped IPv6 addresses, which Node
 * reports for the IPv4 clients of dual-stack sockets, become IPv4. Undefined for anything else.
 */
export function parseClientAddress(text: string): IpAddress | undefined {
  const zone = text.indexOf("%");
  const address = parseIpAddress(zone === -1 ? text : text.slice(0, zone));
  if (address === undefined || (zone !== -1 && address.version === 4)) return undefined;
  return isIpv4Mapped(address) ? ipv4Address(address.words[3]) : address;
}

const knownMax = 1_000;
const addressLengthMax = 64;
/** Keys of the addresses that were asked for last, as to parse one takes longer than to find it. */
const known = new LruMap<string, string>(knownMax);

/** A key for the addresses of one client: an IPv4 address or an IPv6 /64. Other texts are their own keys. */
export function clientNetwork(address: string): string {
  if (address.length > addressLengthMax) return address;
  let key = known.get(address);
  if (key === undefined) {
    const parsed = parseClientAddress(address);
    known.set(address, (key = parsed === undefined ? address : networkKey(parsed)));
  }
  return key;
}

/**
 * A key for the network of which one party may have many addresses: the /16 of an IPv4 address, the /32 of an
 * IPv6 one. Clients without a known account share by it. Other texts are their own keys.
 */
export function providerNetwork(address: string): string {
  const parsed = parseClientAddress(address);
  if (parsed === undefined) return address;
  const { version, words } = parsed;
  return version === 4 ? String(words[3] >>> 16) : `${words[0].toString(16)}:`;
}

/**
 * A key for the network of one client: an IPv4 address, or the /64 of an IPv6 address, of which a client may
 * use any.
 */
export function networkKey({ version, words }: IpAddress): string {
  return version === 4 ? String(words[3]) : `${words[0].toString(16)}:${words[1].toString(16)}`;
}
