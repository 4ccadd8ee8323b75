/** The record types that the API knows (docs/contract/dns-records.md#types). */
export const recordTypes = [
  "A",
  "AAAA",
  "CAA",
  "CERT",
  "CNAME",
  "DNSKEY",
  "DS",
  "HTTPS",
  "LOC",
  "MX",
  "NAPTR",
  "NS",
  "OPENPGPKEY",
  "PTR",
  "SMIMEA",
  "SRV",
  "SSHFP",
  "SVCB",
  "TLSA",
  "TXT",
  "URI",
] as const;

export type RecordType = (typeof recordTypes)[number];

/** The types whose record is one text, with or without a top-level priority; all others have `data`. */
export type PlainType = "A" | "AAAA" | "CNAME" | "MX" | "NS" | "OPENPGPKEY" | "PTR" | "TXT";

export type StructuredType = Exclude<RecordType, PlainType>;

/** The record's part of an untrusted JSON body. Null means absent. */
export interface RdataInput {
  readonly content?: unknown;
  readonly data?: unknown;
  readonly priority?: unknown;
}

export type DataValue = string | number;

/** Fields of a structured record, in alphabetical order as answers have them. */
export type Data = Readonly<Record<string, DataValue>>;

/** A validated record in its canonical form, as clients read it. */
export interface Rdata {
  /** Presentation form; for structured types rendered from `data`. */
  readonly content: string;
  /** Present for structured types only. */
  readonly data?: Data;
  /** 0 to 65535; present for HTTPS, MX, SRV, SVCB and URI only. */
  readonly priority?: number;
}
