import { typeCodes } from "./codes.ts";
import type { Message, ResourceRecord } from "./message.ts";
import { twoOctets, twoOctetsAt, WireError } from "./octets.ts";

/** Codes of options (IANA, DNS EDNS0 Option Codes). */
export const optionCodes = { cookie: 10 } as const;

export interface EdnsOption {
  readonly code: number;
  /** Octets. */
  readonly data: string;
}

/** The contents of an OPT record (RFC 6891 section 6.1). */
export interface Edns {
  /** The largest UDP message that the sender accepts, in octets. */
  readonly payloadSize: number;
  readonly version: number;
  /** The upper 8 of the 12 bits of the response code. */
  readonly extendedRcode: number;
  /** DO: the sender understands DNSSEC (RFC 3225). */
  readonly dnssecOk: boolean;
  readonly options: readonly EdnsOption[];
}

/** Octets of an OPT record without options. */
export const optRecordOctets = 11;
const optionHeaderOctets = 4;
const dnssecOkBit = 0x8000;

/**
 * The OPT record of a message; undefined if it has none. Throws a WireError for more than one or a malformed
 * one.
 */
export function readEdns({ additionals }: Pick<Message, "additionals">): Edns | undefined {
  let found: ResourceRecord | undefined;
  for (const record of additionals) {
    if (record.type !== typeCodes.OPT) continue;
    if (found !== undefined) throw new WireError("there is more than one OPT record");
    found = record;
  }
  if (found === undefined) return undefined;
  if (found.name !== ".") throw new WireError("the OPT record is not that of the root");
  const version = (found.ttl >>> 16) & 0xff;
  return {
    payloadSize: found.class,
    version,
    extendedRcode: found.ttl >>> 24,
    dnssecOk: (found.ttl & dnssecOkBit) !== 0,
    // The data of other versions is undefined.
    options: version === 0 ? readOptions(found.rdata) : [],
  };
}

/** The OPT record that says this. */
export function ednsRecord({ payloadSize, version, extendedRcode, dnssecOk, options }: Edns): ResourceRecord {
  return {
    name: ".",
    type: typeCodes.OPT,
    class: payloadSize,
    ttl: ((extendedRcode << 24) | (version << 16) | (dnssecOk ? dnssecOkBit : 0)) >>> 0,
    rdata: options.map(({ code, data }) => twoOctets(code) + twoOctets(data.length) + data).join(""),
  };
}

function readOptions(rdata: string): EdnsOption[] {
  const options: EdnsOption[] = [];
  for (let at = 0; at < rdata.length;) {
    const end = at + optionHeaderOctets + twoOctetsAt(rdata, at + 2);
    // Not so for a header that ends early either, whose length is NaN.
    if (!(end <= rdata.length)) throw new WireError("an option ends early");
    options.push({ code: twoOctetsAt(rdata, at), data: rdata.slice(at + optionHeaderOctets, end) });
    at = end;
  }
  return options;
}
