import { isDeniedHost } from "./denied-hosts.ts";
import { parseClientAddress } from "./client-network.ts";
import { isPublicAddress } from "./public-address.ts";
import { isInRange, parseIpRange } from "./ip-range.ts";

/** Whether an address may be that of an origin. */
export type OriginRule = (address: string) => boolean;

/**
 * Public addresses may be origins, and those within `networks`, which are addresses or ranges in CIDR notation; no other:
 * whoever edits the records of a zone must not reach the network of the edge.
 */
export function originRule(networks: readonly string[]): OriginRule {
  const ranges = networks.flatMap((network) => parseIpRange(network) ?? []);
  return (text) => {
    const address = parseClientAddress(text);
    if (address === undefined) return false;
    return (
      ranges.some((range) => isInRange(address, range)) || (isPublicAddress(text) && !isDeniedHost(text))
    );
  };
}

const discard = parseIpRange("100::/64");

/** Whether an address is in the range that discards all packets (RFC 6666), as hosts without an origin have. */
export function isDiscardAddress(text: string): boolean {
  const address = parseClientAddress(text);
  return address !== undefined && discard !== undefined && isInRange(address, discard);
}
