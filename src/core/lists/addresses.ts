import {
  addressBits,
  isIpv4Mapped,
  parseIpAddress,
  printIpAddress,
  type IpAddress,
} from "../net/ip-address.ts";
import { networkOf } from "../net/ip-range.ts";

/** The shortest prefix of a range in a list, by version. */
export const prefixBitsMin = { 4: 8, 6: 12 } as const;

/** An address or a range in its canonical form: without host bits, an address without its prefix length. */
export interface ListedAddress {
  readonly text: string;
  /** A sort key: by version, then by address, then by prefix length. Equal addresses have equal keys. */
  readonly key: string;
}

/** Parses an address, or a range whose prefix is long enough; undefined for anything else. */
export function parseListedAddress(text: string): ListedAddress | undefined {
  const [, base = "", length] = /^([^/]*)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const address = parseIpAddress(base);
  if (address === undefined || isIpv4Mapped(address)) return undefined;
  const bitsMax = addressBits(address);
  const bits = length === undefined ? bitsMax : Number(length);
  if (bits > bitsMax || bits < prefixBitsMin[address.version]) return undefined;
  const { first } = networkOf(address, bits);
  const shown = printIpAddress(first);
  return { text: bits === bitsMax ? shown : `${shown}/${bits}`, key: keyOf(first, bits) };
}

function keyOf({ version, words }: IpAddress, bits: number): string {
  const octets = (version === 4 ? words.slice(3) : words).map((word) => word.toString(16).padStart(8, "0"));
  return `${version}:${octets.join("")}/${String(bits).padStart(3, "0")}`;
}
