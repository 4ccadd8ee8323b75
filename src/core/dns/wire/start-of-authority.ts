import type { ResourceRecord } from "./message.ts";
import { nameAt, nameToOctets } from "./names.ts";
import { fourOctets, fourOctetsAt, WireError } from "./octets.ts";

const modulus = 2 ** 32;

/**
 * The serial after `current`: the seconds since 1970 if they are larger, else the next number. Serials are
 * compared as in RFC 1982, so they wrap at 2^32. Never 0, which some software takes for "no serial".
 */
export function nextSerial(current: number, nowSeconds: number): number {
  const now = nowSeconds % modulus;
  if (isLaterSerial(now, current)) return now === 0 ? 1 : now;
  const next = (current + 1) % modulus;
  return next === 0 ? 1 : next;
}

/** Whether `serial` comes after `other` (RFC 1982 section 3.2). */
export function isLaterSerial(serial: number, other: number): boolean {
  const ahead = (serial - other + modulus) % modulus;
  return ahead > 0 && ahead < modulus / 2;
}

/** An SOA record (RFC 1035 section 3.3.13). Names are without final dot, times in seconds. */
export interface StartOfAuthority {
  readonly ttl: number;
  readonly primary: string;
  readonly hostmaster: string;
  readonly serial: number;
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  readonly minimum: number;
}

const numbersOctets = 20;

/** Reads an SOA record. Throws a WireError if its data is malformed. */
export function readStartOfAuthority({
  ttl,
  rdata,
}: Pick<ResourceRecord, "ttl" | "rdata">): StartOfAuthority {
  const primary = nameAt(rdata, 0);
  const hostmaster = nameAt(rdata, primary.end);
  const { end } = hostmaster;
  if (rdata.length !== end + numbersOctets) throw new WireError("an SOA record is malformed");
  return {
    ttl,
    primary: primary.name,
    hostmaster: hostmaster.name,
    serial: fourOctetsAt(rdata, end),
    refresh: fourOctetsAt(rdata, end + 4),
    retry: fourOctetsAt(rdata, end + 8),
    expire: fourOctetsAt(rdata, end + 12),
    minimum: fourOctetsAt(rdata, end + 16),
  };
}

/** SOA data with only a serial, as an IXFR request has it (RFC 1995 section 3). */
export function serialAlone(serial: number): string {
  const root = nameToOctets(".");
  return root + root + fourOctets(serial) + fourOctets(0).repeat(4);
}
