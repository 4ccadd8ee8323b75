import { ipv6Groups, parseIpv4, parseIpv6 } from "../../net/ip-address.ts";
import { locationNumbers } from "../content/location.ts";
import type { Data, Rdata, RecordType } from "../content/record-types.ts";
import { textStrings } from "../content/character-string.ts";
import { nameToOctets } from "./names.ts";
import { base64ToOctets, fourOctets, hexToOctets, octet, twoOctets, WireError } from "./octets.ts";
import { svcParamsToOctets } from "./service-params.ts";

/** The records of one name and type, of class IN (RFC 2181 section 5). */
export interface RecordSet {
  readonly type: number;
  /** Seconds. */
  readonly ttl: number;
  /** Octets of each record's data, with names uncompressed. */
  readonly rdatas: readonly string[];
}

/** A record set under the name that it is answered with. */
export interface OwnedSet {
  readonly name: string;
  readonly set: RecordSet;
}

/** Whether both sets are the same records in the same order. */
export function isEqualSet(one: RecordSet, other: RecordSet): boolean {
  return (
    one === other ||
    (one.type === other.type &&
      one.ttl === other.ttl &&
      one.rdatas.length === other.rdatas.length &&
      one.rdatas.every((rdata, index) => rdata === other.rdatas[index]))
  );
}

type Encoder = (rdata: Rdata) => string;

/**
 * The data of a record on the wire, with its names uncompressed. `rdata` is a result of `parseRdata`. Throws
 * a WireError if it cannot be one.
 */
export function recordData(type: RecordType, rdata: Rdata): string {
  return encoders[type](rdata);
}

/** The data of an A or AAAA record. Throws a WireError for a text that is no address. */
export function addressData(address: string): string {
  return address.includes(":") ? ipv6(address) : ipv4(address);
}

function ipv4(text: string): string {
  const address = parseIpv4(text);
  if (address === undefined) throw new WireError(`no IPv4 address: ${text}`);
  return fourOctets(address.words[3]);
}

function ipv6(text: string): string {
  const address = parseIpv6(text);
  if (address === undefined) throw new WireError(`no IPv6 address: ${text}`);
  return ipv6Groups(address).map(twoOctets).join("");
}

const target: Encoder = ({ content }) => nameToOctets(content);

/** The fields of `data`, each written as its kind. */
function fields(
  ...kinds: readonly (readonly [name: string, write: (value: string | number) => string])[]
): Encoder {
  return ({ data }) => {
    if (data === undefined) throw new WireError("the record has no data");
    return kinds.map(([name, write]) => write(field(data, name))).join("");
  };
}

function field(data: Data, name: string): string | number {
  const value = data[name];
  if (value === undefined) throw new WireError(`the record has no ${name}`);
  return value;
}

const one = (value: string | number): string => octet(Number(value));
const two = (value: string | number): string => twoOctets(Number(value));
const hex = (value: string | number): string => hexToOctets(String(value));
const base64 = (value: string | number): string => base64ToOctets(String(value));
const name = (value: string | number): string => nameToOctets(String(value));
const characterString = (value: string | number): string => octet(String(value).length) + String(value);

const certificateAssociation = fields(
  ["usage", one],
  ["selector", one],
  ["matching_type", one],
  ["certificate", hex],
);
const serviceBinding = fields(
  ["priority", two],
  ["target", name],
  ["value", (value) => svcParamsToOctets(String(value))],
);

const encoders: Readonly<Record<RecordType, Encoder>> = {
  A: ({ content }) => ipv4(content),
  AAAA: ({ content }) => ipv6(content),
  CAA: fields(["flags", one], ["tag", characterString], ["value", String]),
  CERT: fields(["type", two], ["key_tag", two], ["algorithm", one], ["certificate", base64]),
  CNAME: target,
  DNSKEY: fields(["flags", two], ["protocol", one], ["algorithm", one], ["public_key", base64]),
  DS: fields(["key_tag", two], ["algorithm", one], ["digest_type", one], ["digest", hex]),
  HTTPS: serviceBinding,
  LOC: ({ data }) => location(data ?? {}),
  MX: ({ content, priority }) => twoOctets(priority ?? 0) + nameToOctets(content),
  NAPTR: fields(
    ["order", two],
    ["preference", two],
    ["flags", characterString],
    ["service", characterString],
    ["regex", characterString],
    ["replacement", name],
  ),
  NS: target,
  OPENPGPKEY: ({ content }) => base64ToOctets(content),
  PTR: target,
  SMIMEA: certificateAssociation,
  SRV: fields(["priority", two], ["weight", two], ["port", two], ["target", name]),
  SSHFP: fields(["algorithm", one], ["type", one], ["fingerprint", hex]),
  SVCB: serviceBinding,
  TLSA: certificateAssociation,
  TXT: ({ content }) => (textStrings(content) ?? []).map(characterString).join(""),
  URI: ({ priority, data = {} }) =>
    twoOctets(priority ?? Number(data["priority"] ?? 0)) +
    two(field(data, "weight")) +
    String(field(data, "target")),
};

const equator = 2 ** 31;
/** Altitudes are counted from 100,000 metres below the reference spheroid, in centimetres. */
const altitudeBase = 10_000_000;

/** RFC 1876 section 2. */
function location(data: Data): string {
  const { latitude, longitude, altitude, sizes } = locationNumbers(data);
  return [
    octet(0),
    ...sizes.map(({ digit, power }) => octet((digit << 4) | power)),
    fourOctets(equator + latitude),
    fourOctets(equator + longitude),
    fourOctets(altitudeBase + altitude),
  ].join("");
}
