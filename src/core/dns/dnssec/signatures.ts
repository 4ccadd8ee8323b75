import type { RecordSet } from "../wire/record-data.ts";
import { classCodes, typeCodes } from "../wire/codes.ts";
import { foldName, nameToOctets } from "../wire/names.ts";
import { fourOctets, octet, twoOctets } from "../wire/octets.ts";
import { algorithm, type SigningKey, dnskeyData, keyTagOf } from "./keys.ts";
import { canonicalRdatas, signedLabels } from "./canonical.ts";

/** Seconds since 1970. */
export interface Validity {
  readonly inception: number;
  readonly expiration: number;
}

/**
 * The RRSIG set of a record set (RFC 4034 section 3.1). `name` is the owner name, or the wildcard that the
 * records were expanded from.
 */
export function signRecordSet(
  zone: string,
  key: SigningKey,
  name: string,
  { type, ttl, rdatas }: RecordSet,
  { inception, expiration }: Validity,
): RecordSet {
  const head = [
    twoOctets(type),
    octet(algorithm),
    octet(signedLabels(name)),
    fourOctets(ttl),
    fourOctets(expiration),
    fourOctets(inception),
    twoOctets(keyTagOf(dnskeyData(key))),
    nameToOctets(zone),
  ].join("");
  const before = nameToOctets(foldName(name)) + twoOctets(type) + twoOctets(classCodes.IN) + fourOctets(ttl);
  const records = canonicalRdatas(type, rdatas).map((rdata) => before + twoOctets(rdata.length) + rdata);
  return { type: typeCodes.RRSIG, ttl, rdatas: [head + key.sign(head + records.join(""))] };
}

const secondsPerDay = 86_400;
/**
 * Signatures are renewed every so many days: names are split into as many groups, and each day one group is
 * signed again.
 */
const renewalDays = 7;
/** The inception lies a day back, as a resolver's clock may be slow. */
const skewDays = 1;
const validDays = 21;

/** The number of days since 1970. */
export function dayOf(ms: number): number {
  return Math.floor(ms / 1000 / secondsPerDay);
}

/** The validity of the signatures of a name in a zone that was last signed on `day` (see `dayOf`). */
export function validityOn(day: number, name: string): Validity {
  const signedOn = day - ((day + partOf(name)) % renewalDays);
  return {
    inception: (signedOn - skewDays) * secondsPerDay,
    expiration: (signedOn + validDays) * secondsPerDay,
  };
}

function partOf(name: string): number {
  let sum = 0;
  for (let at = 0; at < name.length; at += 1) sum = (sum * 31 + name.charCodeAt(at)) % 0x1_0000;
  return sum % renewalDays;
}
