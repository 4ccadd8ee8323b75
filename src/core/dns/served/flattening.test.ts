import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ask, soa, zone, type Outside } from "../../../../test/support/served-zones.ts";
import { typeCodes } from "../wire/codes.ts";
import { addressData } from "../wire/record-data.ts";

const other = zone("other.org", ["www A 192.0.2.7"]);

describe("a flattened CNAME", () => {
  const found: Outside = {
    "cdn.elsewhere.net A": { type: typeCodes.A, ttl: 42, rdatas: [addressData("198.51.100.1")] },
    "cdn.elsewhere.net AAAA": { type: typeCodes.AAAA, ttl: 42, rdatas: [] },
    "broken.elsewhere.net A": "failed",
  };
  const view = zone("example.com", [
    "@ CNAME cdn.elsewhere.net",
    "@ MX 10 mail.elsewhere.net",
    "flat 60 CNAME www.other.org; flatten_cname",
    "chain CNAME flat.example.com; flatten_cname",
    "broken CNAME broken.elsewhere.net; flatten_cname",
    "nothing CNAME nothing.other.org; flatten_cname",
    "loop CNAME loop.example.com; flatten_cname",
    "plain CNAME www.other.org",
  ]);
  const cases: readonly (readonly [question: string, expected: readonly string[]])[] = [
    ["example.com A", ["NOERROR aa", "example.com 42 A 198.51.100.1"]],
    ["example.com AAAA", ["NOERROR aa", soa("example.com")]],
    ["example.com CNAME", ["NOERROR aa", soa("example.com")]],
    ["example.com MX", ["NOERROR aa", "example.com 300 MX 10 mail.elsewhere.net"]],
    ["flat.example.com A", ["NOERROR aa", "flat.example.com 60 A 192.0.2.7"]],
    ["flat.example.com TXT", ["NOERROR aa", soa("example.com")]],
    ["flat.example.com ANY", ["NOERROR aa", "flat.example.com 60 A 192.0.2.7"]],
    ["chain.example.com A", ["NOERROR aa", "chain.example.com 60 A 192.0.2.7"]],
    ["nothing.example.com A", ["NOERROR aa", soa("example.com")]],
    ["broken.example.com A", ["SERVFAIL"]],
    ["loop.example.com A", ["SERVFAIL"]],
    [
      "plain.example.com A",
      ["NOERROR aa", "plain.example.com 300 CNAME www.other.org", "www.other.org 300 A 192.0.2.7"],
    ],
  ];
  for (const [question, expected] of cases) {
    test(`is answered by ${JSON.stringify(expected)} to ${question}`, () => {
      assert.deepEqual(ask([view, other], question, found), expected);
    });
  }

  test("says what has to be looked up first", () => {
    assert.deepEqual(ask([view], "example.com A"), ["wanted cdn.elsewhere.net A"]);
  });

  test("is every CNAME where the zone says so", () => {
    const all = zone("example.com", ["plain CNAME www.other.org"], { flattensAll: true });
    assert.deepEqual(ask([all, other], "plain.example.com A"), [
      "NOERROR aa",
      "plain.example.com 300 A 192.0.2.7",
    ]);
    assert.deepEqual(ask([all, other], "plain.example.com CNAME"), ["NOERROR aa", soa("example.com")]);
  });
});
