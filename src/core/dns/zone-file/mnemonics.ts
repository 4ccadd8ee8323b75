import type { RecordType } from "../record-types.ts";

type Mnemonics = Readonly<Record<string, number>>;

// RFC 4398 section 2.1
const certificateTypes: Mnemonics = {
  PKIX: 1,
  SPKI: 2,
  PGP: 3,
  IPKIX: 4,
  ISPKI: 5,
  IPGP: 6,
  ACPKIX: 7,
  IACPKIX: 8,
  URI: 253,
  OID: 254,
};

// IANA registry of DNS Security Algorithm Numbers (RFC 4034 appendix A.1)
const securityAlgorithms: Mnemonics = {
  RSAMD5: 1,
  DH: 2,
  DSA: 3,
  RSASHA1: 5,
  "DSA-NSEC3-SHA1": 6,
  NSEC3DSA: 6,
  "RSASHA1-NSEC3-SHA1": 7,
  NSEC3RSASHA1: 7,
  RSASHA256: 8,
  RSASHA512: 10,
  "ECC-GOST": 12,
  ECCGOST: 12,
  ECDSAP256SHA256: 13,
  ECDSAP384SHA384: 14,
  ED25519: 15,
  ED448: 16,
  INDIRECT: 252,
  PRIVATEDNS: 253,
  PRIVATEOID: 254,
};

/** The mnemonics that may stand in place of a number, by the index of the token. */
const mnemonicsAt: Readonly<Partial<Record<RecordType, Readonly<Record<number, Mnemonics>>>>> = {
  CERT: { 0: certificateTypes, 2: securityAlgorithms },
  DNSKEY: { 2: securityAlgorithms },
  DS: { 1: securityAlgorithms },
};

/** The tokens of a record's data with numbers in place of mnemonics, as the API knows only numbers. */
export function withoutMnemonics(type: RecordType, tokens: readonly string[]): readonly string[] {
  const known = mnemonicsAt[type];
  if (known === undefined) return tokens;
  return tokens.map((token, index) => {
    const name = token.toUpperCase();
    const numbers = known[index] ?? {};
    return Object.hasOwn(numbers, name) ? String(numbers[name]) : token;
  });
}
