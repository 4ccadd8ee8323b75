import type { RecordType } from "../../../../src/core/dns/record-types.ts";

interface RecordTypeHint {
  /** What the content is. */
  readonly label: string;
  /** A content of this type, as the API takes it. */
  readonly example: string;
}

/** What stands in the content of each type; a priority has a field of its own. */
export const recordTypeHints: Readonly<Record<RecordType, RecordTypeHint>> = {
  A: { label: "IPv4 address", example: "192.0.2.1" },
  AAAA: { label: "IPv6 address", example: "2001:db8::1" },
  CAA: { label: "Flags, tag and value", example: '0 issue "ca.example"' },
  CERT: { label: "Type, key tag, algorithm, certificate", example: "1 0 0 aGVsbG8=" },
  CNAME: { label: "Target", example: "target.example.com" },
  DNSKEY: { label: "Flags, protocol, algorithm, public key", example: "257 3 13 aGVsbG8=" },
  DS: { label: "Key tag, algorithm, digest type, digest", example: "60485 13 2 2bb183af…" },
  HTTPS: { label: "Priority, target and parameters", example: '1 . alpn="h3,h2"' },
  LOC: { label: "Latitude, longitude, altitude", example: "52 22 23 N 4 53 32 E 0m" },
  MX: { label: "Mail server", example: "mail.example.com" },
  NAPTR: {
    label: "Order, preference, flags, service, regular expression, replacement",
    example: '100 10 "u" "E2U+sip" "!^.*$!sip:info@example.com!" .',
  },
  NS: { label: "Name server", example: "ns1.example.com" },
  OPENPGPKEY: { label: "Public key", example: "mQINBF…" },
  PTR: { label: "Domain name", example: "host.example.com" },
  SMIMEA: { label: "Usage, selector, matching type, certificate", example: "3 0 1 8cb0fc6c…" },
  SRV: { label: "Weight, port and target", example: "5 5060 sip.example.com" },
  SSHFP: { label: "Algorithm, type, fingerprint", example: "4 2 123456789abcdef6…" },
  SVCB: { label: "Priority, target and parameters", example: '1 svc.example.com port="8443"' },
  TLSA: { label: "Usage, selector, matching type, certificate", example: "3 1 1 0d6fce3a…" },
  TXT: { label: "Text", example: "v=spf1 -all" },
  URI: { label: "Weight and target", example: '10 "https://example.com/"' },
};

/** Types whose records have a priority beside the content. */
export const typesWithPriority: ReadonlySet<RecordType> = new Set(["MX", "SRV", "URI"]);

/** Types whose records may be proxied. */
export const proxiableTypes: ReadonlySet<RecordType> = new Set(["A", "AAAA", "CNAME"]);
