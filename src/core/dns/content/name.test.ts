import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { AppError } from "../../error.ts";
import { isHostname, parseZoneName, qualifyName, toAsciiName } from "./name.ts";

const zone = "example.com";
const label63 = "a".repeat(63);
const longName = [label63, label63, label63, "b".repeat(61)].join(".");

const asciiNames: readonly (readonly [string, string | undefined])[] = [
  ["WWW.Example.COM", "www.example.com"],
  ["example.com.", "example.com"],
  ["münchen.example", "xn--mnchen-3ya.example"],
  ["MÜNCHEN.example", "xn--mnchen-3ya.example"],
  ["例え。テスト", "xn--r8jz45g.xn--zckzah"],
  ["a\uff0eb\uff61c", "a.b.c"],
  ["１２７.example", "127.example"],
  ["_dmarc.example.com", "_dmarc.example.com"],
  ["*.example.com", "*.example.com"],
  ["*", "*"],
  ["-a-.example", "-a-.example"],
  ["4.3.2.1.in-addr.arpa", "4.3.2.1.in-addr.arpa"],
  [longName, longName],
  ["", undefined],
  [".", undefined],
  ["a..b", undefined],
  ["a.com..", undefined],
  [".a.com", undefined],
  [`a${label63}.com`, undefined],
  [`${longName}c`, undefined],
  ["a b.com", undefined],
  ["a\tb.com", undefined],
  ["a%41.com", undefined],
  ["ü%41.com", undefined],
  ["ü/x.com", undefined],
  ["ü@x.com", undefined],
  ["a／b.com", undefined],
  ["\u00ad.com", undefined],
  ["a.*.com", undefined],
  ["*a.com", undefined],
  ["\ud800.com", undefined],
  ["ü".repeat(2000), undefined],
];

test("a name becomes lower-case Punycode without final dot, or is none", async (t) => {
  for (const [input, expected] of asciiNames)
    await t.test(JSON.stringify(input), () => assert.equal(toAsciiName(input), expected, input));
});

test("a record name is the apex, inside the zone, or relative to it", async (t) => {
  const cases = [
    ["@", "example.com"],
    ["", "example.com"],
    ["example.com", "example.com"],
    ["EXAMPLE.com.", "example.com"],
    ["www", "www.example.com"],
    ["www.example.com", "www.example.com"],
    ["www.example.com.", "www.example.com"],
    ["www.example.com。", "www.example.com"],
    ["a.b", "a.b.example.com"],
    ["*", "*.example.com"],
    ["notexample.com", "notexample.com.example.com"],
    ["_sip._tcp", "_sip._tcp.example.com"],
    ["Bücher", "xn--bcher-kva.example.com"],
  ] as const;
  for (const [input, expected] of cases)
    await t.test(JSON.stringify(input), () => assert.equal(qualifyName(input, zone), expected, input));
});

test("a record name that is none is refused with 9000, also in the chain", async (t) => {
  const detail = { code: 9000, message: "DNS name is invalid." };
  const refused = [
    ".",
    "www.example.org.",
    "notexample.com.",
    "a b",
    "@.example.com",
    longName,
    undefined,
    null,
    7,
    {},
  ];
  for (const input of refused)
    await t.test(JSON.stringify(input), () => {
      const expected = { name: "AppError", kind: "invalid", ...detail, chain: [detail], pointer: "/name" };
      assert.throws(() => qualifyName(input, zone), expected, JSON.stringify(input));
    });
  assert.throws(() => qualifyName("a b", zone, "/posts/0/name"), { pointer: "/posts/0/name" });
});

test("qualifying a qualified name changes nothing, and nothing but AppError is thrown", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "grapheme" }), fc.domain(), fc.jsonValue()), (input) => {
      try {
        const name = qualifyName(input, zone);
        assert.equal(qualifyName(name, zone), name);
        assert.equal(qualifyName(`${name}.`, zone), name);
      } catch (error) {
        assert.ok(error instanceof AppError, String(error));
      }
    }),
  );
});

test("a zone name is a hostname of at least two labels", async (t) => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ["Example.COM.", "example.com"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["2.0.192.in-addr.arpa", "2.0.192.in-addr.arpa"],
    ["a.b.c.example", "a.b.c.example"],
    ["com", undefined],
    ["", undefined],
    ["_a.example.com", undefined],
    ["*.example.com", undefined],
    ["-a.example", undefined],
    ["a-.example", undefined],
    ["192.0.2.1", undefined],
    ["a.123", undefined],
    ["a b.example", undefined],
  ];
  for (const [input, expected] of cases)
    await t.test(JSON.stringify(input), () => assert.equal(parseZoneName(input), expected, input));
});

test("a hostname has neither underscores, outer hyphens nor a number at its end", async (t) => {
  assert.ok(isHostname("localhost"));
  assert.ok(isHostname("a-b.example"));
  for (const name of ["_a.example", "-a.example", "a-.example", "*.example", "10.0.0.1", "7"])
    await t.test(name, () => {
      assert.ok(!isHostname(name), name);
    });
});
