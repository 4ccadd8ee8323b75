import ipaddr from "ipaddr.js";

import { parseIpv4, parseIpv6 } from "../dns/addresses.ts";

/** An address of either family as four words of 32 bits; an IPv4 address is in the last one. */
export interface IpAddress {
  readonly version: 4 | 6;
  readonly words: readonly [number, number, number, number];
}

/** Addresses from `first` to `last`, both included and of one family. */
export interface IpRange {
  readonly first: IpAddress;
  readonly last: IpAddress;
}

/** Reads dotted quads without leading zeros and IPv6 in all its forms, without zone; undefined for anything else. */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (!text.includes(":")) {
    if (parseIpv4(text) === undefined) return undefined;
    const [a = 0, b = 0, c = 0, d = 0] = text.split(".", 4).map(Number);
    return { version: 4, words: [0, 0, 0, ((a << 24) | (b << 16) | (c << 8) | d) >>> 0] };
  }
  const canonical = parseIpv6(text);
  if (canonical === undefined) return undefined;
  const { parts } = ipaddr.IPv6.parse(canonical);
  const word = (index: number): number => (parts[index] ?? 0) * 0x1_0000 + (parts[index + 1] ?? 0);
  return { version: 6, words: [word(0), word(2), word(4), word(6)] };
}

/** The canonical text (RFC 5952); IPv4-mapped addresses end in a dotted quad. */
export function printIpAddress({ version, words }: IpAddress): string {
  if (version === 4) return dottedQuad(words[3]);
  if (words[0] === 0 && words[1] === 0 && words[2] === 0xffff) return `::ffff:${dottedQuad(words[3])}`;
  const parts = words.flatMap((word) => [word >>> 16, word & 0xffff]);
  return new ipaddr.IPv6(parts).toRFC5952String();
}

function dottedQuad(word: number): string {
  return [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255].join(".");
}

/** How many bits an address has. */
export function addressBits({ version }: IpAddress): 32 | 128 {
  return version === 4 ? 32 : 128;
}

/** The first and the last address of the network of `bits` that an address is in. */
export function networkOf(address: IpAddress, bits: number): IpRange {
  const skipped = 128 - addressBits(address);
  const masks = [0, 1, 2, 3].map((index) => wordMask(skipped + bits - 32 * index));
  const word = (index: 0 | 1 | 2 | 3, last: boolean): number => {
    const mask = masks[index] ?? 0;
    if (32 * index < skipped) return 0;
    return (last ? address.words[index] | ~mask : address.words[index] & mask) >>> 0;
  };
  const end = (last: boolean): IpAddress => ({
    version: address.version,
    words: [word(0, last), word(1, last), word(2, last), word(3, last)],
  });
  return { first: end(false), last: end(true) };
}

function wordMask(bits: number): number {
  if (bits <= 0) return 0;
  return bits >= 32 ? 0xffff_ffff : (0xffff_ffff << (32 - bits)) >>> 0;
}

/** Compares two addresses of the same family: below 0, 0 or above 0. */
export function compareAddresses({ words: one }: IpAddress, { words: other }: IpAddress): number {
  if (one[0] !== other[0]) return one[0] - other[0];
  if (one[1] !== other[1]) return one[1] - other[1];
  if (one[2] !== other[2]) return one[2] - other[2];
  return one[3] - other[3];
}

/** An IPv4 address is never the same as an IPv6 one. */
export function sameAddress(one: IpAddress, other: IpAddress): boolean {
  return one.version === other.version && compareAddresses(one, other) === 0;
}

/** Whether the address is in the range; an address of the other version never is. */
export function isInRange(address: IpAddress, { first, last }: IpRange): boolean {
  return (
    address.version === first.version &&
    compareAddresses(first, address) <= 0 &&
    compareAddresses(address, last) <= 0
  );
}
