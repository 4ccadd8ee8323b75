import { isDeniedAddress } from "./denied-hosts.ts";
import { parseClientAddress } from "./client-network.ts";
import { isPublicAddress } from "./public-address.ts";
import { isInRange, parseIpRange } from "./ip-range.ts";

/** Whether an address may be that of an origin. */
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
