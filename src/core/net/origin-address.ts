import { isDeniedAddress } from "./denied-hosts.ts";
import { parseClientAddress } from "./client-network.ts";
import { isInRange, parseIpRange, parseCidr } from "./ip-range.ts";
import { parseIpAddress } from "./ip-address.ts";

export type OriginRule = (address: string) => boolean;

export function networkRule(networks: readonly string[]): OriginRule {
  const ranges = networks.flatMap((network) => parseIpRange(network) ?? []);
  return (text) => {
    const address = parseClientAddress(text);
    return address !== undefined && ranges.some((range) => isInRange(address, range));
  };
}

/**
 * Public addresses may be origins, and those in `networks` (addresses or CIDR ranges). All others are
 * refused, as records must not give access to the network of the edge.
 */
export function originRule(networks: readonly string[]): OriginRule {
  const isInNetworks = networkRule(networks);
  return (text) => {
    const address = parseClientAddress(text);
    if (address === undefined) return false;
    return isInNetworks(text) || (isPublicAddress(text) && !isDeniedAddress(address));
  };
}

const discard = parseIpRange("100::/64");

/** Whether an address is in the discard-only range (RFC 6666), which stands for a host without an origin. */
export function isDiscardAddress(text: string): boolean {
  const address = parseClientAddress(text);
  return address !== undefined && discard !== undefined && isInRange(address, discard);
}

/**
 * The ranges that are allocated for unicast in the internet (RFC 4291 section 2.4 and RFC 3513 section 4).
 */
const unicast = ["0.0.0.0/0", "2000::/3"].flatMap((cidr) => parseCidr(cidr) ?? []);

/**
 * The ranges within `unicast` that have a special purpose: the registries of IANA
 * (https://www.iana.org/assignments/iana-ipv4-special-registry and
 * https://www.iana.org/assignments/iana-ipv6-special-registry), and multicast. Ranges for documentation are
 * left out, as they are common in first records. IPv6 addresses that embed an IPv4 address are here or
 * outside of `unicast`, whichever address they embed.
 */
const specialPurpose = [
  // The local network, private networks, carrier-grade NAT, loopback and link-local addresses.
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.168.0.0/16",
  // Assignments of protocols, AS112, AMT, relays of 6to4, benchmarks.
  "192.0.0.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.175.48.0/24",
  "198.18.0.0/15",
  // Multicast; reserved, with limited broadcast.
  "224.0.0.0/4",
  "240.0.0.0/4",
  // Assignments of protocols: Teredo, benchmarks, AMT, AS112, ORCHID, drone remote IDs.
  "2001::/23",
  // 6to4; AS112.
  "2002::/16",
  "2620:4f:8000::/48",
].flatMap((cidr) => parseCidr(cidr) ?? []);

/** Whether an address is a public unicast address; those for documentation count as public. */
export function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text);
  if (address === undefined) return false;
  return (
    unicast.some((range) => isInRange(address, range)) &&
    !specialPurpose.some((range) => isInRange(address, range))
  );
}
