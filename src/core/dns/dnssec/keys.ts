import { nameToOctets } from "../wire/names.ts";
import { octet, twoOctets, twoOctetsAt } from "../wire/octets.ts";

/** ECDSA Curve P-256 with SHA-256 (RFC 6605), the only algorithm that zones are signed with. */
export const algorithm = 13;
const algorithmName = "ECDSAP256SHA256";

/** The names of the algorithms of others (IANA, DNS Security Algorithm Numbers). */
export const algorithmNames: ReadonlyMap<number, string> = new Map([
  [5, "RSASHA1"],
  [7, "RSASHA1-NSEC3-SHA1"],
  [8, "RSASHA256"],
  [10, "RSASHA512"],
  [algorithm, algorithmName],
  [14, "ECDSAP384SHA384"],
  [15, "ED25519"],
  [16, "ED448"],
]);

/** SHA-256 (RFC 4509), the only digest of our DS records. */
export const digestType = 2;
export const digestName = "SHA256";

/** Flags of DNSKEY records (RFC 4034 section 2.1.1). */
export const keyFlags = { zone: 256, entryPoint: 257 } as const;

/** A hash function from octets to octets. */
export type Hash = (octets: string) => string;

export interface SigningKey {
  /** One of `keyFlags`. */
  readonly flags: number;
  /** 64 octets. */
  readonly publicKey: string;
  /** The signature of a message, 64 octets. Deterministic: equal messages have equal signatures. */
  readonly sign: (octets: string) => string;
}

const protocol = 3;

/** The data of a key's DNSKEY record (RFC 4034 section 2.1). */
export function dnskeyData({ flags, publicKey }: Pick<SigningKey, "flags" | "publicKey">): string {
  return twoOctets(flags) + octet(protocol) + octet(algorithm) + publicKey;
}

/** The parts of a DNSKEY record's data. */
export function dnskeyParts(dnskey: string): {
  readonly flags: number;
  readonly algorithm: number;
  readonly publicKey: string;
} {
  return { flags: twoOctetsAt(dnskey, 0), algorithm: dnskey.charCodeAt(3), publicKey: dnskey.slice(4) };
}

const entryPointFlag = 0x0001;
const revokedFlag = 0x0080;

/**
 * The keys that DS records are of: those marked so (RFC 4034 section 2.1.1), else all that are not revoked (RFC
 * 5011).
 */
export function entryPointsAmong(dnskeys: readonly string[]): readonly string[] {
  const valid = dnskeys.filter((dnskey) => (dnskeyParts(dnskey).flags & revokedFlag) === 0);
  const marked = valid.filter((dnskey) => (dnskeyParts(dnskey).flags & entryPointFlag) !== 0);
  return marked.length > 0 ? marked : valid;
}

/** Whether a DS record is of a key. Digests other than SHA-256 are not compared. */
export function isSignerOf(ds: string, zone: string, dnskey: string, sha256: Hash): boolean {
  const ours = dsData(zone, dnskey, sha256);
  const digestAt = 4;
  const isOfKey = ds.slice(0, digestAt - 1) === ours.slice(0, digestAt - 1);
  return isOfKey && (ds.charCodeAt(digestAt - 1) !== digestType || ds === ours);
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
  const { algorithm: its } = dnskeyParts(dnskey);
  return twoOctets(keyTagOf(dnskey)) + octet(its) + octet(digestType) + digestOf(zone, dnskey, sha256);
}

export function digestOf(zone: string, dnskey: string, sha256: Hash): string {
  return sha256(nameToOctets(zone) + dnskey);
}

/** The data of the CDS and CDNSKEY records that ask the parent to delete its DS records (RFC 8078 section 4). */
export const withdrawal = {
  cds: "\0\0\0\0\0",
  cdnskey: twoOctets(0) + octet(protocol) + "\0\0",
} as const;
