import { isInRange, parseAddress, parseRange, type AddressRange } from "./policy/address-ranges.ts";

const rangeOf = (cidr: string): AddressRange => parseRange(cidr) as AddressRange;

/** What only a neighbour can be, and where clouds serve secrets to their machines. */
const denied = [
  "169.254.0.0/16",
  "fe80::/10",
  // Alibaba, Oracle, Azure.
  "100.100.100.200/32",
  "192.0.0.192/32",
  "168.63.129.16/32",
  // By IPv6: Amazon, Google, Oracle, Scaleway, Linode, Alibaba.
  "fd00:ec2::/32",
  "fd20:ce::254/128",
  "fd00:c1::a9fe:a9fe/128",
  "fd00:42::42/128",
  "fd00:a9fe:a9fe::1/128",
  "fd00:100::100:200/128",
].map(rangeOf);

const deniedNames = /^(?:metadata|metadata\.google\.internal|metadata\.goog|instance-data)\.?$/i;

/** The octets of IPv6 addresses in which an IPv4 address lies that they lead to; IPv4-mapped ones are IPv4 already. */
const embeddings: readonly { readonly range: AddressRange; readonly octets: readonly number[] }[] = [
  // IPv4-compatible (RFC 4291 section 2.5.5.1) and IPv4-translated (RFC 2765) addresses.
  { range: rangeOf("::/96"), octets: [12, 13, 14, 15] },
  { range: rangeOf("::ffff:0:0:0/96"), octets: [12, 13, 14, 15] },
  // 6to4 (RFC 3056).
  { range: rangeOf("2002::/16"), octets: [2, 3, 4, 5] },
  // NAT64: the well-known prefix (RFC 6052), and the one for local use (RFC 8215) with each length that a prefix may have.
  { range: rangeOf("64:ff9b::/96"), octets: [12, 13, 14, 15] },
  { range: rangeOf("64:ff9b:1::/48"), octets: [6, 7, 9, 10] },
  { range: rangeOf("64:ff9b:1::/48"), octets: [7, 9, 10, 11] },
  { range: rangeOf("64:ff9b:1::/48"), octets: [9, 10, 11, 12] },
  { range: rangeOf("64:ff9b:1::/48"), octets: [12, 13, 14, 15] },
];

/**
 * Whether a host, by name or address, is one that only serves this machine or its neighbours: link-local and metadata
 * addresses, in every form that leads to them. What a name resolves to has to be judged as well.
 */
export function isDeniedHost(host: string): boolean {
  const address = parseAddress(host.replace(/^\[(.*)\]$/, "$1"));
  if (address === undefined) return deniedNames.test(host);
  const leadsTo = typeof address === "number" ? [address] : [address, ...embeddedIn(address)];
  return leadsTo.some((one) => denied.some((range) => isInRange(one, range)));
}

function embeddedIn(groups: readonly number[]): number[] {
  const octets = groups.flatMap((group) => [group >> 8, group & 0xff]);
  return embeddings
    .filter(({ range }) => isInRange(groups, range))
    .map(({ octets: places }) => places.reduce((address, at) => address * 256 + (octets[at] ?? 0), 0));
}
