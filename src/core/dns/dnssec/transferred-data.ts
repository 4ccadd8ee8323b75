import { typeCodes } from "../wire/codes.ts";
import { nameAt } from "../wire/names.ts";
import { twoOctetsAt, WireError } from "../wire/octets.ts";

/** The types that a primary server which signs a zone adds to it, apart from DNSKEY and DS, which the API has. */
const signersTypes: ReadonlySet<number> = new Set([
  typeCodes.RRSIG,
  typeCodes.NSEC,
  typeCodes.NSEC3,
  typeCodes.NSEC3PARAM,
  typeCodes.CDS,
  typeCodes.CDNSKEY,
]);

/** Whether records of the type belong only to a zone that is served with the signatures of its primary. */
export function isSignersType(type: number): boolean {
  return signersTypes.has(type);
}

/**
 * A hash takes a part of each negative answer, so that more iterations would slow the server (RFC 9276 section 3.2).
 */
const iterationsMax = 150;

/** Throws a WireError for the data of a signer's type that is malformed or asks for too many iterations. */
export function checkSignersData(type: number, rdata: string): void {
  switch (type) {
    case typeCodes.RRSIG:
      return check(nameAt(rdata, rrsigNameAt).end < rdata.length);
    case typeCodes.NSEC:
      return check(isBitmap(rdata, nameAt(rdata, 0).end));
    case typeCodes.NSEC3: {
      const hashAt = checkedParametersOf(rdata).length;
      const hashOctets = rdata.charCodeAt(hashAt);
      return check(hashOctets > 0 && isBitmap(rdata, hashAt + 1 + hashOctets));
    }
    case typeCodes.NSEC3PARAM:
      return check(checkedParametersOf(rdata).length === rdata.length);
    default:
      return check(rdata.length > fixedOctets);
  }
}

/** The beginning of the signer's name in the data of an RRSIG record (RFC 4034 section 3.1). */
const rrsigNameAt = 18;
/** Octets of CDS and CDNSKEY records before the digest or the key. */
const fixedOctets = 4;

function check(isWellFormed: boolean): void {
  if (!isWellFormed) throw new WireError("the data of a DNSSEC record is malformed");
}

const iterationsAt = 2;
const saltAt = 5;

/** The parameters of the hashes of an NSEC3 chain's names. */
export interface Nsec3Hashing {
  readonly algorithm: number;
  /** Besides the first one. */
  readonly iterations: number;
  readonly salt: string;
}

/** The hashing of an NSEC3 or NSEC3PARAM record. */
export function nsec3HashingOf(rdata: string): Nsec3Hashing {
  return {
    algorithm: rdata.charCodeAt(0),
    iterations: twoOctetsAt(rdata, iterationsAt),
    salt: rdata.slice(saltAt, saltAt + rdata.charCodeAt(saltAt - 1)),
  };
}

/** Algorithm, flags, iterations and salt (RFC 5155 section 3.2). */
function checkedParametersOf(rdata: string): string {
  const parameters = rdata.slice(0, saltAt + rdata.charCodeAt(saltAt - 1));
  check(rdata.length >= saltAt && parameters.length === saltAt + rdata.charCodeAt(saltAt - 1));
  if (twoOctetsAt(rdata, iterationsAt) > iterationsMax) {
    throw new WireError(`an NSEC3 record asks for more than ${iterationsMax} iterations`);
  }
  return parameters;
}

const windowOctetsMax = 32;

/** Whether a type bitmap begins there and ends with the data (RFC 4034 section 4.1.2). */
function isBitmap(rdata: string, from: number): boolean {
  let at = from;
  let before = -1;
  while (at < rdata.length) {
    const [window, octets] = [rdata.charCodeAt(at), rdata.charCodeAt(at + 1)];
    if (!(window > before && octets > 0 && octets <= windowOctetsMax)) return false;
    before = window;
    at += 2 + octets;
  }
  return at === rdata.length;
}

/** The type that an RRSIG record signs. */
export function signedTypeOf(rrsig: string): number {
  return twoOctetsAt(rrsig, 0);
}
