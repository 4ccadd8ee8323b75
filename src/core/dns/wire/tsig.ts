import { fourOctetsAt, twoOctets, twoOctetsAt, fourOctets, WireError } from "./octets.ts";
import { nameAt, nameToOctets } from "./names.ts";

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

/** The data of a TSIG record (RFC 8945 section 4.2). */
export interface Tsig {
  /** Name of the algorithm, `hmac-sha256`. */
  readonly algorithm: string;
  /** Seconds since 1970, 48 bits. */
  readonly timeSigned: number;
  readonly fudgeSeconds: number;
  /** Octets. */
  readonly mac: string;
  readonly originalId: number;
  readonly error: number;
  /** Octets. */
  readonly other: string;
}

/** Reads the data of a TSIG record. Throws a WireError where it is malformed. */
export function readTsig(rdata: string): Tsig {
  const { name: algorithm, end: timeAt } = nameAt(rdata, 0);
  const macAt = timeAt + 10;
  const macEnd = macAt + twoOctetsAt(rdata, timeAt + 8);
  const otherAt = macEnd + 6;
  const end = otherAt + twoOctetsAt(rdata, macEnd + 4);
  if (end !== rdata.length) throw new WireError("a TSIG record is malformed");
  return {
    algorithm,
    timeSigned: twoOctetsAt(rdata, timeAt) * 2 ** 32 + fourOctetsAt(rdata, timeAt + 2),
    fudgeSeconds: twoOctetsAt(rdata, timeAt + 6),
    mac: rdata.slice(macAt, macEnd),
    originalId: twoOctetsAt(rdata, macEnd),
    error: twoOctetsAt(rdata, macEnd + 2),
    other: rdata.slice(otherAt),
  };
}

/** The data of a TSIG record. Throws a WireError for an algorithm that is not a valid name. */
export function tsigRdata({
  algorithm,
  timeSigned,
  fudgeSeconds,
  mac,
  originalId,
  error,
  other,
}: Tsig): string {
  return [
    nameToOctets(algorithm),
    twoOctets(Math.floor(timeSigned / 2 ** 32)),
    fourOctets(timeSigned % 2 ** 32),
    twoOctets(fudgeSeconds),
    twoOctets(mac.length) + mac,
    twoOctets(originalId),
    twoOctets(error),
    twoOctets(other.length) + other,
  ].join("");
}
