import type { RecordType } from "../content/record-types.ts";

/** Numbers of the record types (IANA, Domain Name System Parameters). */
export const typeCodes = {
  A: 1,
  NS: 2,
  MD: 3,
  MF: 4,
  CNAME: 5,
  SOA: 6,
  MB: 7,
  MG: 8,
  MR: 9,
  PTR: 12,
  MINFO: 14,
  MX: 15,
  TXT: 16,
  RP: 17,
  AFSDB: 18,
  RT: 21,
  PX: 26,
  AAAA: 28,
  LOC: 29,
  SRV: 33,
  NAPTR: 35,
  KX: 36,
  CERT: 37,
  DNAME: 39,
  OPT: 41,
  DS: 43,
  SSHFP: 44,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  NSEC3: 50,
  NSEC3PARAM: 51,
  TLSA: 52,
  SMIMEA: 53,
  CDS: 59,
  CDNSKEY: 60,
  OPENPGPKEY: 61,
  SVCB: 64,
  HTTPS: 65,
  TSIG: 250,
  IXFR: 251,
  AXFR: 252,
  ANY: 255,
  URI: 256,
  CAA: 257,
} as const satisfies Readonly<Record<string, number>> & Readonly<Record<RecordType, number>>;

const typeNames = new Map<number, string>(Object.entries(typeCodes).map(([name, code]) => [code, name]));

/** The mnemonic of a type; `TYPE65280` for one without (RFC 3597 section 5). */
export function typeName(code: number): string {
  return typeNames.get(code) ?? `TYPE${code}`;
}

/** The number of a type by its mnemonic or as `TYPE65280`, in any case; undefined for anything else. */
export function typeCode(name: string): number | undefined {
  const upper = name.toUpperCase();
  if (Object.hasOwn(typeCodes, upper)) return typeCodes[upper as keyof typeof typeCodes];
  const code = Number(/^TYPE(\d{1,5})$/.exec(upper)?.[1]);
  return code <= 0xffff ? code : undefined;
}

export const classCodes = { IN: 1, CH: 3, NONE: 254, ANY: 255 } as const;

export const opcodes = { query: 0, status: 2, notify: 4, update: 5 } as const;

/** Response codes; those above 15 need EDNS. */
export const rcodes = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  YXDOMAIN: 6,
  NOTAUTH: 9,
  BADVERS: 16,
} as const;

/** Errors of a TSIG record (RFC 8945 section 3), whose message has the response code NOTAUTH. */
export const tsigErrors = { BADSIG: 16, BADKEY: 17, BADTIME: 18 } as const;

const rcodeNames = new Map<number, string>(Object.entries(rcodes).map(([name, code]) => [code, name]));

/** The mnemonic of a response code; `RCODE11` for one without. */
export function rcodeName(code: number): string {
  return rcodeNames.get(code) ?? `RCODE${code}`;
}

/** The bits of the second word of a header (RFC 1035 section 4.1.1, RFC 4035). */
export const flagBits = {
  response: 0x8000,
  opcode: 0x7800,
  authoritative: 0x0400,
  truncated: 0x0200,
  recursionDesired: 0x0100,
  recursionAvailable: 0x0080,
  authenticData: 0x0020,
  checkingDisabled: 0x0010,
  rcode: 0x000f,
} as const;

export function opcodeOf(flags: number): number {
  return (flags & flagBits.opcode) >>> 11;
}
