import { base64, hex, type Field } from "../../../../src/core/dns/content/fields.ts";
import { plainRules } from "../../../../src/core/dns/content/plain.ts";
import type {
  DataValue,
  PlainType,
  RecordType,
  StructuredType,
} from "../../../../src/core/dns/content/record-types.ts";
import { structuredRules } from "../../../../src/core/dns/content/structured.ts";

/** The label and hints of a part of `data` in a form. */
interface DataFieldWords {
  readonly label: string;
  /** The values that the registries name; others can be written as well. The first one is chosen at first. */
  readonly choices?: readonly { readonly value: DataValue; readonly label: string }[];
  /** The value in a new record. */
  readonly initial?: DataValue;
  readonly example?: string;
}

/** One part of a record's `data`, as a form asks for it. What it may hold is the API's own rule. */
export interface DataField extends DataFieldWords {
  /** Its key in `data`. */
  readonly name: string;
  readonly kind: "number" | "text" | "long text";
  /** The API takes a record without it. */
  readonly isOptional: boolean;
}

const numbers = (label: string, ...names: readonly (readonly [value: number, name: string])[]) => ({
  label,
  choices: names.map(([value, name]) => ({ value, label: `${value} · ${name}` })),
});

const texts = (label: string, names: Readonly<Record<string, string>>) => ({
  label,
  choices: Object.entries(names).map(([value, name]) => ({ value, label: name })),
});

// RFC 8624
const algorithm = numbers(
  "Algorithm",
  [13, "ECDSA P-256, SHA-256"],
  [14, "ECDSA P-384, SHA-384"],
  [15, "Ed25519"],
  [16, "Ed448"],
  [8, "RSA, SHA-256"],
  [10, "RSA, SHA-512"],
);

// RFC 6698 and RFC 7218
const certificateAssociation = {
  usage: numbers("Usage", [3, "DANE-EE"], [2, "DANE-TA"], [1, "PKIX-EE"], [0, "PKIX-TA"]),
  selector: numbers("Selector", [1, "public key"], [0, "whole certificate"]),
  matching_type: numbers("Matching type", [1, "SHA-256"], [2, "SHA-512"], [0, "the data itself"]),
  certificate: { label: "Certificate (hexadecimal)", example: "0d6fce3a…" },
};

const serviceBinding = {
  priority: { label: "Priority", initial: 1 },
  target: { label: "Target", initial: ".", example: "svc.example.com" },
  value: { label: "Parameters", example: 'alpn="h3,h2" port="8443"' },
};

const dataWords: Readonly<Record<StructuredType, Readonly<Record<string, DataFieldWords>>>> = {
  CAA: {
    flags: numbers("Flags", [0, "not critical"], [128, "critical"]),
    tag: texts("Tag", {
      issue: "issue · any certificate",
      issuewild: "issuewild · wildcards",
      issuemail: "issuemail · S/MIME",
      iodef: "iodef · where to report",
    }),
    value: { label: "Value", example: "ca.example" },
  },
  CERT: {
    type: numbers(
      "Certificate type",
      [1, "PKIX"],
      [2, "SPKI"],
      [3, "OpenPGP"],
      [4, "address of a PKIX one"],
      [6, "address of an OpenPGP one"],
    ),
    key_tag: { label: "Key tag", initial: 0 },
    algorithm: { label: "Algorithm", initial: 0 },
    certificate: { label: "Certificate (base64)", example: "aGVsbG8=" },
  },
  DNSKEY: {
    flags: numbers("Flags", [257, "key-signing key"], [256, "zone-signing key"]),
    protocol: { label: "Protocol", initial: 3 },
    algorithm,
    public_key: { label: "Public key (base64)", example: "aGVsbG8=" },
  },
  DS: {
    key_tag: { label: "Key tag", example: "60485" },
    algorithm,
    digest_type: numbers("Digest type", [2, "SHA-256"], [4, "SHA-384"], [1, "SHA-1"]),
    digest: { label: "Digest (hexadecimal)", example: "2bb183af…" },
  },
  HTTPS: serviceBinding,
  LOC: {
    lat_degrees: { label: "Latitude °" },
    lat_minutes: { label: "Minutes ′" },
    lat_seconds: { label: "Seconds ″" },
    lat_direction: texts("N or S", { N: "North", S: "South" }),
    long_degrees: { label: "Longitude °" },
    long_minutes: { label: "Minutes ′" },
    long_seconds: { label: "Seconds ″" },
    long_direction: texts("E or W", { E: "East", W: "West" }),
    altitude: { label: "Altitude (m)", initial: 0 },
    size: { label: "Size (m)" },
    precision_horz: { label: "Horizontal (m)" },
    precision_vert: { label: "Vertical (m)" },
  },
  NAPTR: {
    order: { label: "Order", initial: 100 },
    preference: { label: "Preference", initial: 10 },
    flags: texts("Flags", {
      U: "U · a URI",
      S: "S · an SRV record",
      A: "A · an address",
      P: "P · the protocol's own",
    }),
    service: { label: "Service", example: "E2U+sip" },
    regex: { label: "Regular expression", example: "!^.*$!sip:info@example.com!" },
    replacement: { label: "Replacement", initial: "." },
  },
  SMIMEA: certificateAssociation,
  SRV: {
    priority: { label: "Priority", initial: 10 },
    weight: { label: "Weight", initial: 5 },
    port: { label: "Port", example: "5060" },
    target: { label: "Target", example: "sip.example.com" },
  },
  SSHFP: {
    algorithm: numbers("Algorithm", [4, "Ed25519"], [3, "ECDSA"], [1, "RSA"], [2, "DSA"], [6, "Ed448"]),
    type: numbers("Fingerprint type", [2, "SHA-256"], [1, "SHA-1"]),
    fingerprint: { label: "Fingerprint (hexadecimal)", example: "123456789abcdef6…" },
  },
  SVCB: serviceBinding,
  TLSA: certificateAssociation,
  URI: {
    weight: { label: "Weight", initial: 1 },
    target: { label: "Target", example: "https://example.com/" },
  },
};

function dataField(type: StructuredType, { name, kind, fallback }: Field): DataField {
  const words = dataWords[type][name] ?? { label: name };
  return {
    initial: words.choices?.[0]?.value ?? fallback ?? "",
    ...words,
    name,
    kind: kind.isNumber === true ? "number" : kind === hex || kind === base64 ? "long text" : "text",
    isOptional: fallback !== undefined,
  };
}

const structuredTypes = Object.keys(structuredRules) as StructuredType[];

const dataFields: ReadonlyMap<RecordType, readonly DataField[]> = new Map(
  structuredTypes.map((type) => {
    const { fields, priority } = structuredRules[type];
    const inData = fields.filter(({ name }) => name !== "priority" || priority?.inData === true);
    return [type, inData.map((field) => dataField(type, field))];
  }),
);

/** The parts that a type has, in the order of its content; none for one whose content is a single text. */
export function dataFieldsOf(type: RecordType): readonly DataField[] {
  return dataFields.get(type) ?? [];
}

/** The parts of a new record. */
export function initialData(type: RecordType): Readonly<Record<string, DataValue>> {
  return Object.fromEntries(dataFieldsOf(type).map(({ name, initial = "" }) => [name, initial]));
}

export function hasPriority(type: RecordType): boolean {
  const plain = plainRules[type as PlainType] as (typeof plainRules)[PlainType] | undefined;
  return plain
    ? plain.hasPriority === true
    : structuredRules[type as StructuredType].priority?.inData === false;
}

interface ContentWords {
  readonly label: string;
  /** A content of this type, as the API takes it. */
  readonly example: string;
}

/** The content field of each type without `data`; a priority has a field of its own. */
export const contentWords: Readonly<Record<PlainType, ContentWords>> = {
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

const units = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
] as const;

/** "Auto", "5 min"; a TTL in the largest unit that divides it. */
export function ttlText(seconds: number): string {
  if (seconds === 1) return "Auto";
  const [unit, length] = units.find(([, unitSeconds]) => seconds % unitSeconds === 0) ?? units[3];
  return `${seconds / length} ${unit}`;
}

export const ttlChoices = [1, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 18_000, 43_200, 86_400];
