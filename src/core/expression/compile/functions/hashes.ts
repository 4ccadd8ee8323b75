import { toOctets } from "../../byte-string.ts";
import type { HashEngine } from "../../engines.ts";
import type { CallSite, Implementation } from "./call-site.ts";
import { decodeOnce, encodeBase64 } from "./encodings.ts";

export const hashFunctions: Readonly<Record<string, Implementation>> = {
  is_timed_hmac_valid_v0: (site) => {
    const { literals, rest, hashes } = site;
    const key = literals[0] as string;
    const options = { ...tokenOptions(site), key, hashes };
    return (_first, context) => {
      const token = rest[0]?.(context) as string | undefined;
      const now = rest[2]?.(context) as number | undefined;
      if (token === undefined || now === undefined) return undefined;
      return isTokenValid(token, { ...options, now });
    };
  },
  sha256:
    ({ hashes }) =>
    (first) =>
      first === undefined ? undefined : hashes.sha256(first as string),
  uuidv4: () => (first) => (first === undefined ? undefined : uuid(first as string)),
};

interface TokenOptions {
  /** Seconds. */
  readonly lifetime: number;
  /** Octets between the message and the time. */
  readonly separatorLength: number;
  readonly isUrlSafe: boolean;
}

function tokenOptions({ literals }: CallSite): TokenOptions {
  const [, , lifetime, , separatorLength = 0, flags = ""] = literals;
  return {
    lifetime: lifetime as number,
    separatorLength: separatorLength as number,
    isUrlSafe: flags === "s",
  };
}

const macLengthMin = 43;
const timeLength = 10;

/**
 * Checks a token: a message, a separator, ten digits of UNIX time, `-`, and the MAC of message and time in
 * base64.
 */
function isTokenValid(
  token: string,
  options: TokenOptions & { readonly key: string; readonly now: number; readonly hashes: HashEngine },
): boolean {
  const dash = timeEnd(token);
  if (dash === -1) return false;
  const time = token.slice(dash - timeLength, dash);
  const message = token.slice(0, Math.max(0, dash - timeLength - options.separatorLength));
  if (message === "" || options.now > Number(time) + options.lifetime) return false;
  const mac = encodeBase64(options.hashes.hmacSha256(options.key, message + time), {
    isUrlSafe: options.isUrlSafe,
    isPadded: !options.isUrlSafe,
  });
  const given = token.slice(dash + 1);
  return isSame(options.isUrlSafe ? given : decodeOnce(given.replaceAll("+", "%2B")), mac);
}

function timeEnd(token: string): number {
  let dash = token.lastIndexOf("-", token.length - macLengthMin - 1);
  while (dash > timeLength && !/^[0-9]{10}$/.test(token.slice(dash - timeLength, dash))) {
    dash = token.lastIndexOf("-", dash - 1);
  }
  return dash > timeLength ? dash : -1;
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < other.length; at += 1) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}

const uuidOctets = 16;

/** A UUID of version 4 (RFC 9562) from the first 16 octets; undefined when there are fewer. */
function uuid(seed: string): string | undefined {
  if (seed.length < uuidOctets) return undefined;
  const octets = toOctets(seed.slice(0, uuidOctets));
  octets[6] = ((octets[6] ?? 0) & 0x0f) | 0x40;
  octets[8] = ((octets[8] ?? 0) & 0x3f) | 0x80;
  const digits = Array.from(octets, (octet) => octet.toString(16).padStart(2, "0")).join("");
  return [8, 12, 16, 20, 32].map((end, index, ends) => digits.slice(ends[index - 1] ?? 0, end)).join("-");
}
