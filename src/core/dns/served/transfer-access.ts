import {
  addressBits,
  compareAddresses,
  parseIpAddress,
  printIpAddress,
  sameAddress,
  type IpAddress,
} from "../../net/ip-address.ts";
import { networkOf, isInRange, type IpRange } from "../../net/ip-range.ts";
import { parseClientAddress } from "../../net/client-network.ts";
import type { TsigKey } from "../wire/tsig.ts";

/** The shortest prefix that a range of an access list may have, by IP version. */
const prefixMin = { 4: 24, 6: 64 } as const;

/**
 * An address, or a range with its host bits set to 0, as an access list stores it; a canonical range keeps
 * the text that was sent. Undefined for anything else, and for a range of more than 256 IPv4 addresses or
 * larger than a /64.
 */
export function accessRange(text: string): string | undefined {
  const [, base = "", length] = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const address = parseIpAddress(base);
  if (address === undefined) return undefined;
  if (length === undefined) return text;
  const bits = Number(length);
  if (bits > addressBits(address) || bits < prefixMin[address.version]) return undefined;
  const { first } = networkOf(address, bits);
  return compareAddresses(first, address) === 0 ? text : `${printIpAddress(first)}/${bits}`;
}

/** The clients that may transfer a zone. */
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
