import { recordTypes, type RecordType } from "../content/record-types.ts";
import { typeCode, typeName } from "../wire/codes.ts";

const escape = /\\(?:(\d{3})|(.))/gsu;
const nameCharacter = /^[A-Za-z0-9_*-]$/;

/**
 * A name of a zone file as an absolute name, not yet validated: `@` is the origin, and a name without final
 * dot is relative to it. `origin` has no final dot; the root is an empty text. Escapes are resolved where
 * they stand for a character that names may have (`\042` is `*`), and stay where they do not.
 */
export function absoluteName(token: string, origin: string): string {
  if (token === "@") return origin === "" ? "." : origin;
  const name = token.includes("\\") ? token.replace(escape, unescape) : token;
  return name.endsWith(".") || origin === "" ? name : `${name}.${origin}`;
}

function unescape(whole: string, decimal: string | undefined, literal: string | undefined): string {
  const character = decimal === undefined ? (literal ?? "") : String.fromCharCode(Number(decimal));
  return nameCharacter.test(character) ? character : whole;
}

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
const ttlPattern = /^(?:\d+|(?:\d+[smhdw])+)$/i;
const ttlMax = 2 ** 31 - 1; // RFC 2181 section 8

/**
 * Seconds of a time in a zone file: a number of seconds, or numbers with the units of BIND (`1h30m`, `1W`).
 * Undefined for anything else and above 2^31 - 1.
 */
export function parseTtl(token: string): number | undefined {
  if (!ttlPattern.test(token)) return undefined;
  const seconds = /\D/.test(token)
    ? [...token.matchAll(/(\d+)(\D)/g)].reduce(
        (sum, [, count, unit = ""]) => sum + Number(count) * unitSeconds(unit),
        0,
      )
    : Number(token);
  return seconds <= ttlMax ? seconds : undefined;
}

function unitSeconds(unit: string): number {
  return secondsOf[unit.toLowerCase()] ?? 0;
}

const served: ReadonlySet<string> = new Set(recordTypes);

/** Types of the IANA registry (Resource Record (RR) TYPEs) that zone files may hold and nobody here reads. */
const others: ReadonlySet<string> = new Set(
  (
    "A6 AMTRELAY APL ATMA AVC BRID CLA CSYNC DHCID DLV DOA DSYNC EID EUI48 EUI64 GID GPOS HHIT HINFO HIP IPN IPSECKEY " +
    "ISDN KEY L32 L64 LP MAILA MAILB NID NIMLOC NINFO NSAP NSAP-PTR NULL NXNAME NXT RESINFO RKEY SIG SINK SPF TA " +
    "TALINK TKEY UID UINFO UNSPEC WALLET WKS X25 ZONEMD"
  ).split(" "),
);

/** Tells what a token in the place of a type is: a type that is served, another type, or no type at all. */
type TypeToken = RecordType | "SOA" | "other" | undefined;

/** Reads a mnemonic in any case, or `TYPE65280` (RFC 3597 section 5). */
export function readType(token: string): TypeToken {
  const upper = token.toUpperCase();
  const code = typeCode(upper);
  const name = code === undefined ? upper : typeName(code);
  if (name === "SOA" || isServed(name)) return name;
  return code !== undefined || others.has(name) ? "other" : undefined;
}

function isServed(type: string): type is RecordType {
  return served.has(type);
}
