import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ask, soa, zone } from "../../../../test/support/served-zones.ts";

describe("proxied records", () => {
  const records = [
    "@ CNAME origin.elsewhere.net; proxied",
    "@ TXT x",
    "www 60 A 203.0.113.1; proxied",
    "v4 AAAA 2001:db8::1; proxied ipv4_only",
    "v6 A 203.0.113.1; proxied ipv6_only",
    "*.w CNAME www.example.com; proxied",
  ];
  const six = "20010db8000000000000000000000080";

  test("are answered with the addresses of the edge and TTL 300, whatever they hold", () => {
    const view = zone("example.com", records);
    for (const name of ["example.com", "www.example.com", "x.w.example.com"]) {
      assert.deepEqual(ask([view], name), ["NOERROR aa", `${name} 300 A 192.0.2.80`]);
      assert.deepEqual(ask([view], `${name} AAAA`), ["NOERROR aa", `${name} 300 AAAA ${six}`]);
      assert.deepEqual(ask([view], `${name} CNAME`), ["NOERROR aa", soa("example.com")]);
    }
    assert.deepEqual(ask([view], "example.com TXT"), ["NOERROR aa", "example.com 300 TXT x"]);
    assert.deepEqual(ask([view], "v4.example.com AAAA"), ["NOERROR aa", soa("example.com")]);
    assert.deepEqual(ask([view], "v6.example.com A"), ["NOERROR aa", soa("example.com")]);
  });

  test("are answered as others are where nothing is proxied", () => {
    const view = zone("example.com", records, { edge: undefined });
    assert.deepEqual(ask([view], "www.example.com"), ["NOERROR aa", "www.example.com 60 A 203.0.113.1"]);
    assert.deepEqual(ask([view], "x.w.example.com CNAME"), [
      "NOERROR aa",
      "x.w.example.com 300 CNAME www.example.com",
    ]);
  });
});
