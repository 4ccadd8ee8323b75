import { recordTypes, type RecordType } from "../record-types.ts";
import { typeCode, typeName } from "../wire/codes.ts";

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
export type TypeToken = RecordType | "SOA" | "other" | undefined;

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
