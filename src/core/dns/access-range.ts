import { addressBits, compareAddresses, parseIpAddress, printIpAddress } from "../net/ip-address.ts";
import { networkOf } from "../net/ip-range.ts";

/** The shortest prefix that a range of an access list may have, by IP version. */
const prefixMin = { 4: 24, 6: 64 } as const;

/**
 * An address, or a range with its host bits set to 0, as an access list stores it; a canonical range keeps
 * the text that was sent. Undefined for anything else, and for a range of more than 256 IPv4 addresses or
 * larger than a /64.
 */
export function accessRange(text: string): string | undefined {
  const [, base = "", length] = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const address = parseIpAddress(base);
  if (address === undefined) return undefined;
  if (length === undefined) return text;
  const bits = Number(length);
  if (bits > addressBits(address) || bits < prefixMin[address.version]) return undefined;
  const { first } = networkOf(address, bits);
  return compareAddresses(first, address) === 0 ? text : `${printIpAddress(first)}/${bits}`;
}
