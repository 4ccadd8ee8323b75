import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ask, soa, zone } from "../../../../test/support/served-zones.ts";

const example = zone("example.com", [
  "@ MX 10 mail.example.com",
  "@ 600 TXT hello",
  "www 120 A 192.0.2.1",
  "www 60 A 192.0.2.2",
  "mail A 192.0.2.25",
  "mail AAAA 2001:db8::25",
  "alias CNAME www.example.com",
  "chain CNAME alias.example.com",
  "out CNAME www.elsewhere.net",
  "other CNAME www.other.org",
  "loop1 CNAME loop2.example.com",
  "loop2 CNAME loop1.example.com",
  "self CNAME self.example.com",
  "dangling CNAME nothing.example.com",
  "nodata CNAME mail.example.com",
  "tocut CNAME x.sub.example.com",
  "a.deep.ent TXT x",
  "*.wild A 192.0.2.3",
  "*.wild MX 5 mail.example.com",
  "exists.wild TXT x",
  "b.ent.wild TXT x",
  "*.walias CNAME www.example.com",
  "sub NS ns.sub.example.com",
  "sub NS ns.example.com",
  "sub NS ns.elsewhere.net",
  "sub DS 1 13 2 " + "ab".repeat(32),
  "ns.sub A 192.0.2.53",
  "ns A 192.0.2.54",
  "x.sub A 192.0.2.99",
  "deep.sub NS ns.deep.sub.example.com",
  "ns.deep.sub A 192.0.2.55",
  "nods NS ns.elsewhere.net",
]);
const other = zone("other.org", ["www A 192.0.2.7"]);

const scenarios: readonly (readonly [what: string, question: string, expected: readonly string[]])[] = [
  [
    "all records of a set, with its smallest TTL",
    "www.example.com",
    ["NOERROR aa", "www.example.com 60 A 192.0.2.1", "www.example.com 60 A 192.0.2.2"],
  ],
  [
    "the name in the case of the question",
    "WwW.eXample.com",
    ["NOERROR aa", "WwW.eXample.com 60 A 192.0.2.1", "WwW.eXample.com 60 A 192.0.2.2"],
  ],
  [
    "TTL 300 for automatic, and addresses of the target",
    "example.com MX",
    [
      "NOERROR aa",
      "example.com 300 MX 10 mail.example.com",
      "additional mail.example.com 300 A 192.0.2.25",
      "additional mail.example.com 300 AAAA 20010db8000000000000000000000025",
    ],
  ],
  [
    "the zone's own name servers",
    "example.com NS",
    ["NOERROR aa", "example.com 86400 NS ns1.test.net", "example.com 86400 NS ns2.test.net"],
  ],
  ["the zone's own SOA", "example.com SOA", ["NOERROR aa", "example.com 3600 SOA …"]],
  ["no data", "www.example.com TXT", ["NOERROR aa", soa("example.com")]],
  ["no data at an empty non-terminal", "deep.ent.example.com", ["NOERROR aa", soa("example.com")]],
  ["no such name", "nothing.example.com", ["NXDOMAIN aa", soa("example.com")]],
  ["no such name below one that exists", "a.www.example.com", ["NXDOMAIN aa", soa("example.com")]],
  ["REFUSED outside of all zones", "example.net", ["REFUSED"]],
  ["REFUSED for the root", ". NS", ["REFUSED"]],
  ["REFUSED for the parent of a zone", "com NS", ["REFUSED"]],
  [
    "a CNAME and what it leads to",
    "alias.example.com",
    [
      "NOERROR aa",
      "alias.example.com 300 CNAME www.example.com",
      "www.example.com 60 A 192.0.2.1",
      "www.example.com 60 A 192.0.2.2",
    ],
  ],
  [
    "a chain of CNAMEs",
    "chain.example.com MX",
    [
      "NOERROR aa",
      "chain.example.com 300 CNAME alias.example.com",
      "alias.example.com 300 CNAME www.example.com",
      soa("example.com"),
    ],
  ],
  [
    "a CNAME itself",
    "chain.example.com CNAME",
    ["NOERROR aa", "chain.example.com 300 CNAME alias.example.com"],
  ],
  [
    "a CNAME to where others answer",
    "out.example.com",
    ["NOERROR aa", "out.example.com 300 CNAME www.elsewhere.net"],
  ],
  [
    "a CNAME to another zone of ours",
    "other.example.com",
    ["NOERROR aa", "other.example.com 300 CNAME www.other.org", "www.other.org 300 A 192.0.2.7"],
  ],
  [
    "a loop of CNAMEs once",
    "loop1.example.com",
    [
      "NOERROR aa",
      "loop1.example.com 300 CNAME loop2.example.com",
      "loop2.example.com 300 CNAME loop1.example.com",
    ],
  ],
  [
    "a CNAME to itself once",
    "self.example.com",
    ["NOERROR aa", "self.example.com 300 CNAME self.example.com"],
  ],
  [
    "a CNAME to nothing",
    "dangling.example.com",
    ["NXDOMAIN aa", "dangling.example.com 300 CNAME nothing.example.com", soa("example.com")],
  ],
  [
    "a CNAME to a name without such records",
    "nodata.example.com TXT",
    ["NOERROR aa", "nodata.example.com 300 CNAME mail.example.com", soa("example.com")],
  ],
  [
    "a CNAME to a delegated name",
    "tocut.example.com",
    [
      "NOERROR aa",
      "tocut.example.com 300 CNAME x.sub.example.com",
      "authority sub.example.com 300 NS ns.sub.example.com",
      "authority sub.example.com 300 NS ns.example.com",
      "authority sub.example.com 300 NS ns.elsewhere.net",
      "glue ns.sub.example.com 300 A 192.0.2.53",
      "additional ns.example.com 300 A 192.0.2.54",
    ],
  ],
  [
    "a wildcard under the name of the question",
    "X.y.wild.example.com",
    ["NOERROR aa", "X.y.wild.example.com 300 A 192.0.2.3"],
  ],
  [
    "a wildcard of another type, with addresses",
    "x.wild.example.com MX",
    [
      "NOERROR aa",
      "x.wild.example.com 300 MX 5 mail.example.com",
      "additional mail.example.com 300 A 192.0.2.25",
      "additional mail.example.com 300 AAAA 20010db8000000000000000000000025",
    ],
  ],
  ["no data of a wildcard", "x.wild.example.com TXT", ["NOERROR aa", soa("example.com")]],
  ["no wildcard where the name exists", "exists.wild.example.com", ["NOERROR aa", soa("example.com")]],
  ["no wildcard below a name that exists", "x.exists.wild.example.com", ["NXDOMAIN aa", soa("example.com")]],
  ["no wildcard at an empty non-terminal", "ent.wild.example.com", ["NOERROR aa", soa("example.com")]],
  ["no wildcard below an empty non-terminal", "x.ent.wild.example.com", ["NXDOMAIN aa", soa("example.com")]],
  ["a wildcard by its own name", "*.wild.example.com", ["NOERROR aa", "*.wild.example.com 300 A 192.0.2.3"]],
  ["nothing below a wildcard's own name", "x.*.wild.example.com", ["NXDOMAIN aa", soa("example.com")]],
  ["no data at the parent of a wildcard", "wild.example.com", ["NOERROR aa", soa("example.com")]],
  [
    "a CNAME of a wildcard",
    "x.walias.example.com",
    [
      "NOERROR aa",
      "x.walias.example.com 300 CNAME www.example.com",
      "www.example.com 60 A 192.0.2.1",
      "www.example.com 60 A 192.0.2.2",
    ],
  ],
  [
    "a referral below a delegation, and needed glue first",
    "x.sub.example.com",
    [
      "NOERROR",
      "authority sub.example.com 300 NS ns.sub.example.com",
      "authority sub.example.com 300 NS ns.example.com",
      "authority sub.example.com 300 NS ns.elsewhere.net",
      "glue ns.sub.example.com 300 A 192.0.2.53",
      "additional ns.example.com 300 A 192.0.2.54",
    ],
  ],
  [
    "the highest of two delegations",
    "a.deep.sub.example.com NS",
    [
      "NOERROR",
      "authority sub.example.com 300 NS ns.sub.example.com",
      "authority sub.example.com 300 NS ns.example.com",
      "authority sub.example.com 300 NS ns.elsewhere.net",
      "glue ns.sub.example.com 300 A 192.0.2.53",
      "additional ns.example.com 300 A 192.0.2.54",
    ],
  ],
  [
    "a referral without glue",
    "nods.example.com NS",
    ["NOERROR", "authority nods.example.com 300 NS ns.elsewhere.net"],
  ],
  [
    "a referral to ANY at a delegation",
    "nods.example.com ANY",
    ["NOERROR", "authority nods.example.com 300 NS ns.elsewhere.net"],
  ],
  [
    "DS at a delegation with authority",
    "sub.example.com DS",
    ["NOERROR aa", `sub.example.com 300 DS 00010d02${"ab".repeat(32)}`],
  ],
  ["no DS at a delegation with authority", "nods.example.com DS", ["NOERROR aa", soa("example.com")]],
  [
    "a referral for DS below a delegation",
    "x.nods.example.com DS",
    ["NOERROR", "authority nods.example.com 300 NS ns.elsewhere.net"],
  ],
  ["no DS at its own apex", "example.com DS", ["NOERROR aa", soa("example.com")]],
  ["one record set to ANY", "mail.example.com ANY", ["NOERROR aa", "mail.example.com 300 A 192.0.2.25"]],
  ["a CNAME to ANY", "alias.example.com ANY", ["NOERROR aa", "alias.example.com 300 CNAME www.example.com"]],
  ["labels that no stored name can have", String.raw`a\.b.example.com`, ["NXDOMAIN aa", soa("example.com")]],
];

describe("a name server answers", () => {
  for (const [what, question, expected] of scenarios) {
    test(what, () => assert.deepEqual(ask([example, other], question), expected));
  }

  test("every record set to ANY where it may", () => {
    assert.deepEqual(ask([example], "mail.example.com ANY", {}, { allAtOnce: true }), [
      "NOERROR aa",
      "mail.example.com 300 A 192.0.2.25",
      "mail.example.com 300 AAAA 20010db8000000000000000000000025",
    ]);
  });

  test("from the zone that is closest to the name, and DS from the one above", () => {
    const parent = zone("example.com", [
      "sub NS ns1.test.net",
      `sub DS 1 13 2 ${"ab".repeat(32)}`,
      "x.sub A 192.0.2.1",
    ]);
    const child = zone("sub.example.com", ["x A 192.0.2.2"]);
    assert.deepEqual(ask([parent, child], "x.sub.example.com"), [
      "NOERROR aa",
      "x.sub.example.com 300 A 192.0.2.2",
    ]);
    assert.deepEqual(ask([parent, child], "sub.example.com NS").length, 3);
    assert.deepEqual(ask([parent, child], "sub.example.com DS"), [
      "NOERROR aa",
      `sub.example.com 300 DS 00010d02${"ab".repeat(32)}`,
    ]);
  });

  test("SERVFAIL in a zone that it cannot answer for, and what leads there", () => {
    const expired = zone("gone.org", ["www A 192.0.2.1"]);
    expired.isAvailable = false;
    const here = zone("example.com", [
      "alias CNAME www.gone.org",
      "flat CNAME www.gone.org ; flatten_cname",
      "toflat CNAME flat.example.com",
    ]);
    for (const question of ["www.gone.org", "gone.org SOA", "nothing.gone.org"]) {
      assert.deepEqual(ask([here, expired], question), ["SERVFAIL"]);
    }
    assert.deepEqual(ask([here, expired], "alias.example.com"), [
      "NOERROR aa",
      "alias.example.com 300 CNAME www.gone.org",
    ]);
    for (const name of ["flat", "toflat"]) {
      assert.deepEqual(ask([here, expired], `${name}.example.com`), ["SERVFAIL"]);
    }
  });

  test("a referral with the addresses of all name servers below it, however many, and of some others", () => {
    const servers = Array.from({ length: 40 }, (_, n) => `ns${n}`);
    const view = zone("example.com", [
      ...servers.flatMap((name, n) => [
        `sub NS ${name}.sub.example.com`,
        `${name}.sub A 192.0.2.${n}`,
        `many NS ${name}.example.com`,
        `${name} A 192.0.2.${n}`,
      ]),
      "ns39.sub AAAA 2001:db8::39",
    ]);
    const additionals = (question: string, section: string): string[] =>
      ask([view], question).filter((line) => line.startsWith(section));
    assert.equal(additionals("www.sub.example.com", "glue ").length, 41);
    assert.equal(additionals("www.many.example.com", "glue ").length, 0);
    assert.equal(additionals("www.many.example.com", "additional ").length, 16);
  });

  test("nothing of a wildcard that is a delegation", () => {
    const view = zone("example.com", ["*.w NS ns1.test.net"]);
    assert.deepEqual(ask([view], "x.w.example.com NS"), ["NOERROR aa", soa("example.com")]);
    assert.deepEqual(ask([view], "*.w.example.com"), [
      "NOERROR",
      "authority *.w.example.com 300 NS ns1.test.net",
    ]);
  });
});
