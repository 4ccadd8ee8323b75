import { ipv4Address, printIpAddress } from "../../net/ip-address.ts";
import { encodeCharacterString } from "../content/character-string.ts";
import { locationData } from "../content/location.ts";
import type { DataValue, RdataInput, RecordType } from "../content/record-types.ts";
import { nameAt } from "./names.ts";
import { fourOctetsAt, octetsToBase64, octetsToHex, twoOctetsAt, WireError } from "./octets.ts";
import { svcParamsFromOctets } from "./service-params.ts";

/**
 * The input of `parseRdata` for data from the wire with uncompressed names; `parseRdata` refuses what the API
 * cannot express. Throws a WireError for data that is too short or too long.
 */
export function recordInput(type: RecordType, rdata: string): RdataInput {
  const reader = new RdataReader(rdata);
  const input = decoders[type](reader);
  if (!reader.isAtEnd) throw new WireError("the data of a record does not fit its type");
  return input;
}

class RdataReader {
  readonly #rdata: string;
  #at = 0;

  constructor(rdata: string) {
    this.#rdata = rdata;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#rdata.length;
  }

  readonly octet = (): number => this.octets(1).charCodeAt(0);
  readonly twoOctets = (): number => twoOctetsAt(this.octets(2), 0);
  readonly fourOctets = (): number => fourOctetsAt(this.octets(4), 0);
  readonly hex = (): string => octetsToHex(this.rest());
  readonly base64 = (): string => octetsToBase64(this.rest());
  readonly characterString = (): string => this.octets(this.octet());

  /** Without final dot; the root is `.`. */
  readonly name = (): string => {
    const { name, end } = nameAt(this.#rdata, this.#at);
    this.#at = end;
    return name;
  };

  readonly rest = (): string => this.octets(this.#rdata.length - this.#at);

  octets(count: number): string {
    const end = this.#at + count;
    if (!(end <= this.#rdata.length)) throw new WireError("the data of a record ends early");
    const octets = this.#rdata.slice(this.#at, end);
    this.#at = end;
    return octets;
  }
}

type Decoder = (reader: RdataReader) => RdataInput;
type Kind = "octet" | "twoOctets" | "hex" | "base64" | "characterString" | "name" | "rest";

const target: Decoder = (reader) => ({ content: reader.name() });

/** A record with `data`, each field of which is read as its kind. */
function fields(...kinds: readonly (readonly [name: string, kind: Kind])[]): Decoder {
  return (reader) => {
    const data: Record<string, DataValue> = {};
    for (const [name, kind] of kinds) data[name] = reader[kind]();
    return { data };
  };
}

const certificateAssociation = fields(
  ["usage", "octet"],
  ["selector", "octet"],
  ["matching_type", "octet"],
  ["certificate", "hex"],
);

const serviceBinding: Decoder = (reader) => ({
  data: { priority: reader.twoOctets(), target: reader.name(), value: svcParamsFromOctets(reader.rest()) },
});

const decoders: Readonly<Record<RecordType, Decoder>> = {
  A: (reader) => ({ content: printIpAddress(ipv4Address(reader.fourOctets())) }),
  AAAA: (reader) => ({
    content: printIpAddress({
      version: 6,
      words: [reader.fourOctets(), reader.fourOctets(), reader.fourOctets(), reader.fourOctets()],
    }),
  }),
  CAA: fields(["flags", "octet"], ["tag", "characterString"], ["value", "rest"]),
  CERT: fields(
    ["type", "twoOctets"],
    ["key_tag", "twoOctets"],
    ["algorithm", "octet"],
    ["certificate", "base64"],
  ),
  CNAME: target,
  DNSKEY: fields(
    ["flags", "twoOctets"],
    ["protocol", "octet"],
    ["algorithm", "octet"],
    ["public_key", "base64"],
  ),
  DS: fields(["key_tag", "twoOctets"], ["algorithm", "octet"], ["digest_type", "octet"], ["digest", "hex"]),
  HTTPS: serviceBinding,
  LOC: (reader) => {
    if (reader.octet() !== 0) throw new WireError("a LOC record has an unknown version");
    const sizes = [reader.octet(), reader.octet(), reader.octet()].map((size) => ({
      digit: size >>> 4,
      power: size & 15,
    }));
    const equator = 2 ** 31;
    return {
      data: locationData({
        latitude: reader.fourOctets() - equator,
        longitude: reader.fourOctets() - equator,
        altitude: reader.fourOctets() - 10_000_000,
        sizes,
      }),
    };
  },
  MX: (reader) => ({ priority: reader.twoOctets(), content: reader.name() }),
  NAPTR: fields(
    ["order", "twoOctets"],
    ["preference", "twoOctets"],
    ["flags", "characterString"],
    ["service", "characterString"],
    ["regex", "characterString"],
    ["replacement", "name"],
  ),
  NS: target,
  OPENPGPKEY: (reader) => ({ content: reader.base64() }),
  PTR: target,
  SMIMEA: certificateAssociation,
  SRV: fields(["priority", "twoOctets"], ["weight", "twoOctets"], ["port", "twoOctets"], ["target", "name"]),
  SSHFP: fields(["algorithm", "octet"], ["type", "octet"], ["fingerprint", "hex"]),
  SVCB: serviceBinding,
  TLSA: certificateAssociation,
  TXT: (reader) => {
    const strings: string[] = [];
    do strings.push(encodeCharacterString(reader.characterString()));
    while (!reader.isAtEnd);
    return { content: strings.join(" ") };
  },
  URI: (reader) => ({
    priority: reader.twoOctets(),
    data: { weight: reader.twoOctets(), target: reader.rest() },
  }),
};
