import type { DataValue, RecordType, StructuredType } from "../../../../src/core/dns/content/record-types.ts";

/** One part of a record's `data`, as a form asks for it. */
export interface DataField {
  /** Its key in `data`. */
  readonly name: string;
  readonly label: string;
  readonly kind: "number" | "text" | "long text";
  /** What the registries name; other values can be written as well. */
  readonly choices?: readonly { readonly value: DataValue; readonly label: string }[];
  /** What a new record begins with. */
  readonly initial?: DataValue;
  readonly example?: string;
  /** The API takes a record without it. */
  readonly isOptional?: true;
}

type FieldOptions = Omit<DataField, "name" | "label" | "kind" | "choices">;

const number = (name: string, label: string, options: FieldOptions = {}): DataField => ({
  name,
  label,
  kind: "number",
  ...options,
});
const text = (name: string, label: string, options: FieldOptions = {}): DataField => ({
  name,
  label,
  kind: "text",
  ...options,
});
const longText = (name: string, label: string, example: string): DataField => ({
  name,
  label,
  kind: "long text",
  example,
});

/** A number with the names that a registry gives to some of its values; the first one is chosen at first. */
const numberOf = (
  name: string,
  label: string,
  names: readonly (readonly [value: number, name: string])[],
): DataField => {
  const choices = names.map(([value, meaning]) => ({ value, label: `${value} · ${meaning}` }));
  return { ...number(name, label), choices, initial: names[0]?.[0] ?? "" };
};

const textOf = (
  name: string,
  label: string,
  names: readonly (readonly [value: string, label: string])[],
): DataField => ({
  ...text(name, label),
  choices: names.map(([value, meaning]) => ({ value, label: meaning })),
  initial: names[0]?.[0] ?? "",
});

// RFC 8624
const algorithm = numberOf("algorithm", "Algorithm", [
  [13, "ECDSA P-256, SHA-256"],
  [14, "ECDSA P-384, SHA-384"],
  [15, "Ed25519"],
  [16, "Ed448"],
  [8, "RSA, SHA-256"],
  [10, "RSA, SHA-512"],
]);

// RFC 6698 and RFC 7218
const certificateAssociation = [
  numberOf("usage", "Usage", [
    [3, "DANE-EE"],
    [2, "DANE-TA"],
    [1, "PKIX-EE"],
    [0, "PKIX-TA"],
  ]),
  numberOf("selector", "Selector", [
    [1, "public key"],
    [0, "whole certificate"],
  ]),
  numberOf("matching_type", "Matching type", [
    [1, "SHA-256"],
    [2, "SHA-512"],
    [0, "the data itself"],
  ]),
  longText("certificate", "Certificate (hexadecimal)", "0d6fce3a…"),
];

const serviceBinding = [
  number("priority", "Priority", { initial: 1 }),
  text("target", "Target", { initial: ".", example: "svc.example.com" }),
  text("value", "Parameters", { isOptional: true, example: 'alpn="h3,h2" port="8443"' }),
];

const angle = (prefix: string, name: string, directions: DataField): readonly DataField[] => [
  number(`${prefix}_degrees`, `${name} °`),
  number(`${prefix}_minutes`, "Minutes ′", { initial: 0 }),
  number(`${prefix}_seconds`, "Seconds ″", { initial: 0 }),
  directions,
];

/** The parts of each type that has `data`, in the order of its presentation form. */
export const dataFields: Readonly<Record<StructuredType, readonly DataField[]>> = {
  CAA: [
    numberOf("flags", "Flags", [
      [0, "not critical"],
      [128, "critical"],
    ]),
    textOf("tag", "Tag", [
      ["issue", "issue · any certificate"],
      ["issuewild", "issuewild · wildcards"],
      ["issuemail", "issuemail · S/MIME"],
      ["iodef", "iodef · where to report"],
    ]),
    text("value", "Value", { example: "ca.example" }),
  ],
  CERT: [
    numberOf("type", "Certificate type", [
      [1, "PKIX"],
      [2, "SPKI"],
      [3, "OpenPGP"],
      [4, "address of a PKIX one"],
      [6, "address of an OpenPGP one"],
    ]),
    number("key_tag", "Key tag", { initial: 0 }),
    number("algorithm", "Algorithm", { initial: 0 }),
    longText("certificate", "Certificate (base64)", "aGVsbG8="),
  ],
  DNSKEY: [
    numberOf("flags", "Flags", [
      [257, "key-signing key"],
      [256, "zone-signing key"],
    ]),
    number("protocol", "Protocol", { initial: 3 }),
    algorithm,
    longText("public_key", "Public key (base64)", "aGVsbG8="),
  ],
  DS: [
    number("key_tag", "Key tag", { example: "60485" }),
    algorithm,
    numberOf("digest_type", "Digest type", [
      [2, "SHA-256"],
      [4, "SHA-384"],
      [1, "SHA-1"],
    ]),
    longText("digest", "Digest (hexadecimal)", "2bb183af…"),
  ],
  HTTPS: serviceBinding,
  LOC: [
    ...angle(
      "lat",
      "Latitude",
      textOf("lat_direction", "N or S", [
        ["N", "North"],
        ["S", "South"],
      ]),
    ),
    ...angle(
      "long",
      "Longitude",
      textOf("long_direction", "E or W", [
        ["E", "East"],
        ["W", "West"],
      ]),
    ),
    number("altitude", "Altitude (m)", { initial: 0 }),
    number("size", "Size (m)", { initial: 0 }),
    number("precision_horz", "Horizontal (m)", { initial: 0 }),
    number("precision_vert", "Vertical (m)", { initial: 0 }),
  ],
  NAPTR: [
    number("order", "Order", { initial: 100 }),
    number("preference", "Preference", { initial: 10 }),
    {
      ...textOf("flags", "Flags", [
        ["U", "U · a URI"],
        ["S", "S · an SRV record"],
        ["A", "A · an address"],
        ["P", "P · the protocol's own"],
      ]),
      isOptional: true,
    },
    text("service", "Service", { isOptional: true, example: "E2U+sip" }),
    text("regex", "Regular expression", { isOptional: true, example: "!^.*$!sip:info@example.com!" }),
    text("replacement", "Replacement", { initial: "." }),
  ],
  SMIMEA: certificateAssociation,
  SRV: [
    number("priority", "Priority", { initial: 10 }),
    number("weight", "Weight", { initial: 5 }),
    number("port", "Port", { example: "5060" }),
    text("target", "Target", { example: "sip.example.com" }),
  ],
  SSHFP: [
    numberOf("algorithm", "Algorithm", [
      [4, "Ed25519"],
      [3, "ECDSA"],
      [1, "RSA"],
      [2, "DSA"],
      [6, "Ed448"],
    ]),
    numberOf("type", "Fingerprint type", [
      [2, "SHA-256"],
      [1, "SHA-1"],
    ]),
    longText("fingerprint", "Fingerprint (hexadecimal)", "123456789abcdef6…"),
  ],
  SVCB: serviceBinding,
  TLSA: certificateAssociation,
  URI: [
    number("weight", "Weight", { initial: 1 }),
    text("target", "Target", { example: "https://example.com/" }),
  ],
};

/** The parts that a type has; none for one whose content is a single text. */
export function dataFieldsOf(type: RecordType): readonly DataField[] {
  return (dataFields as Partial<Record<RecordType, readonly DataField[]>>)[type] ?? [];
}

/** What the parts of a new record begin with. */
export function initialData(type: RecordType): Readonly<Record<string, DataValue>> {
  return Object.fromEntries(dataFieldsOf(type).map(({ name, initial = "" }) => [name, initial]));
}
