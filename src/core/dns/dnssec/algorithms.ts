/** ECDSA Curve P-256 with SHA-256 (RFC 6605), the only algorithm that zones are signed with. */
export const algorithm = 13;
export const algorithmName = "ECDSAP256SHA256";

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

/** A key of a zone. */
export interface SigningKey {
  /** One of `keyFlags`. */
  readonly flags: number;
  /** 64 octets. */
  readonly publicKey: string;
  /** The signature of a message, 64 octets. Deterministic: equal messages have equal signatures. */
  readonly sign: (octets: string) => string;
}
