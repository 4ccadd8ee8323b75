import { parseIpv6Groups } from "../dns/addresses.ts";

/** An IPv4 address as a number of 32 bits, an IPv6 address as its eight groups. */
export type Address = number | readonly number[];

/** A range holds the addresses that equal `base` where `mask` has ones. */
export type AddressRange =
  | { readonly base: number; readonly mask: number }
  | { readonly base: readonly number[]; readonly mask: readonly number[] };

const mappedPrefix = "::ffff:";
const mappedBits = 96;

/**
 * An address as a socket or a header writes it. A zone id is ignored, and an IPv4-mapped IPv6 address in any spelling
 * is the IPv4 address. Undefined for anything else.
 */
export function parseAddress(text: string): Address | undefined {
  // Node writes an IPv4 client of a dual-stack socket like this.
  const ipv4 = parseIpv4Number(text, text.startsWith(mappedPrefix) ? mappedPrefix.length : 0);
  if (ipv4 !== undefined) return ipv4;
  const zone = text.indexOf("%");
  const groups = parseIpv6Groups(zone === -1 ? text : text.slice(0, zone));
  return groups !== undefined && isMapped(groups) ? mappedIpv4(groups) : groups;
}

/**
 * A range in CIDR notation. Host bits are ignored. A range of IPv4-mapped addresses is the IPv4 range.
 * Undefined for anything else, a bare address included.
 */
export function parseRange(text: string): AddressRange | undefined {
  const [, address = "", length] = /^([0-9A-Fa-f.:]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const bits = Number(length);
  const ipv4 = parseIpv4Number(address, 0);
  if (ipv4 !== undefined) return bits <= 32 ? ipv4Range(ipv4, bits) : undefined;
  const groups = parseIpv6Groups(address);
  if (groups === undefined || !(bits <= 128)) return undefined;
  if (bits >= mappedBits && isMapped(groups)) return ipv4Range(mappedIpv4(groups), bits - mappedBits);
  const mask = groups.map((_, index) => (0xff_ff << (16 - clamp(bits - index * 16, 16))) & 0xff_ff);
  return { base: groups.map((group, index) => group & (mask[index] ?? 0)), mask };
}

/** The range of a single address in CIDR notation; undefined if the text is not an address. */
export function singleAddressRange(text: string): string | undefined {
  if (parseIpv4Number(text, 0) !== undefined) return `${text}/32`;
  return parseIpv6Groups(text) === undefined ? undefined : `${text}/128`;
}

export function isInRange(address: Address, { base, mask }: AddressRange): boolean {
  if (typeof address === "number") {
    return typeof base === "number" && typeof mask === "number" && (address & mask) === base;
  }
  if (typeof base === "number" || typeof mask === "number") return false;
  for (let index = 0; index < 8; index += 1) {
    if (((address[index] ?? 0) & (mask[index] ?? 0)) !== base[index]) return false;
  }
  return true;
}

function ipv4Range(address: number, bits: number): AddressRange {
  // A shift by 32 is a shift by 0.
  const mask = bits === 0 ? 0 : -1 << (32 - bits);
  return { base: address & mask, mask };
}

/** The dotted quad from `start` to the end of `text`. Runs for every request. */
function parseIpv4Number(text: string, start: number): number | undefined {
  let address = 0;
  let octets = 1;
  let octet = -1;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x2e) {
      if (octet === -1 || octets === 4) return undefined;
      address = address * 256 + octet;
      octets += 1;
      octet = -1;
    } else {
      const digit = code - 0x30;
      if (digit < 0 || digit > 9 || octet === 0) return undefined;
      octet = octet === -1 ? digit : octet * 10 + digit;
      if (octet > 255) return undefined;
    }
  }
  return octets === 4 && octet !== -1 ? address * 256 + octet : undefined;
}

function isMapped(groups: readonly number[]): boolean {
  return groups[5] === 0xff_ff && groups.slice(0, 5).every((group) => group === 0);
}

function mappedIpv4(groups: readonly number[]): number {
  return (groups[6] ?? 0) * 0x1_00_00 + (groups[7] ?? 0);
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(most, value));
}
