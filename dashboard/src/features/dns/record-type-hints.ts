import type { PlainType, RecordType } from "../../../../src/core/dns/content/record-types.ts";

interface RecordTypeHint {
  /** What the content is. */
  readonly label: string;
  /** A content of this type, as the API takes it. */
  readonly example: string;
}

/** What stands in the content of each type without `data`; a priority has a field of its own. */
export const recordTypeHints: Readonly<Record<PlainType, RecordTypeHint>> = {
  A: { label: "IPv4 address", example: "192.0.2.1" },
  AAAA: { label: "IPv6 address", example: "2001:db8::1" },
  CNAME: { label: "Target", example: "target.example.com" },
  MX: { label: "Mail server", example: "mail.example.com" },
  NS: { label: "Name server", example: "ns1.example.com" },
  OPENPGPKEY: { label: "Public key", example: "mQINBF…" },
  PTR: { label: "Domain name", example: "host.example.com" },
  TXT: { label: "Text", example: "v=spf1 -all" },
};

/** Types whose names begin with labels of their own, with an example of them. */
export const nameExamples: Readonly<Partial<Record<RecordType, string>>> = {
  SRV: "_sip._udp",
  TLSA: "_443._tcp",
  URI: "_http._tcp",
  SVCB: "_dns",
};

/** Types whose records have a priority beside content and data. */
export const typesWithPriority: ReadonlySet<RecordType> = new Set(["MX", "URI"]);

/** Types whose records may be proxied. */
export const proxiableTypes: ReadonlySet<RecordType> = new Set(["A", "AAAA", "CNAME"]);
