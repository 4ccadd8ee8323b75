import assert from "node:assert/strict";
import { test } from "node:test";

import { AppError } from "../../error.ts";
import { parseRdata, wireIdentity } from "./rdata.ts";
import type { RdataInput, RecordType } from "./record-types.ts";

const zone = "example.com";
const sha1 = "AB".repeat(20);
const sha256 = "0C".repeat(32);

interface Valid {
  readonly type: RecordType;
  readonly data: Readonly<Record<string, unknown>>;
  readonly content: string;
  readonly priority?: number;
}

const valid: readonly Valid[] = [
  {
    type: "CAA",
    data: { flags: 0, tag: "issue", value: "letsencrypt.org" },
    content: '0 issue "letsencrypt.org"',
  },
  { type: "CAA", data: { flags: 128, tag: "iodef", value: "" }, content: '128 iodef ""' },
  { type: "CAA", data: { flags: 0, tag: "x", value: 'a"b\\c d' }, content: String.raw`0 x "a\"b\\c d"` },
  { type: "CERT", data: { type: 9, key_tag: 1, algorithm: 8, certificate: "TWFu" }, content: "9 1 8 TWFu" },
  {
    type: "DNSKEY",
    data: { flags: 257, protocol: 3, algorithm: 13, public_key: "TWE=" },
    content: "257 3 13 TWE=",
  },
  {
    type: "DS",
    data: { key_tag: 1, algorithm: 13, digest_type: 1, digest: sha1 },
    content: `1 13 1 ${sha1}`,
  },
  { type: "DS", data: { key_tag: 1, algorithm: 13, digest_type: 99, digest: "00" }, content: "1 13 99 00" },
  {
    type: "HTTPS",
    data: { priority: 1, target: ".", value: 'alpn="h2"' },
    content: '1 . alpn="h2"',
  },
  {
    type: "SVCB",
    data: { priority: 0, target: "x.example", value: "" },
    content: "0 x.example",
  },
  {
    type: "NAPTR",
    data: {
      order: 100,
      preference: 10,
      flags: "S",
      service: "SIP+D2U",
      regex: "",
      replacement: "_sip._udp.example.com",
    },
    content: '100 10 "S" "SIP+D2U" "" _sip._udp.example.com',
  },
  {
    type: "NAPTR",
    data: {
      order: 1,
      preference: 2,
      flags: "U",
      service: "E2U",
      regex: String.raw`!^.*$!x:\1!`,
      replacement: ".",
    },
    content: String.raw`1 2 "U" "E2U" "!^.*$!x:\\1!" .`,
  },
  {
    type: "SRV",
    data: { port: 8806, priority: 10, target: "example.com", weight: 5 },
    content: "5 8806 example.com",
    priority: 10,
  },
  { type: "SRV", data: { port: 0, priority: 0, target: ".", weight: 0 }, content: "0 0 .", priority: 0 },
  { type: "SSHFP", data: { algorithm: 4, type: 2, fingerprint: sha256 }, content: `4 2 ${sha256}` },
  {
    type: "TLSA",
    data: { usage: 3, selector: 1, matching_type: 1, certificate: sha256 },
    content: `3 1 1 ${sha256}`,
  },
  {
    type: "SMIMEA",
    data: { usage: 3, selector: 0, matching_type: 0, certificate: "30" },
    content: "3 0 0 30",
  },
];

test("data and content of one record give the same result, rendered from data", async (t) => {
  for (const { type, data, content, priority } of valid)
    await t.test(`${type} ${content}`, () => {
      const expected = { content, data, ...(priority === undefined ? {} : { priority }) };
      assert.deepEqual(parseRdata(type, { data }, zone), expected, content);
      assert.deepEqual(parseRdata(type, { content, priority }, zone), expected, content);
    });
});

test("data comes back with its fields in alphabetical order, and no others", () => {
  const data = { weight: 5, target: "a.example", proto: "_tcp", priority: 1, port: 2, constructor: 3 };
  assert.equal(
    JSON.stringify(parseRdata("SRV", { data }, zone).data),
    '{"port":2,"priority":1,"target":"a.example","weight":5}',
  );
});

test("content is accepted in every form that zone files and clients use", async (t) => {
  const cases: readonly (readonly [RecordType, string, number | undefined, string])[] = [
    ["CAA", "0\tISSUE   ca.example", undefined, '0 issue "ca.example"'],
    ["CAA", "0 issue ;", undefined, '0 issue ";"'],
    ["SRV", "10 5 8806 Example.com.", undefined, "5 8806 example.com"],
    ["SRV", "10 IN SRV 5 8806 example.com.", undefined, "5 8806 example.com"],
    ["SRV", "5\t8806\t@", 10, "5 8806 example.com"],
    ["URI", '10 20 "http://example.com/"', undefined, '20 "http://example.com/"'],
    ["DS", `1 13 2 ${"0C".repeat(16)} ${"0c".repeat(16)}`, undefined, `1 13 2 ${sha256}`],
    ["DNSKEY", "257 3 13 TWFu TWFu", undefined, "257 3 13 TWFuTWFu"],
    ["HTTPS", "1 . alpn=h2,h3   port=0443", undefined, '1 . alpn="h2,h3" port="443"'],
    ["HTTPS", "IN HTTPS 1 .", undefined, "1 ."],
    ["NAPTR", '1 2 S "" "" @', undefined, '1 2 "S" "" "" example.com'],
  ];
  for (const [type, content, priority, expected] of cases)
    await t.test(`${type} ${content}`, () => {
      assert.equal(parseRdata(type, { content, priority }, zone).content, expected, content);
    });
});

test("targets of NAPTR, SVCB and HTTPS keep the final dot that was sent, and name the same host without it", async (t) => {
  const naptr = { order: 1, preference: 2, flags: "U", service: "", regex: "" };
  const cases: readonly (readonly [RecordType, (target: string) => RdataInput, string])[] = [
    ["NAPTR", (replacement) => ({ data: { ...naptr, replacement } }), '1 2 "U" "" "" a.example.'],
    ["NAPTR", (target) => ({ content: `1 2 U "" "" ${target}` }), '1 2 "U" "" "" a.example.'],
    ["HTTPS", (target) => ({ data: { priority: 1, target, value: "" } }), "1 a.example."],
    ["SVCB", (target) => ({ content: `1 ${target} port=53` }), '1 a.example. port="53"'],
  ];
  for (const [type, input, content] of cases)
    await t.test(`${type} ${content}`, () => {
      const dotted = parseRdata(type, input("A.example."), zone);
      const undotted = parseRdata(type, input("a.example"), zone);
      assert.equal(dotted.content, content);
      assert.equal(undotted.content, content.replace("example.", "example"));
      assert.equal(wireIdentity(type, "x.example", dotted), wireIdentity(type, "x.example", undotted));
      assert.equal(parseRdata(type, input("."), zone).content, content.replace("a.example.", "."));
    });
});

test("hexadecimal digits are answered in upper case, and their case makes no other record", async (t) => {
  const cases: readonly (readonly [RecordType, string])[] = [
    ["DS", `1 13 1 ${sha1}`],
    ["SMIMEA", "3 0 0 30AB"],
    ["SSHFP", `4 1 ${sha1}`],
    ["TLSA", "3 0 0 30AB"],
  ];
  for (const [type, content] of cases)
    await t.test(type, () => {
      const rdata = parseRdata(type, { content: content.toLowerCase() }, zone);
      assert.equal(rdata.content, content);
      const stored = { ...rdata, content: content.toLowerCase() };
      assert.equal(wireIdentity(type, "x.example", stored), wireIdentity(type, "x.example", rdata));
    });
});

test("numbers in texts, and texts in quotes, say the same as without", async (t) => {
  const cases: readonly (readonly [RecordType, Readonly<Record<string, unknown>>, string])[] = [
    ["CAA", { flags: "0", tag: "issue", value: '"ca.example"' }, '0 issue "ca.example"'],
    ["SRV", { priority: "1", weight: "2", port: "3", target: "a.example" }, "2 3 a.example"],
    ["SSHFP", { algorithm: "4", type: "2", fingerprint: sha256 }, `4 2 ${sha256}`],
    ["NAPTR", { order: "1", preference: "2", flags: '"U"', service: '""', regex: '"!a\\\\b!"', replacement: "." },
      '1 2 "U" "" "!a\\\\b!" .'], // prettier-ignore
    ["LOC", { lat_degrees: "51", lat_seconds: "0.123", lat_direction: "N", long_degrees: "5", long_direction: "E",
      altitude: "-4.50", size: "1.00" }, "51 0 0.123 N 5 0 0.000 E -4.50 1.00 0.00 0.00"], // prettier-ignore
  ];
  for (const [type, data, content] of cases)
    await t.test(`${type} ${content}`, () => {
      const rdata = parseRdata(type, { data }, zone);
      assert.equal(rdata.content, content);
      assert.deepEqual(parseRdata(type, { data: rdata.data }, zone), rdata);
    });
});

test("a URI record has its priority at the top level only", () => {
  const expected = {
    content: '20 "http://example.com/a"',
    data: { target: "http://example.com/a", weight: 20 },
    priority: 10,
  };
  assert.deepEqual(parseRdata("URI", { data: expected.data, priority: 10 }, zone), expected);
  assert.deepEqual(parseRdata("URI", { content: expected.content, priority: 10 }, zone), expected);
  assert.throws(() => parseRdata("URI", { data: { ...expected.data, priority: 10 } }, zone), {
    code: 9100,
    pointer: "/priority",
  });
});

test("data wins over content, and a priority inside data over the top-level one", () => {
  const data = { weight: 5, port: 8806, target: "a.example" };
  const both = { data: { ...data, priority: 1 }, content: "9 9 b.example", priority: 2 };
  assert.deepEqual(parseRdata("SRV", both, zone), {
    content: "5 8806 a.example",
    data: { ...data, priority: 1 },
    priority: 1,
  });
  assert.equal(parseRdata("SRV", { data, priority: 2 }, zone).priority, 2);
  assert.equal(
    parseRdata("SRV", { data: {}, content: "9 9 b.example", priority: 2 }, zone).content,
    "9 9 b.example",
  );
});

const caa = { flags: 0, tag: "issue", value: "x" };
const srv = { priority: 1, weight: 2, port: 3, target: "a.example" };

function errorsOf(type: RecordType, input: RdataInput): readonly object[] {
  try {
    parseRdata(type, input, zone);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [error, ...error.others].map(({ code, message, pointer }) => ({ code, message, pointer }));
  }
  return [];
}

test("each missing required field is an error of its own, 9101 at the field", async (t) => {
  const cases: readonly (readonly [RecordType, RdataInput, string])[] = [
    ["CAA", {}, "flags tag value"],
    ["CAA", { data: { ...caa, value: null } }, "value"],
    ["SRV", {}, "priority weight port target"],
    ["SRV", { priority: 10 }, "weight port target"],
    ["SRV", { data: { priority: 10 } }, "weight port target"],
    ["SRV", { data: { ...srv, priority: undefined } }, "priority"],
    ["SRV", { data: { ...srv, port: undefined }, priority: 1 }, "port"],
    ["HTTPS", { data: { target: "." } }, "priority"],
    ["LOC", { data: { lat_degrees: 1 } }, "lat_direction long_degrees long_direction altitude"],
    ["NAPTR", { data: { order: 1, preference: 2 } }, "replacement"],
    ["DNSKEY", { data: { flags: 1 } }, "protocol algorithm public_key"],
    ["URI", { data: {}, priority: 1 }, "weight target"],
  ];
  for (const [type, input, fields] of cases)
    await t.test(`${type} without ${fields}`, () => {
      const expected = fields.split(" ").map((field) => ({
        code: 9101,
        message: `${field} is a required data field.`,
        pointer: `/data/${field}`,
      }));
      assert.deepEqual(errorsOf(type, input), expected);
    });
  assert.deepEqual(errorsOf("URI", { data: { weight: "x" } }), [
    { code: 9100, message: "priority is a required field.", pointer: "/priority" },
    { code: 9102, message: "weight must be a whole number from 0 to 65535.", pointer: "/data/weight" },
    { code: 9101, message: "target is a required data field.", pointer: "/data/target" },
  ]);
  assert.throws(() => parseRdata("SRV", { content: "5 8806 example.com" }, zone), {
    code: 9100,
    message: "priority is a required field.",
    pointer: "/priority",
  });
});

test("a field that does not fit is refused with 9102 at the field", async (t) => {
  const tlsa = { usage: 3, selector: 1, matching_type: 1, certificate: sha256 };
  const cases: readonly (readonly [RecordType, Readonly<Record<string, unknown>>, string, string])[] = [
    ["CAA", { ...caa, flags: 256 }, "flags", "a whole number from 0 to 255"],
    ["CAA", { ...caa, flags: "0x1" }, "flags", "a whole number from 0 to 255"],
    ["CAA", { ...caa, flags: 0.5 }, "flags", "a whole number from 0 to 255"],
    ["CAA", { ...caa, tag: "is-sue" }, "tag", "1 to 255 letters and digits"],
    ["CAA", { ...caa, value: "ü" }, "value", "printable ASCII text"],
    ["SRV", { ...srv, priority: 65536 }, "priority", "a whole number from 0 to 65535"],
    ["SRV", { ...srv, target: "192.0.2.1" }, "target", 'a hostname or "."'],
    ["SRV", { ...srv, target: "" }, "target", 'a hostname or "."'],
    [
      "DS",
      { key_tag: 1, algorithm: 1, digest_type: 2, digest: sha1 },
      "digest",
      "64 hexadecimal digits when digest_type is 2",
    ],
    ["DS", { key_tag: 1, algorithm: 1, digest_type: 9, digest: "abc" }, "digest", "octets in hexadecimal"],
    [
      "SSHFP",
      { algorithm: 1, type: 1, fingerprint: sha256 },
      "fingerprint",
      "40 hexadecimal digits when type is 1",
    ],
    ["TLSA", { ...tlsa, matching_type: 2 }, "certificate", "128 hexadecimal digits when matching_type is 2"],
    ["CERT", { type: 1, key_tag: 1, algorithm: 1, certificate: "a" }, "certificate", "octets in base64"],
    ["HTTPS", { priority: 1, target: ".", value: "x=1" }, "value", "a valid list of service parameters"],
    ["HTTPS", { priority: 0, target: ".", value: "alpn=h2" }, "value", "empty when priority is 0"],
  ];
  for (const [type, data, field, expectation] of cases)
    await t.test(`${type}: ${field} must be ${expectation}`, () => {
      const expected = { code: 9102, message: `${field} must be ${expectation}.`, pointer: `/data/${field}` };
      assert.throws(() => parseRdata(type, { data }, zone), expected, `${type} ${field}`);
    });
  for (const data of ["x", 1, true, []]) {
    const expected = { code: 9102, message: "data must be an object.", pointer: "/data" };
    assert.throws(() => parseRdata("CAA", { data, content: '0 issue "x"' }, zone), expected);
  }
});

test("content that is not the presentation format is refused with 9007", async (t) => {
  const cases: readonly (readonly [RecordType, unknown])[] = [
    ["CAA", "0 issue"],
    ["CAA", '0 issue "x" y'],
    ["CAA", '0 issue "open'],
    ["CAA", '0 issue "a\nb"'],
    ["CAA", "256 issue x"],
    ["CAA", 5],
    ["DS", `1 13 2 ${sha1}`],
    ["HTTPS", "1"],
    ["HTTPS", "0 . alpn=h2"],
    ["LOC", "somewhere"],
    ["NAPTR", String.raw`1 2 "U" "E2U" "!x\1!" .`],
    ["NAPTR", '1 2 "U" "bad" host'],
    ["SRV", "70000 1 2 a.example"],
    ["SRV", "1 2 a.example extra more"],
    ["TLSA", "3 1 1"],
    ["URI", "1 a b c"],
  ];
  for (const [type, content] of cases)
    await t.test(`${type} ${String(content)}`, () => {
      const expected = { code: 9007, message: `Content for ${type} record is invalid.`, pointer: "/content" };
      assert.throws(
        () => parseRdata(type, { content, priority: 1 }, zone),
        expected,
        `${type} ${String(content)}`,
      );
    });
});
