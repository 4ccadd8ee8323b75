import * as fc from "fast-check";

import type { RdataInput, RecordType } from "../../../src/core/dns/content/record-types.ts";

// Generators of valid input for tests: every value here must be accepted by `parseRdata`.

const octet = fc.integer({ min: 0, max: 255 });
const twoOctets = fc.integer({ min: 0, max: 65535 });
const hostname = fc.oneof(
  fc.domain(),
  fc.domain().map((name) => `_x.${name.toUpperCase()}.`),
  fc.constant("@"),
);
const hostnameOrRoot = fc.oneof(hostname, fc.constant("."));
// The final dot of a target that is answered as it was sent is lost in a zone file, where all have one.
const undotted = (name: string): string => (name === "." ? name : name.replace(/\.$/, ""));
const targetAsSent = hostname.map(undotted);
const targetAsSentOrRoot = hostnameOrRoot.map(undotted);
const printable = fc.string({ maxLength: 255 });
const flags = fc.stringMatching(/^[A-Za-z0-9]{0,9}$/);
const base64 = fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes).toString("base64"));

const hexOf = (octets: number) =>
  fc
    .uint8Array({ minLength: octets, maxLength: octets })
    .map((bytes) => Buffer.from(bytes).toString("hex").toUpperCase());

function digest(typeField: string, digestField: string, sizes: Readonly<Record<number, number>>) {
  return fc
    .oneof(octet, fc.constantFrom(0, 1, 2, 4))
    .chain((type) => fc.record({ [typeField]: fc.constant(type), [digestField]: hexOf(sizes[type] ?? 5) }));
}

const parameter = fc.uniqueArray(
  fc.oneof(
    fc.constantFrom("alpn=h2,h3", "port=443", "ech=TWFu", "ohttp", "dohpath=/q{?dns}", "ipv6hint=::A"),
    fc.ipV4().map((address) => `ipv4hint=${address}`),
    fc
      .tuple(fc.integer({ min: 100, max: 999 }), octet)
      .map(([key, value]) => `key${key}="\\${String(value).padStart(3, "0")}"`),
  ),
  { selector: (text) => text.split("=")[0] },
);

const serviceBinding = fromData(
  fc.oneof(
    fc.record({ priority: fc.constant(0), target: targetAsSent, value: fc.constant("") }),
    fc.record({
      priority: fc.integer({ min: 1, max: 65535 }),
      target: targetAsSentOrRoot,
      value: parameter.map((list) => list.join("  ")),
    }),
  ),
);

const decimal = (min: number, max: number) => fc.double({ min, max, noNaN: true });

const certificateAssociation = fromData(
  fc
    .tuple(
      fc.record({ usage: octet, selector: octet }),
      digest("matching_type", "certificate", { 1: 32, 2: 64 }),
    )
    .map(merge),
);

const text = fc.oneof(
  fc
    .string({ unit: "grapheme", minLength: 1 })
    .filter((value) => !value.startsWith('"') && value.trim() !== ""),
  fc
    .array(
      printable.map((value) => JSON.stringify(value)),
      { minLength: 1, maxLength: 4 },
    )
    .map((list) => list.join(" ")),
);

/** Valid input of every record type. */
export const arbitraryInputs: Readonly<Record<RecordType, fc.Arbitrary<RdataInput>>> = {
  A: fromContent(fc.ipV4()),
  AAAA: fromContent(fc.ipV6()),
  CAA: fromData(fc.record({ flags: octet, tag: fc.stringMatching(/^[A-Za-z0-9]{1,9}$/), value: printable })),
  CERT: fromData(fc.record({ type: twoOctets, key_tag: twoOctets, algorithm: octet, certificate: base64 })),
  CNAME: fromContent(hostname),
  DNSKEY: fromData(fc.record({ flags: twoOctets, protocol: octet, algorithm: octet, public_key: base64 })),
  DS: fromData(
    fc
      .tuple(
        fc.record({ key_tag: twoOctets, algorithm: octet }),
        digest("digest_type", "digest", { 1: 20, 2: 32, 4: 48 }),
      )
      .map(merge),
  ),
  HTTPS: serviceBinding,
  LOC: fromData(
    fc.record(
      {
        lat_degrees: fc.integer({ min: 0, max: 89 }),
        lat_minutes: fc.integer({ min: 0, max: 59 }),
        lat_seconds: decimal(0, 59.999),
        lat_direction: fc.constantFrom("N", "S"),
        long_degrees: fc.integer({ min: 0, max: 179 }),
        long_minutes: fc.integer({ min: 0, max: 59 }),
        long_seconds: decimal(0, 59.999),
        long_direction: fc.constantFrom("E", "W"),
        altitude: decimal(-100_000, 42_849_672.95),
        size: decimal(0, 90_000_000),
        precision_horz: decimal(0, 90_000_000),
        precision_vert: decimal(0, 90_000_000),
      },
      { requiredKeys: ["lat_degrees", "lat_direction", "long_degrees", "long_direction", "altitude"] },
    ),
  ),
  MX: fc.record({ content: hostnameOrRoot, priority: twoOctets }),
  NAPTR: fromData(
    fc.record(
      {
        order: twoOctets,
        preference: twoOctets,
        flags,
        service: printable,
        regex: printable,
        replacement: targetAsSentOrRoot,
      },
      { requiredKeys: ["order", "preference", "replacement"] },
    ),
  ),
  NS: fromContent(hostname),
  OPENPGPKEY: fromContent(base64),
  PTR: fromContent(hostname),
  SMIMEA: certificateAssociation,
  SRV: fromData(
    fc.record({ priority: twoOctets, weight: twoOctets, port: twoOctets, target: hostnameOrRoot }),
  ),
  SSHFP: fromData(
    fc.tuple(fc.record({ algorithm: octet }), digest("type", "fingerprint", { 1: 20, 2: 32 })).map(merge),
  ),
  SVCB: serviceBinding,
  TLSA: certificateAssociation,
  TXT: fromContent(text),
  URI: fc.record({
    data: fc.record({
      weight: twoOctets,
      target: fc.webUrl({ withQueryParameters: true }).filter(isPrintable),
    }),
    priority: twoOctets,
  }),
};

function fromContent(content: fc.Arbitrary<string>): fc.Arbitrary<RdataInput> {
  return fc.record({ content });
}

function fromData(data: fc.Arbitrary<object>): fc.Arbitrary<RdataInput> {
  return fc.record({ data });
}

function merge([a, b]: readonly [object, object]): object {
  return { ...a, ...b };
}

function isPrintable(value: string): boolean {
  return /^[!-~]+$/.test(value);
}
