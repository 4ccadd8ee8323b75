import ipaddr from "ipaddr.js";

/** An IPv4 or IPv6 address as four words of 32 bits; an IPv4 address is in the last one. */
export interface IpAddress {
  readonly version: 4 | 6;
  readonly words: readonly [number, number, number, number];
}

const dottedQuad = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const embeddedIpv4 = /(?<=:)[^:]+\.[^:]+$/;
const ipv6LengthMax = 45;

export function parseIpAddress(text: string): IpAddress | undefined {
  return text.includes(":") ? parseIpv6(text) : parseIpv4(text);
}

/** Parses a dotted quad without leading zeros; undefined for anything else. */
export function parseIpv4(text: string): IpAddress | undefined {
  if (!dottedQuad.test(text)) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = text.split(".").map(Number);
  return ipv4Address(((a << 24) | (b << 16) | (c << 8) | d) >>> 0);
}

export function ipv4Address(word: number): IpAddress {
  return { version: 4, words: [0, 0, 0, word] };
}

/**
 * Parses an IPv6 address in any of its forms (RFC 4291, section 2.2) without zone id; undefined for anything
 * else.
 */
export function parseIpv6(text: string): IpAddress | undefined {
  if (text.length > ipv6LengthMax) return undefined;
  // ipaddr.js parses `::192.0.2.1` as an IPv4-mapped address, which is another one.
  const hexadecimal = text.replace(embeddedIpv4, (quad) => hexadecimalOf(quad) ?? quad);
  if (/[.%]/.test(hexadecimal) || !ipaddr.IPv6.isValid(hexadecimal)) return undefined;
  const { parts } = ipaddr.IPv6.parse(hexadecimal);
  const word = (index: number): number => (parts[index] ?? 0) * 0x1_0000 + (parts[index + 1] ?? 0);
  return { version: 6, words: [word(0), word(2), word(4), word(6)] };
}

function hexadecimalOf(quad: string): string | undefined {
  const word = parseIpv4(quad)?.words[3];
  return word === undefined ? undefined : `${(word >>> 16).toString(16)}:${(word & 0xffff).toString(16)}`;
}

/** The canonical text (RFC 5952); IPv4-mapped addresses end in a dotted quad. */
export function printIpAddress(address: IpAddress): string {
  const { version, words } = address;
  if (version === 4) return quadOf(words[3]);
  if (isIpv4Mapped(address)) return `::ffff:${quadOf(words[3])}`;
  return new ipaddr.IPv6(ipv6Groups(address)).toRFC5952String();
}

function quadOf(word: number): string {
  return ipv4Octets(word).join(".");
}

export function ipv4Octets(word: number): number[] {
  return [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255];
}

export function ipv6Groups({ words }: IpAddress): number[] {
  return words.flatMap((word) => [word >>> 16, word & 0xffff]);
}

/** The canonical text of an IPv4 address; undefined for anything else. */
export function canonicalIpv4(text: string): string | undefined {
  return dottedQuad.test(text) ? text : undefined;
}

/** The canonical text of an IPv6 address in hexadecimal groups only; undefined for anything else. */
export function canonicalIpv6(text: string): string | undefined {
  const address = parseIpv6(text);
  return address && new ipaddr.IPv6(ipv6Groups(address)).toRFC5952String();
}

/** Whether an address is an IPv4 address in IPv6 form, `::ffff:192.0.2.1`. */
export function isIpv4Mapped({ version, words }: IpAddress): boolean {
  return version === 6 && words[0] === 0 && words[1] === 0 && words[2] === 0xffff;
}

export function addressBits({ version }: IpAddress): 32 | 128 {
  return version === 4 ? 32 : 128;
}

export function compareAddresses({ words: one }: IpAddress, { words: other }: IpAddress): number {
  if (one[0] !== other[0]) return one[0] - other[0];
  if (one[1] !== other[1]) return one[1] - other[1];
  if (one[2] !== other[2]) return one[2] - other[2];
  return one[3] - other[3];
}

export function sameAddress(one: IpAddress, other: IpAddress): boolean {
  return one.version === other.version && compareAddresses(one, other) === 0;
}
