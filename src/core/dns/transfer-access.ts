import { parseClientAddress } from "../net/client-network.ts";
import { sameAddress, type IpAddress } from "../net/ip-address.ts";
import { isInRange, type IpRange } from "../net/ip-range.ts";
import type { TsigKey } from "./wire/tsig-signing.ts";

/** Who may transfer a zone. */
export interface TransferAccess {
  readonly peers: readonly { readonly address: IpAddress | undefined; readonly key: TsigKey | undefined }[];
  /** Addresses from which every zone of the account may be transferred. */
  readonly ranges: readonly IpRange[];
}

/**
 * Whether a client may transfer the zone: its address is that of a peer or lies in one of the ranges. If any
 * peer of the zone has a key, the request must be signed with such a key; at a peer's address, with the key
 * of a peer there.
 */
export function mayTransfer(
  { peers, ranges }: TransferAccess,
  clientAddress: string,
  key: TsigKey | undefined,
): boolean {
  const address = parseClientAddress(clientAddress);
  if (address === undefined) return false;
  const needsKey = peers.some((peer) => peer.key !== undefined);
  const allowing = needsKey ? peers.filter((peer) => isSameKey(peer.key, key)) : peers;
  const isPeer = allowing.some((peer) => peer.address !== undefined && sameAddress(peer.address, address));
  if (isPeer) return true;
  return (!needsKey || allowing.length > 0) && ranges.some((range) => isInRange(address, range));
}

/** Compared by value, as keys are read anew after each change. */
function isSameKey(one: TsigKey | undefined, other: TsigKey | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return (
    one.name === other.name &&
    one.algorithm === other.algorithm &&
    one.secret.length === other.secret.length &&
    one.secret.every((octet, index) => octet === other.secret[index])
  );
}
