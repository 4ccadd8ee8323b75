import {
  addressBits,
  compareAddresses,
  ipv4Address,
  isIpv4Mapped,
  parseIpAddress,
  type IpAddress,
  ipv6Groups,
  parseIpv6,
} from "./ip-address.ts";

/** The addresses from `first` to `last`, both included and of one version. */
export interface IpRange {
  readonly first: IpAddress;
  readonly last: IpAddress;
}

const mappedBits = 96;

/**
 * Parses a range in CIDR notation and ignores its host bits. A range of IPv4-mapped addresses is the IPv4
 * range. Undefined for anything else, also for an address without a prefix length.
 */
export function parseCidr(text: string): IpRange | undefined {
  const [, base = "", length] = /^([0-9A-Fa-f.:]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const bits = Number(length);
  const address = parseIpAddress(base);
  if (address === undefined || bits > addressBits(address)) return undefined;
  return isIpv4Mapped(address) && bits >= mappedBits
    ? networkOf(ipv4Address(address.words[3]), bits - mappedBits)
    : networkOf(address, bits);
}

export function parseIpRange(text: string): IpRange | undefined {
  return parseCidr(cidrOfAddress(text) ?? text);
}

/** The CIDR notation of a range with a single address; undefined if the text is not an address. */
export function cidrOfAddress(text: string): string | undefined {
  const address = parseIpAddress(text);
  return address && `${text}/${addressBits(address)}`;
}

/** The network with a prefix of `bits` to which an address belongs. */
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

export function isInRange(address: IpAddress, { first, last }: IpRange): boolean {
  return (
    address.version === first.version &&
    compareAddresses(first, address) <= 0 &&
    compareAddresses(address, last) <= 0
  );
}

/**
 * An IPv6 address, or a range of them, with the address in full and in lower case; null for anything else.
 */
export function fullValue(text: string): string | null {
  const [base = "", ...length] = text.split("/");
  const address = parseIpv6(base);
  if (address === undefined) return null;
  const groups = ipv6Groups(address).map((group) => group.toString(16).padStart(4, "0"));
  return [groups.join(":"), ...length].join("/");
}
