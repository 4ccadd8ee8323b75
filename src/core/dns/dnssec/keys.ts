import { nameToOctets } from "../wire/names.ts";
import { octet, twoOctets } from "../wire/octets.ts";
import { algorithm, digestType, type Hash, type SigningKey } from "./algorithms.ts";

const protocol = 3;

/** The data of a key's DNSKEY record (RFC 4034 section 2.1). */
export function dnskeyData({ flags, publicKey }: Pick<SigningKey, "flags" | "publicKey">): string {
  return twoOctets(flags) + octet(protocol) + octet(algorithm) + publicKey;
}

/** The key tag of a DNSKEY record's data (RFC 4034 appendix B). */
export function keyTagOf(dnskey: string): number {
  let sum = 0;
  for (let at = 0; at < dnskey.length; at += 1) {
    sum += at % 2 === 0 ? dnskey.charCodeAt(at) * 0x100 : dnskey.charCodeAt(at);
  }
  return (sum + (sum >>> 16)) & 0xffff;
}

/**
 * The data of the DS record for a key of the zone (RFC 4034 section 5.1); its CDS record has the same data.
 */
export function dsData(zone: string, dnskey: string, sha256: Hash): string {
  return twoOctets(keyTagOf(dnskey)) + octet(algorithm) + octet(digestType) + digestOf(zone, dnskey, sha256);
}

export function digestOf(zone: string, dnskey: string, sha256: Hash): string {
  return sha256(nameToOctets(zone) + dnskey);
}

/** The data of the CDS and CDNSKEY records that ask the parent to delete its DS records (RFC 8078 section 4). */
export const withdrawal = {
  cds: "\0\0\0\0\0",
  cdnskey: twoOctets(0) + octet(protocol) + "\0\0",
} as const;
