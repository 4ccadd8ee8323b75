import { addressBits, compareAddresses, parseIpAddress, printIpAddress } from "../net/ip-address.ts";
import { networkOf } from "../net/ip-range.ts";

/** The largest ranges of an access list have so many bits. */
const prefixMin = { 4: 24, 6: 64 } as const;

/**
 * The text of an address, or of a range whose host bits are 0, as an access list has it: what was sent is kept where it says
 * so already. Undefined for anything else, also for a range of more than 256 IPv4 addresses or more than a /64.
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
