import { parseClientAddress } from "./client-network.ts";
import { ipv4Address, type IpAddress } from "./ip-address.ts";
import { isInRange, parseCidr, type IpRange } from "./ip-range.ts";

const rangeOf = (cidr: string): IpRange => parseCidr(cidr) as IpRange;

/** Link-local addresses, and metadata services of clouds. */
const denied = [
  "169.254.0.0/16",
  "fe80::/10",
  // Alibaba, Oracle, Azure.
  "100.100.100.200/32",
  "192.0.0.192/32",
  "168.63.129.16/32",
  "fd00:ec2::/32",
  "fd20:ce::254/128",
  "fd00:c1::a9fe:a9fe/128",
  "fd00:42::42/128",
  "fd00:a9fe:a9fe::1/128",
  "fd00:100::100:200/128",
].map(rangeOf);

const deniedNames = /^(?:metadata|metadata\.google\.internal|metadata\.goog|instance-data)\.?$/i;

interface Embedding {
  readonly range: IpRange;
  readonly octets: readonly number[];
  readonly isInverted?: true;
}

/** IPv6 ranges that embed an IPv4 address. */
const embeddings: readonly Embedding[] = [
  // IPv4-compatible (RFC 4291 section 2.5.5.1) and IPv4-translated (RFC 2765) addresses.
  { range: rangeOf("::/96"), octets: [12, 13, 14, 15] },
  { range: rangeOf("::ffff:0:0:0/96"), octets: [12, 13, 14, 15] },
  // 6to4 (RFC 3056).
  { range: rangeOf("2002::/16"), octets: [2, 3, 4, 5] },
  // Teredo (RFC 4380): its server, and its client with each bit inverted.
  { range: rangeOf("2001::/32"), octets: [4, 5, 6, 7] },
  { range: rangeOf("2001::/32"), octets: [12, 13, 14, 15], isInverted: true },
  // NAT64: the well-known prefix (RFC 6052), and the one for local use (RFC 8215) with each length that a
  // prefix may have.
  { range: rangeOf("64:ff9b::/96"), octets: [12, 13, 14, 15] },
  { range: rangeOf("64:ff9b:1::/48"), octets: [6, 7, 9, 10] },
  { range: rangeOf("64:ff9b:1::/48"), octets: [7, 9, 10, 11] },
  { range: rangeOf("64:ff9b:1::/48"), octets: [9, 10, 11, 12] },
  { range: rangeOf("64:ff9b:1::/48"), octets: [12, 13, 14, 15] },
];

/**
 * Whether a host, by name or address, is a link-local or metadata address in any of its forms. Also check the
 * addresses to which a name resolves.
 */
export function isDeniedHost(host: string): boolean {
  const address = parseClientAddress(host.replace(/^\[(.*)\]$/, "$1"));
  return address === undefined ? deniedNames.test(host) : isDeniedAddress(address);
}

export function isDeniedAddress(address: IpAddress): boolean {
  return [address, ...embeddedIn(address)].some((one) => denied.some((range) => isInRange(one, range)));
}

function embeddedIn(address: IpAddress): IpAddress[] {
  const octets = address.words.flatMap((word) => [word >>> 24, word >>> 16, word >>> 8, word]);
  return embeddings
    .filter(({ range }) => isInRange(address, range))
    .map(({ octets: places, isInverted }) => {
      const word = places.reduce((sum, at) => ((sum << 8) | ((octets[at] ?? 0) & 255)) >>> 0, 0);
      return ipv4Address(isInverted === true ? ~word >>> 0 : word);
    });
}
