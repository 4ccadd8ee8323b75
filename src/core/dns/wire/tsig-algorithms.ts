/**
 * The algorithms of TSIG keys (RFC 8945 section 6) by their names in messages: the hash function, and the
 * octets of its result.
 */
export const tsigAlgorithms = {
  "hmac-md5.sig-alg.reg.int": { hash: "md5", octets: 16 },
  "hmac-sha1": { hash: "sha1", octets: 20 },
  "hmac-sha224": { hash: "sha224", octets: 28 },
  "hmac-sha256": { hash: "sha256", octets: 32 },
  "hmac-sha384": { hash: "sha384", octets: 48 },
  "hmac-sha512": { hash: "sha512", octets: 64 },
} as const;

export type TsigAlgorithm = keyof typeof tsigAlgorithms;
export type TsigHash = (typeof tsigAlgorithms)[TsigAlgorithm]["hash"];

/** The algorithm of a name in any letter case, with or without a final dot; undefined for an unknown one. */
export function parseTsigAlgorithm(text: string): TsigAlgorithm | undefined {
  const name = text.toLowerCase().replace(/\.$/, "");
  return Object.hasOwn(tsigAlgorithms, name) ? (name as TsigAlgorithm) : undefined;
}
