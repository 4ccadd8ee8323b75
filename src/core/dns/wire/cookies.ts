import { fourOctets, fourOctetsAt, sliceOctets, toBytes } from "./octets.ts";
import { sipHash } from "./siphash.ts";
import { WireError } from "./wire-error.ts";

const clientOctets = 8;
const serverOctets = 16;
/** Version 1 and three reserved octets (RFC 9018 section 4). */
const versionOctets = "\u0001\0\0\0";
const ageSecondsMax = 3600;
const aheadSecondsMax = 300;

/** What the server's part of a cookie is made from. */
export interface CookieServer {
  /** 16 random octets. */
  readonly secret: Uint8Array;
  /** Seconds since 1970. */
  readonly nowSeconds: number;
}

export interface ClientCookie {
  /** The data of the option in the response: the client's cookie and a new server cookie. */
  readonly answer: string;
  /** Whether the client sent a server cookie that this server gave to its address within the last hour. */
  readonly isValid: boolean;
}

/**
 * Checks the data of a cookie option (RFC 7873, with the server cookies of RFC 9018). `address` is the
 * client's address as 4 or 16 octets. Throws a WireError if the length is wrong, which is to be answered with
 * FORMERR.
 */
export function judgeCookie(data: string, address: string, server: CookieServer): ClientCookie {
  const isWellFormed = data.length === clientOctets || (data.length >= 16 && data.length <= 40);
  if (!isWellFormed) throw new WireError("a cookie has 8 or 16 to 40 octets");
  const client = data.slice(0, clientOctets);
  return {
    answer: client + serverCookie(client, address, server.nowSeconds, server.secret),
    isValid: isOwn(data, address, server),
  };
}

function isOwn(data: string, address: string, { secret, nowSeconds }: CookieServer): boolean {
  if (data.length !== clientOctets + serverOctets) return false;
  const given = data.slice(clientOctets);
  const madeOn = fourOctetsAt(given, versionOctets.length);
  // Serial number arithmetic (RFC 1982).
  const age = (nowSeconds - madeOn) | 0;
  if (age > ageSecondsMax || age < -aheadSecondsMax) return false;
  return given === serverCookie(data.slice(0, clientOctets), address, madeOn, secret);
}

function serverCookie(client: string, address: string, seconds: number, secret: Uint8Array): string {
  const head = versionOctets + fourOctets(seconds);
  const hash = sipHash(secret, toBytes(client + head + address));
  return head + sliceOctets(hash, 0, hash.length);
}
