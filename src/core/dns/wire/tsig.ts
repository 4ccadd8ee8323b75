import { fourOctetsAt, twoOctets, twoOctetsAt, fourOctets } from "./octets.ts";
import { nameAt, nameToOctets } from "./names.ts";
import { WireError } from "./wire-error.ts";

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
