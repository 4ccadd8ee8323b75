import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { parseRdata, type RecordType } from "../rdata.ts";
import { rcodeName, rcodes, typeCodes, typeName } from "../wire/codes.ts";
import { nameAt } from "../wire/names.ts";
import { octetsToHex, twoOctetsAt } from "../wire/octets.ts";
import { addressData } from "../wire/record-data.ts";
import { answerQuestion } from "./answer.ts";
import { edgeSets, type ServingRules, type StoredRecord } from "./record-sets.ts";
import type { OwnedSet } from "./sections.ts";
import type { OutsideAddresses } from "./sources.ts";
import { ZoneIndex } from "./zone-index.ts";
import { ZoneView } from "./zone-view.ts";

const edge = edgeSets(["192.0.2.80", "2001:db8::80"]);
const rulesDefault: ServingRules = { edge, flattensAll: false };

/** `name type content`; a number after the type is a priority, words behind a `;` are settings, and `proxied`. */
function zone(name: string, written: readonly string[], rules: Partial<ServingRules> = {}): ZoneView {
  const apex = { name, nameServers: ["ns1.test.net", "ns2.test.net"], hostmaster: "dns.test.net", serial: 7 };
  const view = new ZoneView(apex, { ...rulesDefault, ...rules });
  const byName = new Map<string, StoredRecord[]>();
  for (const line of written) {
    const [, owner = "", ttl = "1", type = "", priority, content = "", words = ""] =
      /^(\S+) (?:(\d+) )?([A-Z]+) (?:(\d+) (?=\S+$))?([^;]*?)(?: ?; ?(.*))?$/.exec(line) ?? [];
    const rdata = parseRdata(
      type as RecordType,
      {
        content: type === "SRV" ? `${priority} ${content}` : content,
        ...(priority && { priority: Number(priority) }),
      },
      name,
    );
    const full = owner === "@" ? name : `${owner}.${name}`;
    const settings = Object.fromEntries(words.split(" ").map((word) => [word, true]));
    const record = {
      ...rdata,
      type: type as RecordType,
      ttl: Number(ttl),
      proxied: "proxied" in settings,
      settings,
    };
    byName.set(full, [...(byName.get(full) ?? []), record]);
  }
  for (const [full, records] of byName) view.setRecords(full, records);
  return view;
}

type Outside = Readonly<Record<string, OutsideAddresses>>;

/** What is answered, in the words of a zone file; a line begins with its section unless that is `answer`. */
function ask(
  zones: readonly ZoneView[],
  question: string,
  outside: Outside = {},
  allAtOnce = false,
): string[] {
  const [name = "", type = "A"] = question.split(" ");
  const index = new ZoneIndex();
  for (const view of zones) index.set(view);
  const answer = answerQuestion(
    { name, type: typeCodes[type as keyof typeof typeCodes] },
    {
      zoneOf: (folded, isAbove) => index.enclosing(folded, isAbove),
      outside: (folded, code) => outside[`${folded} ${typeName(code)}`] ?? "unknown",
    },
    allAtOnce,
  );
  if ("name" in answer) return [`wanted ${answer.name} ${typeName(answer.type)}`];
  const { rcode, isAuthoritative, answers, authorities, additionals } = answer;
  return [
    `${rcodeName(rcode)}${isAuthoritative ? " aa" : ""}`,
    ...answers.flatMap((owned) => lines("", owned)),
    ...authorities.flatMap((owned) => lines("authority ", owned)),
    ...additionals.flatMap((owned, at) =>
      lines(at < answer.additionalsNeeded ? "glue " : "additional ", owned),
    ),
  ];
}

function lines(section: string, { name, set: { type, ttl, rdatas } }: OwnedSet): string[] {
  return rdatas.map((rdata) => `${section}${name} ${ttl} ${typeName(type)} ${show(type, rdata)}`);
}

function show(type: number, rdata: string): string {
  if (type === typeCodes.SOA) return "…";
  if (type === typeCodes.MX) return `${twoOctetsAt(rdata, 0)} ${nameAt(rdata, 2).name}`;
  if ([typeCodes.NS, typeCodes.CNAME].includes(type as 5)) return nameAt(rdata, 0).name;
  if (type === typeCodes.A) return Array.from(rdata, (octet) => octet.charCodeAt(0)).join(".");
  if (type === typeCodes.TXT) return rdata.slice(1);
  return octetsToHex(rdata);
}

const soa = (name: string): string => `authority ${name} 3600 SOA …`;

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
    assert.deepEqual(ask([example], "mail.example.com ANY", {}, true), [
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

  test("nothing of a wildcard that is a delegation", () => {
    const view = zone("example.com", ["*.w NS ns1.test.net"]);
    assert.deepEqual(ask([view], "x.w.example.com NS"), ["NOERROR aa", soa("example.com")]);
    assert.deepEqual(ask([view], "*.w.example.com"), [
      "NOERROR",
      "authority *.w.example.com 300 NS ns1.test.net",
    ]);
  });
});

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

describe("a zone that was changed name by name", () => {
  const label = fc.constantFrom("a", "b", "*");
  const names = fc
    .array(label, { minLength: 1, maxLength: 3 })
    .filter((labels) => labels.slice(1).every((one) => one !== "*"))
    .map((labels) => `${labels.join(".")}.example.com`);
  const records = fc.constantFrom<StoredRecord[]>(
    [],
    [{ type: "A", content: "192.0.2.1", ttl: 60, proxied: false, settings: {} }],
    [{ type: "NS", content: "ns.a.example.com", ttl: 60, proxied: false, settings: {} }],
    [{ type: "CNAME", content: "b.example.com", ttl: 60, proxied: false, settings: {} }],
  );

  test("answers as one that is made anew", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(names, records), { maxLength: 12 }), (changes) => {
        const changed = zone("example.com", []);
        for (const [name, its] of changes) changed.setRecords(name, its);
        const fresh = zone("example.com", []);
        for (const [name, its] of new Map(changes)) if (its.length > 0) fresh.setRecords(name, its);
        assert.equal(changed.size, fresh.size);
        const asked = changes.flatMap(([name]) => [name, `x.${name}`, name.replace(/^[^.]+\./, "")]);
        for (const name of asked) {
          for (const type of ["A", "NS", "DS"]) {
            assert.deepEqual(ask([changed], `${name} ${type}`), ask([fresh], `${name} ${type}`));
          }
        }
      }),
    );
  });
});

test("response codes have their numbers", () => {
  assert.deepEqual([rcodes.NXDOMAIN, rcodeName(5), rcodeName(11)], [3, "REFUSED", "RCODE11"]);
});
