import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ask, zone } from "../../../../test/support/served-zones.ts";
import { signingOf } from "../../../../test/support/zone-signing.ts";
import type { ZoneView } from "./zone-view.ts";

function signedZone(written: readonly string[]): ZoneView {
  const view = zone("example.com", written, {}, signingOf());
  Array.from(view.link());
  return view;
}

const secure = (written: readonly string[], question: string): string[] =>
  ask([signedZone(written)], question, {}, { isSecure: true });

describe("a signed zone answers", () => {
  test("a question for RRSIG with all signatures of the name, each with the TTL of what it signs", () => {
    const records = ["www 60 A 192.0.2.1", "www 120 TXT x"];
    assert.deepEqual(secure(records, "www.example.com RRSIG"), [
      "NOERROR aa",
      "www.example.com 60 RRSIG of A",
      "www.example.com 120 RRSIG of TXT",
      "www.example.com 3600 RRSIG of NSEC",
    ]);
    const unsigned = zone("example.com", records);
    assert.deepEqual(ask([unsigned], "www.example.com RRSIG").length, 2, "the code and the SOA record");
  });

  test("a chain of wildcards with each proof once", () => {
    const answer = secure(["*.w CNAME x.w.example.com"], "a.w.example.com");
    assert.deepEqual(answer, [
      "NOERROR aa",
      "a.w.example.com 300 CNAME x.w.example.com",
      "a.w.example.com 300 RRSIG of CNAME",
      "x.w.example.com 300 CNAME x.w.example.com",
      "x.w.example.com 300 RRSIG of CNAME",
      "authority *.w.example.com 3600 NSEC example.com",
      "authority *.w.example.com 3600 RRSIG of NSEC",
    ]);
  });

  test("a delegation with signatures of the servers' addresses that are its own, not of glue", () => {
    const records = [
      "sub NS ns.sub.example.com",
      "sub NS www.example.com",
      "ns.sub A 192.0.2.53",
      "www A 192.0.2.1",
    ];
    assert.deepEqual(
      secure(records, "x.sub.example.com").filter((line) => /^(?:glue|additional)/.test(line)),
      [
        "glue ns.sub.example.com 300 A 192.0.2.53",
        "additional www.example.com 300 A 192.0.2.1",
        "additional www.example.com 300 RRSIG of A",
      ],
    );
  });
});
