import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { AppError } from "../../error.ts";
import { isJsonObject } from "../../json.ts";
import { arbitraryInputs } from "../../../../test/support/arbitraries/record-data.ts";
import { normalizeContentFilter, parseRdata, srvRecordName, wireIdentity } from "./rdata.ts";
import { recordTypes, type RdataInput, type RecordType } from "./record-types.ts";

const zone = "example.com";

test("nothing but AppError is thrown, whatever the JSON", () => {
  const texts = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.jsonValue());
  const input = fc.record(
    { content: texts, data: fc.jsonValue(), priority: fc.jsonValue() },
    { requiredKeys: [] },
  );
  fc.assert(fc.property(fc.constantFrom(...recordTypes), input, parsesOrRefuses), { numRuns: 2000 });
});

test("nothing but AppError is thrown for almost valid data", () => {
  const damaged = fc
    .constantFrom(...recordTypes)
    .chain((type) => fc.tuple(fc.constant(type), arbitraryInputs[type], fc.jsonValue(), fc.nat()));
  fc.assert(
    fc.property(damaged, ([type, input, junk, at]) => {
      const { content, data } = input;
      if (!isJsonObject(data)) {
        parsesOrRefuses(type, { ...input, content: `${String(content)}${JSON.stringify(junk)}` });
        return;
      }
      const fields = Object.keys(data);
      parsesOrRefuses(type, { ...input, data: { ...data, [fields[at % fields.length] ?? ""]: junk } });
    }),
    { numRuns: 2000 },
  );
});

function parsesOrRefuses(type: RecordType, input: RdataInput): void {
  try {
    const rdata = parseRdata(type, input, zone);
    assert.deepEqual(parseRdata(type, { content: rdata.content, priority: rdata.priority }, zone), rdata);
  } catch (error) {
    assert.ok(error instanceof AppError, String(error));
    assert.deepEqual(error.chain, [{ code: error.code, message: error.message }]);
    assert.match(error.pointer ?? "", /^\/(?:content|priority|data(?:\/[a-z_]+)?)$/);
  }
}

for (const type of recordTypes) {
  test(`valid ${type} data is accepted, and its content and its data read back as the same record`, () => {
    fc.assert(
      fc.property(arbitraryInputs[type], (input) => {
        const rdata = parseRdata(type, input, zone);
        const { content, data, priority } = rdata;
        assert.deepEqual(parseRdata(type, { content, priority }, zone), rdata);
        assert.deepEqual(parseRdata(type, { content, data, priority }, zone), rdata);
        assert.equal(wireIdentity(type, zone, rdata), wireIdentity(type, zone, structuredClone(rdata)));
      }),
    );
  });
}

function identity(type: RecordType, input: RdataInput, name = "a.example.com"): string {
  return wireIdentity(type, name, parseRdata(type, input, zone));
}

test("two ways to write one DNS record have one identity", async (t) => {
  const location = "1 2 3 N 4 5 6 E 0m 10m 0m 0m";
  const cases: readonly (readonly [RecordType, RdataInput, RdataInput])[] = [
    ["TXT", { content: '"abc"' }, { content: "abc" }],
    ["TXT", { content: String.raw`"\097bc"` }, { content: "abc" }],
    ["TXT", { content: '"a"  "b"' }, { content: '"a" "b"' }],
    ["TXT", { content: "a".repeat(256) }, { content: `"${"a".repeat(255)}" "a"` }],
    ["AAAA", { content: "2001:DB8::1" }, { content: "2001:db8:0::1" }],
    ["HTTPS", { content: "1 . port=1 alpn=h2" }, { content: "1 . alpn=h2 port=1" }],
    ["LOC", { content: location }, { content: location.replace("10m", "19.99m") }],
    ["LOC", { content: "0 N 0 E 0m" }, { content: "0 S 0 W 0m" }],
  ];
  for (const [type, a, b] of cases)
    await t.test(`${type} ${JSON.stringify(a)}`, () =>
      assert.equal(identity(type, a), identity(type, b), JSON.stringify(a)),
    );
});

test("different DNS records have different identities", () => {
  const identities = [
    identity("TXT", { content: "abc" }),
    identity("TXT", { content: "ABC" }),
    identity("TXT", { content: '"a" "bc"' }),
    identity("TXT", { content: "abc" }, "b.example.com"),
    identity("CNAME", { content: "abc" }),
    identity("MX", { content: "abc", priority: 1 }),
    identity("MX", { content: "abc", priority: 2 }),
    identity("URI", { content: "1 abc", priority: 1 }),
    identity("URI", { content: "1 abc", priority: 2 }),
    identity("LOC", { content: "1 N 1 E 0m" }),
    identity("LOC", { content: "1 S 1 E 0m" }),
    identity("HTTPS", { content: "1 . alpn=h2" }),
    identity("SVCB", { content: "1 . alpn=h2" }),
  ];
  assert.equal(new Set(identities).size, identities.length);
});

test("the deprecated form of an SRV record names it by service, protocol and name", () => {
  const data = { service: "_sip", proto: "tcp", name: "voip" };
  assert.equal(srvRecordName(undefined, data), "_sip._tcp.voip");
  assert.equal(srvRecordName(null, { ...data, service: "sip", name: "@" }), "_sip._tcp");
  assert.equal(srvRecordName("", data), "_sip._tcp.voip");
  assert.equal(srvRecordName("www", data), "www");
  assert.equal(srvRecordName(undefined, { ...data, proto: 6 }), undefined);
  assert.equal(srvRecordName(undefined, { service: "_sip", proto: "_tcp" }), undefined);
  assert.equal(srvRecordName(undefined, "x"), undefined);
  assert.equal(srvRecordName(7, null), 7);
});

test("a content filter is compared without surplus white space and without the final dot of a name", async (t) => {
  const cases: readonly (readonly [string, string])[] = [
    [" 192.0.2.1 ", "192.0.2.1"],
    ["Mail.Example.com.", "Mail.Example.com"],
    ["_a._b.example.com.", "_a._b.example.com"],
    ["5\t8806 \t example.com.", "5 8806 example.com"],
    ['0  issue   "a  b"', '0 issue "a  b"'],
    ['1 2 "S" "x  y" "" a.example.', '1 2 "S" "x  y" "" a.example'],
    ["See example.com.", "See example.com."],
    ["The end.", "The end."],
    ["end.", "end."],
    ['"quoted.com."', '"quoted.com."'],
    ["10.0.0.1.", "10.0.0.1."],
    ["5 0 .", "5 0 ."],
    ['open  "a  b', 'open "a  b'],
    ["", ""],
  ];
  for (const [content, expected] of cases)
    await t.test(JSON.stringify(content), () =>
      assert.equal(normalizeContentFilter(content), expected, content),
    );
});

test("a content filter with an open quote takes linear time", () => {
  const start = performance.now();
  normalizeContentFilter(`"${String.raw`\"`.repeat(200_000)}`);
  const seconds = (performance.now() - start) / 1000;
  // Far above what linear time needs on a busy machine, far below what quadratic time would take.
  assert.ok(seconds < 20, `${seconds.toFixed(1)} s`);
});

test("a content filter leaves the content of a parsed record as it is", () => {
  const structured = fc.constantFrom("SRV", "CAA", "NAPTR", "LOC", "HTTPS", "MX", "CNAME");
  fc.assert(
    fc.property(
      structured.chain((type) => arbitraryInputs[type].map((input) => parseRdata(type, input, zone).content)),
      (content) => assert.equal(normalizeContentFilter(content), content),
    ),
  );
});
