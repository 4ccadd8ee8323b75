import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { decode } from "dns-packet";
import * as fc from "fast-check";

import { parseRdata } from "../content/rdata.ts";
import { recordTypes, type RdataInput, type RecordType } from "../content/record-types.ts";
import { arbitraryInputs } from "../../../../test/support/arbitraries/record-data.ts";
import { flagBits, typeCodes } from "./codes.ts";
import { decodeMessage, encodeMessage } from "./message.ts";
import { octetsToHex } from "./octets.ts";
import { recordData } from "./record-data.ts";

const zoneName = "example.com";

function dataOf(type: RecordType, input: RdataInput): string {
  return recordData(type, parseRdata(type, input, zoneName));
}

function messageWith(type: RecordType, rdata: string): Uint8Array {
  return encodeMessage({
    id: 1,
    flags: flagBits.response,
    questions: [],
    answers: [{ name: zoneName, type: typeCodes[type], class: 1, ttl: 60, rdata }],
    authorities: [],
    additionals: [],
  });
}

/** From the examples of the types' own documents, and computed by hand where those have none. */
const vectors: readonly (readonly [type: RecordType, input: RdataInput, hex: string])[] = [
  ["A", { content: "192.0.2.1" }, "c0000201"],
  ["AAAA", { content: "2001:db8::1" }, "20010db8000000000000000000000001"],
  ["CAA", { data: { flags: 128, tag: "issue", value: "ca.example" } }, "8005697373756563612e6578616d706c65"],
  ["CERT", { data: { type: 1, key_tag: 2, algorithm: 3, certificate: "AQID" } }, "0001000203010203"],
  ["CNAME", { content: "a.example." }, "0161076578616d706c6500"],
  ["DNSKEY", { data: { flags: 257, protocol: 3, algorithm: 13, public_key: "AQID" } }, "0101030d010203"],
  [
    "DS",
    {
      data: {
        key_tag: 60485,
        algorithm: 5,
        digest_type: 1,
        digest: "2BB183AF5F22588179A53B0A98631FAD1A292118",
      },
    },
    "ec4505012bb183af5f22588179a53b0a98631fad1a292118",
  ],
  // RFC 9460 appendix D.
  [
    "HTTPS",
    { data: { priority: 0, target: "foo.example.com", value: "" } },
    "000003666f6f076578616d706c6503636f6d00",
  ],
  ["SVCB", { data: { priority: 1, target: ".", value: "" } }, "000100"],
  [
    "SVCB",
    { data: { priority: 16, target: "foo.example.com", value: "port=53" } },
    "001003666f6f076578616d706c6503636f6d00000300020035",
  ],
  [
    "SVCB",
    { data: { priority: 1, target: "foo.example.com", value: "key667=hello" } },
    "000103666f6f076578616d706c6503636f6d00029b000568656c6c6f",
  ],
  [
    "SVCB",
    { data: { priority: 1, target: "foo.example.com", value: String.raw`key667="hello\210qoo"` } },
    "000103666f6f076578616d706c6503636f6d00029b000968656c6c6fd2716f6f",
  ],
  [
    "SVCB",
    { data: { priority: 1, target: "foo.example.com", value: 'ipv6hint="2001:db8::1,2001:db8::53:1"' } },
    "000103666f6f076578616d706c6503636f6d000006002020010db800000000000000000000000120010db8000000000000000000530001",
  ],
  [
    "SVCB",
    {
      data: {
        priority: 16,
        target: "foo.example.org",
        value: "alpn=h2,h3-19 mandatory=ipv4hint,alpn ipv4hint=192.0.2.1",
      },
    },
    "001003666f6f076578616d706c65036f7267000000000400010004000100090268320568332d313900040004c0000201",
  ],
  ["LOC", { content: "42 21 54 N 71 06 18 W -24m 30m" }, "0033161389172dd070be15f000988d20"],
  ["MX", { content: ".", priority: 0 }, "000000"],
  [
    "NAPTR",
    {
      data: {
        order: 100,
        preference: 10,
        flags: "u",
        service: "sip+E2U",
        regex: "!^.*$!sip:a@b!",
        replacement: ".",
      },
    },
    "0064000a0175077369702b4532550e215e2e2a24217369703a6140622100",
  ],
  ["OPENPGPKEY", { content: "AQID" }, "010203"],
  [
    "SRV",
    { data: { priority: 1, weight: 2, port: 443, target: "a.example" } },
    "0001000201bb0161076578616d706c6500",
  ],
  ["SSHFP", { data: { algorithm: 2, type: 1, fingerprint: "12".repeat(20) } }, `0201${"12".repeat(20)}`],
  [
    "TLSA",
    { data: { usage: 3, selector: 1, matching_type: 1, certificate: "ab".repeat(32) } },
    `030101${"ab".repeat(32)}`,
  ],
  ["SMIMEA", { data: { usage: 3, selector: 0, matching_type: 0, certificate: "0102" } }, "0300000102"],
  ["TXT", { content: "ab" }, "026162"],
  ["TXT", { content: String.raw`"a\"\195" ""` }, "036122c300"],
  ["TXT", { content: "x".repeat(256) }, `ff${"78".repeat(255)}0178`],
  [
    "URI",
    { data: { weight: 1, target: "ftp://a.example/" }, priority: 10 },
    "000a00016674703a2f2f612e6578616d706c652f",
  ],
];

describe("the data of a record on the wire", () => {
  for (const [type, input, hex] of vectors) {
    test(`is that of the document: ${type} ${JSON.stringify(input)}`, () => {
      assert.equal(octetsToHex(dataOf(type, input)), hex);
    });
  }

  for (const type of recordTypes) {
    test(`of any ${type} record stands in a message and is read back`, () => {
      fc.assert(
        fc.property(arbitraryInputs[type], (input) => {
          const rdata = dataOf(type, input);
          const [answer] = decodeMessage(messageWith(type, rdata)).answers;
          assert.equal(answer?.rdata.toLowerCase(), rdata.toLowerCase());
        }),
      );
    });
  }

  /** Fields by the names that dns-packet gives them. */
  const oracle: Partial<Record<RecordType, (input: ReturnType<typeof parseRdata>) => unknown>> = {
    A: ({ content }) => content,
    AAAA: ({ content }) => content,
    CNAME: ({ content }) => content,
    NS: ({ content }) => content,
    PTR: ({ content }) => content,
    MX: ({ content, priority }) => ({ preference: priority, exchange: content }),
    SRV: ({ data }) => data,
    DS: ({ data }) =>
      data && {
        keyTag: data["key_tag"],
        algorithm: data["algorithm"],
        digestType: data["digest_type"],
        digest: Buffer.from(String(data["digest"]), "hex"),
      },
    TLSA: ({ data }) =>
      data && {
        usage: data["usage"],
        selector: data["selector"],
        matchingType: data["matching_type"],
        certificate: Buffer.from(String(data["certificate"]), "hex"),
      },
  };
  for (const [type, expected] of Object.entries(oracle) as [RecordType, (typeof oracle)["A"] & object][]) {
    test(`of any ${type} record is what dns-packet reads`, () => {
      fc.assert(
        fc.property(arbitraryInputs[type], (input) => {
          const rdata = parseRdata(type, input, zoneName);
          const [answer] = decode(Buffer.from(messageWith(type, recordData(type, rdata)))).answers ?? [];
          assert.deepEqual(answer && "data" in answer && { data: plain(answer.data) }, {
            data: plain(expected(rdata)),
          });
        }),
      );
    });
  }
});

/** A value in JSON, so that buffers and objects of any prototype compare; addresses in one spelling. */
function plain(data: unknown): unknown {
  return typeof data === "string" && data.includes(":")
    ? octetsToHex(dataOf("AAAA", { content: data }))
    : JSON.parse(JSON.stringify(data));
}
