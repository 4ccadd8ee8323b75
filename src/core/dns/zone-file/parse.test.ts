import assert from "node:assert/strict";
import { test } from "node:test";

import { parseZoneFile, readEachEntry, type ZoneFileContent, type ZoneFileRecord } from "./parse.ts";
import { ZoneFileError } from "./entries.ts";

const zoneName = "example.com";

function parse(text: string): ZoneFileContent {
  return parseZoneFile(text, { zoneName, ttlDefault: 1 });
}

function recordsOf(text: string): readonly ZoneFileRecord[] {
  const { records, refused } = parse(text);
  assert.deepEqual(refused, [], JSON.stringify(text));
  return records;
}

/** `name ttl type content` of each record. */
function summary(text: string): readonly string[] {
  return recordsOf(text).map(({ name, ttl, type, content }) => `${name} ${ttl} ${type} ${content}`);
}

function onlyRecord(line: string): ZoneFileRecord {
  const [record, ...more] = recordsOf(line);
  assert.ok(record !== undefined && more.length === 0, line);
  return record;
}

const forms: readonly (readonly [what: string, text: string, expected: readonly string[]])[] = [
  ["all parts", "www.example.com. 300 IN A 192.0.2.1\n", ["www.example.com 300 A 192.0.2.1"]],
  ["tabs", "www\t300\tIN\tA\t192.0.2.1\n", ["www.example.com 300 A 192.0.2.1"]],
  ["class before TTL", "www IN 300 A 192.0.2.1\n", ["www.example.com 300 A 192.0.2.1"]],
  ["neither class nor TTL", "www A 192.0.2.1\n", ["www.example.com 1 A 192.0.2.1"]],
  ["any letter case", "WWW In a 192.0.2.1\n", ["www.example.com 1 A 192.0.2.1"]],
  ["no final line break", "www A 192.0.2.1", ["www.example.com 1 A 192.0.2.1"]],
  ["CRLF", "www A 192.0.2.1\r\nb TXT x ; c\r\n", ["www.example.com 1 A 192.0.2.1", "b.example.com 1 TXT x"]],
  ["a byte order mark", "\ufeffwww A 192.0.2.1\n", ["www.example.com 1 A 192.0.2.1"]],
  ["nothing", "", []],
  ["nothing but white space and comments", "\n \t\r\n; a\n  ;b\n", []],
  ["@ as owner", "@ A 192.0.2.1\n", ["example.com 1 A 192.0.2.1"]],
  [
    "a name that is a type",
    "a a 192.0.2.1\nIN IN A 192.0.2.1\n",
    ["a.example.com 1 A 192.0.2.1", "in.example.com 1 A 192.0.2.1"],
  ],
  ["a wildcard", "* A 192.0.2.1\n", ["*.example.com 1 A 192.0.2.1"]],
  ["an escaped wildcard", String.raw`\042.a A 192.0.2.1` + "\n", ["*.a.example.com 1 A 192.0.2.1"]],
  ["an international name", "bücher A 192.0.2.1\n", ["xn--bcher-kva.example.com 1 A 192.0.2.1"]],
  [
    "a blank owner is the previous one",
    "www A 192.0.2.1\n  A 192.0.2.2\n\tTXT x\n",
    ["www.example.com 1 A 192.0.2.1", "www.example.com 1 A 192.0.2.2", "www.example.com 1 TXT x"],
  ],
  [
    "a relative and an absolute origin",
    "$ORIGIN a\nb CNAME c\n$ORIGIN b.example.com.\n@ CNAME @\n$origin z\n CNAME d.\n",
    [
      "b.a.example.com 1 CNAME c.a.example.com",
      "b.example.com 1 CNAME b.example.com",
      "b.example.com 1 CNAME d",
    ],
  ],
  [
    "an origin above the zone",
    "$ORIGIN .\nexample.com MX 1 mail.example\n$ORIGIN com.\nexample MX 1 @\nwww.example CNAME x\n",
    ["example.com 1 MX mail.example", "example.com 1 MX com", "www.example.com 1 CNAME x.com"],
  ],
  [
    "a $TTL holds until the next one",
    "$TTL 1h\na A 192.0.2.1\nb 60 A 192.0.2.1\nc A 192.0.2.1\n$TTL 2h ; longer\nd A 192.0.2.1\n",
    [
      "a.example.com 3600 A 192.0.2.1",
      "b.example.com 60 A 192.0.2.1",
      "c.example.com 3600 A 192.0.2.1",
      "d.example.com 7200 A 192.0.2.1",
    ],
  ],
  [
    "without $TTL the last TTL that was stated holds",
    "a A 192.0.2.1\nb 60 A 192.0.2.1\nc A 192.0.2.1\n",
    ["a.example.com 1 A 192.0.2.1", "b.example.com 60 A 192.0.2.1", "c.example.com 60 A 192.0.2.1"],
  ],
  [
    "units of time",
    "a 1h30m A 192.0.2.1\nb 1W2D3h4M5s A 192.0.2.1\n",
    ["a.example.com 5400 A 192.0.2.1", "b.example.com 788645 A 192.0.2.1"],
  ],
  [
    "a TTL out of range is for the caller to judge",
    "a 0 A 192.0.2.1\nb 2147483647 A 192.0.2.1\n",
    ["a.example.com 0 A 192.0.2.1", "b.example.com 2147483647 A 192.0.2.1"],
  ],
  [
    "parentheses join lines",
    'a (\n 60 ; the TTL\n\n IN\n TXT ( "b" ;)\n "c" ) )\nd TXT e\n',
    ['a.example.com 60 TXT "b" "c"', "d.example.com 60 TXT e"],
  ],
  ["parentheses touch tokens", "a(60 IN)A(192.0.2.1)\n", ["a.example.com 60 A 192.0.2.1"]],
  [
    "relative names in the data",
    "a NS ns\nb PTR b\nc MX 1 mx\nd SRV 1 2 3 srv\n",
    [
      "a.example.com 1 NS ns.example.com",
      "b.example.com 1 PTR b.example.com",
      "c.example.com 1 MX mx.example.com",
      "d.example.com 1 SRV 2 3 srv.example.com",
    ],
  ],
  [
    "names of service bindings",
    "a HTTPS 1 . alpn=h2,h3\nb SVCB 0 svc\n",
    ['a.example.com 1 HTTPS 1 . alpn="h2,h3"', "b.example.com 1 SVCB 0 svc.example.com"],
  ],
  [
    "a relative replacement",
    'a NAPTR 1 2 s "SIP+D2U" "" _sip._udp\n',
    ['a.example.com 1 NAPTR 1 2 "s" "SIP+D2U" "" _sip._udp.example.com'],
  ],
  ["the root as target", "a MX 0 .\nb SRV 0 0 0 .\n", ["a.example.com 1 MX .", "b.example.com 1 SRV 0 0 ."]],
  [
    "data of several tokens",
    "a TLSA 3 1 0 ( aB\n cD )\nb OPENPGPKEY TW Fu\n",
    ["a.example.com 1 TLSA 3 1 0 ABCD", "b.example.com 1 OPENPGPKEY TWFu"],
  ],
  [
    "mnemonics",
    `a CERT pgp 0 RSASHA256 TWFu\nb DNSKEY 257 3 ED25519 TWFu\nc DS 1 DH 9 00\n`,
    [
      "a.example.com 1 CERT 3 0 8 TWFu",
      "b.example.com 1 DNSKEY 257 3 15 TWFu",
      "c.example.com 1 DS 1 2 9 00",
    ],
  ],
  [
    "a CAA value in quotes or not",
    'a CAA 0 issue ";"\nb CAA 0 Issue ca.example\n',
    ['a.example.com 1 CAA 0 issue ";"', 'b.example.com 1 CAA 0 issue "ca.example"'],
  ],
  [
    "a location with what is usual left out",
    "a LOC 52 N 4 E 1m\n",
    ["a.example.com 1 LOC 52 0 0.000 N 4 0 0.000 E 1.00 1.00 10000.00 10.00"],
  ],
  ["a URI", 'a URI 10 1 "https://example.com/;a"\n', ['a.example.com 1 URI 1 "https://example.com/;a"']],
  ["NS records below the apex", "sub NS ns1.example.net.\n", ["sub.example.com 1 NS ns1.example.net"]],
];

test("every form that a master file may have is read", async (t) => {
  for (const [what, text, expected] of forms)
    await t.test(what, () => assert.deepEqual(summary(text), expected, what));
});

test("a record comes with its line and its validated data", () => {
  assert.deepEqual(recordsOf("\n; x\n_sip._tcp (\n 60 SRV\n10 5 5060 sip )\n"), [
    {
      line: 3,
      name: "_sip._tcp.example.com",
      type: "SRV",
      content: "5 5060 sip.example.com",
      data: { port: 5060, priority: 10, target: "sip.example.com", weight: 5 },
      priority: 10,
      ttl: 60,
    },
  ]);
});

test("the SOA record and the NS records of the apex are counted but are not among the records", () => {
  const text = [
    "@ 1h SOA ns1 hostmaster\\.x ( 2026010100 ; serial",
    "  3h 15m 1w 1h )",
    "  NS ns1",
    "@ NS ns2.example.net.",
    "sub NS ns1",
    "",
  ].join("\n");
  const result = parse(text);
  assert.deepEqual(
    result.records.map(({ line, name }) => `${line} ${name}`),
    ["5 sub.example.com"],
  );
  assert.equal(result.totalParsed, 4);
});

test("a SOA record whose name lacks the final dot stands for the zone, as do blank owners after it", () => {
  const soa = "example.com\t3600\tIN\tSOA\tada.ns.example.net. dns.example.net. 1 10000 2400 604800 3600";
  assert.deepEqual(summary(`${soa}\n NS ada.ns.example.net.\n MX 1 mx\n`), [
    "example.com 3600 MX mx.example.com",
  ]);
});

const texts: readonly (readonly [data: string, content: string])[] = [
  ['"v=spf1 -all"', "v=spf1 -all"],
  ["v=spf1 -all", '"v=spf1" "-all"'],
  ["plain", "plain"],
  ['"a" "b"', '"a" "b"'],
  ['"a""b"', '"a" "b"'],
  ['a"b"', '"a" "b"'],
  ['""', '""'],
  ['" "', '" "'],
  [String.raw`"a\"b\\c\;d"`, String.raw`a"b\c;d`],
  [String.raw`a\ b\"\;c`, 'a b";c'],
  [String.raw`"\"a\""`, String.raw`"\"a\""`],
  [String.raw`"\195\188"`, "ü"],
  ['"ü"', "ü"],
  [String.raw`"\255"`, String.raw`"\255"`],
  [String.raw`"\009a"`, "\ta"],
  ['"a;b(c)"', "a;b(c)"],
  [`"${"a".repeat(255)}" "b"`, `${"a".repeat(255)}b`],
  [`"${"a".repeat(254)}" "b"`, `"${"a".repeat(254)}" "b"`],
  [`"${"a".repeat(256)}"`, `"${"a".repeat(255)}" "a"`],
];

test("TXT strings that are one plain text are its content, others stay quoted strings", async (t) => {
  for (const [data, content] of texts)
    await t.test(data, () => assert.equal(onlyRecord(`a TXT ${data}\n`).content, content));
});

test("below its comment line TXT content keeps its quotes as written, until the next comment line", () => {
  const text = [
    ";; TXT Records, content in quotes",
    'a TXT "a"',
    'a TXT "a""b"  "\\c"  ; comment',
    'a TXT ( "a"',
    '"b" )',
    "a TXT plain",
    "a A 192.0.2.1",
    ";; other",
    'a TXT "a"',
  ];
  const contents = ['"a"', '"a""b"  "\\c" ', '"a" "b"', "plain", "192.0.2.1", "a"];
  for (const lineBreak of ["\n", "\r\n"]) {
    assert.deepEqual(
      recordsOf(text.join(lineBreak)).map(({ content }) => content),
      contents,
    );
  }
});

const attributes: readonly (readonly [comment: string, expected: object])[] = [
  ["", {}],
  ["; ", {}],
  ["; web server ", { comment: "web server" }],
  [";web; server", { comment: "web; server" }],
  ["; cf_tags=cf-proxied:true", { proxied: true }],
  ["; CF_TAGS=x", { comment: "CF_TAGS=x" }],
  [";cf_tags=CF-Proxied:false", { proxied: false }],
  [";   cf_tags=awesome", { tags: ["awesome"] }],
  ["; the web cf_tags=cf-proxied:true,team:dns", { comment: "the web", proxied: true, tags: ["team:dns"] }],
  ["; cf_tags=test:1,cf-flatten-cname", { tags: ["test:1"], settings: { flatten_cname: true } }],
  ['; cf_tags= a , b: c d ,e:,f:"",g:a:b', { tags: ["a", "b:c d", "e:", "f:", "g:a:b"] }],
  [String.raw`; cf_tags=a:"1,2" ,b:"\"x\"=\\"`, { tags: ["a:1,2", String.raw`b:"x"=` + "\\"] }],
  ["; has cf_tags= as text cf_tags=", { comment: "has cf_tags= as text" }],
  ["; has xcf_tags=a", { comment: "has xcf_tags=a" }],
  ["; cf_tags=cf-other:1,constructor", { tags: ["cf-other:1", "constructor"] }],
];

test("a comment behind a record is read as its comment, tags, proxy state and settings", async (t) => {
  for (const [comment, expected] of attributes)
    await t.test(comment, () => {
      const record = { line: 1, name: "a.example.com", type: "CNAME", content: "b.example.com", ttl: 1 };
      assert.deepEqual(onlyRecord(`a CNAME b ${comment}\n`), { ...record, ...expected }, comment);
    });
});

test("only a comment on the last line of a record belongs to it", () => {
  assert.deepEqual(
    recordsOf("; before\na ( ; inside\n A 192.0.2.1 ) ; behind\n; after\n").map(({ comment }) => comment),
    ["behind"],
  );
});

const ok = "a A 192.0.2.1";
const outside = "The name is outside of the zone example.com.";
const invalidTtl = "The TTL is not a valid time.";
const noClosingQuote = "A quoted text has no closing quote.";
const malformedTags = "The tags after cf_tags= are malformed.";
const otherClass = "The class of a record can only be IN.";
const unknownType = "DNS record type is invalid.";
const noType = "This is no record: it has no type.";
const malformedGenerate = "$GENERATE is malformed.";
const malformedRange = "The range of $GENERATE is malformed.";
const noMailHost = /^Change the content of your MX record to be a hostname/;

const refusals: readonly (readonly [text: string, name: string, code: number, reason: string | RegExp])[] = [
  [
    `${ok}\n A 192.0.2.1\nb A 192.0.2.256\n`,
    "b.example.com",
    9005,
    "Content for A record must be a valid IPv4 address.",
  ],
  ["b AAAA 192.0.2.1\r\n", "b.example.com", 9006, "Content for AAAA record must be a valid IPv6 address."],
  ["b (\n\n A\n x )\n", "b.example.com", 9005, "Content for A record must be a valid IPv4 address."],
  ["a A 192.0.2.1 192.0.2.2\n", "a.example.com", 9005, "Content for A record must be a valid IPv4 address."],
  ["a CNAME\n", "a.example.com", 9011, "Content for CNAME record must not be empty."],
  ["a MX mail\n", "a.example.com", 9102, "priority must be a whole number from 0 to 65535."],
  ["a MX 10 mail 5\n", "a.example.com", 9009, noMailHost],
  ["a SRV 1 2 mail\n", "a.example.com", 9007, "Content for SRV record is invalid."],
  ["@ NS 192.0.2.1.\n", "example.com", 9007, "Content for NS record is invalid."],
  ['a TXT "\\300"\n', "a.example.com", 9007, "Content for TXT record is invalid."],
  [
    `a TXT${' "x"'.repeat(2049)}\n`,
    "a.example.com",
    9015,
    "Record content exceeds the allowed length of 4096 wire format bytes.",
  ],
  ["a..b A 192.0.2.1\n", "a..b.example.com", 9000, "DNS name is invalid."],
  [". A 192.0.2.1\n", ".", 9000, "DNS name is invalid."],
  [String.raw`a\.b A 192.0.2.1`, String.raw`a\.b.example.com`, 9000, "DNS name is invalid."],
  ["0/25 A 192.0.2.1\n", "0/25.example.com", 9000, "DNS name is invalid."],
  ["$ORIGIN 0/25\n1 A 192.0.2.1\n", "1.0/25.example.com", 9000, "DNS name is invalid."],
  ["$ORIGIN a..b\nb A 192.0.2.1\n", "b.a..b.example.com", 9000, "DNS name is invalid."],
  [`${"x".repeat(300)} A 192.0.2.1\n`, "x".repeat(255), 9000, "DNS name is invalid."],
  [`${ok}\n$ORIGIN example.net.\nwww A 192.0.2.1\n`, "www.example.net", 9000, outside],
  [`${ok}\n$ORIGIN ample.com.\nwww A 192.0.2.1\n`, "www.ample.com", 9000, outside],
  [`${ok}\nwww.example.net. A 192.0.2.1\n`, "www.example.net", 9000, outside],
  ["notexample.com. A 192.0.2.1\n", "notexample.com", 9000, outside],
  ["$ORIGIN com.\nwww A 192.0.2.1\n", "www.com", 9000, outside],
  ["example.net. SOA a b 1 2 3 4 5\n", "example.net", 9000, outside],
  ["@ SOA a b 1 2 3 4\n", "example.com", 9350, "The SOA record is malformed."],
  ["@ SOA a b x 2 3 4 5\n", "example.com", 9350, "The SOA record is malformed."],
  ["a 1h2 A 192.0.2.1\n", "a.example.com", 9021, invalidTtl],
  [`a ${"9".repeat(1000)}w A 192.0.2.1\n`, "a.example.com", 9021, invalidTtl],
  ["a CH TXT x\n", "a.example.com", 9350, otherClass],
  ["a CLASS3 TXT x\n", "a.example.com", 9350, otherClass],
  ["a SPF x\n", "a.example.com", 9002, unknownType],
  ["a spf x\n", "a.example.com", 9002, unknownType],
  ["a ALIAS example.net.\n", "a.example.com", 9002, unknownType],
  ["a 60 alias example.net.\n", "a.example.com", 9002, unknownType],
  ["a TYPE65534 \\# 1 00\n", "a.example.com", 9002, unknownType],
  ["a 60 60 A 192.0.2.1\n", "a.example.com", 9002, unknownType],
  ["a IN IN A 192.0.2.1\n", "a.example.com", 9002, unknownType],
  [String.raw`a A \# 5 c0000201`, "a.example.com", 9007, "Content for A record is invalid."],
  [String.raw`a A \# 3 c00002`, "a.example.com", 9007, "Content for A record is invalid."],
  [String.raw`a A \# x c0000201`, "a.example.com", 9007, "Content for A record is invalid."],
  [`${ok}; cf_tags=cf-proxied:maybe\n`, "a.example.com", 9350, malformedTags],
  [`${ok}; cf_tags=cf-flatten-cname:1\n`, "a.example.com", 9350, malformedTags],
  [`${ok}; cf_tags=a,\n`, "a.example.com", 9350, malformedTags],
  [`${ok}; cf_tags=a:"1" 2\n`, "a.example.com", 9350, malformedTags],
  [`${ok}; cf_tags=a:"\\x"\n`, "a.example.com", 9350, malformedTags],
  [`${ok}; cf_tags=a"b\n`, "a.example.com", 9350, malformedTags],
];

test("a record that no zone of the name can have is refused for itself, and those around it are read", async (t) => {
  for (const [text, name, code, reason] of refusals)
    await t.test(JSON.stringify(text.slice(0, 60)), () => {
      const alone = parse(text);
      const { records, refused, totalParsed } = parse(
        `$ORIGIN .\nz.example.com A 192.0.2.9\n$ORIGIN example.com.\n${text}\n$ORIGIN .\ny.example.com A 192.0.2.9\n`,
      );
      const [only] = refused;
      assert.equal(refused.length, 1, text);
      assert.deepEqual([only?.name, only?.reason.code], [name, code]);
      assert.match(only?.reason.message ?? "", typeof reason === "string" ? /./ : reason);
      if (typeof reason === "string") assert.equal(only?.reason.message, reason);
      assert.deepEqual([records.at(0)?.name, records.at(-1)?.name], ["z.example.com", "y.example.com"]);
      assert.equal(totalParsed, alone.totalParsed + 2);
    });
});

const errors: readonly (readonly [text: string, line: number, message: string, code?: number])[] = [
  ["$ORIGIN a b\n", 1, "$ORIGIN takes exactly one argument."],
  ["$ORIGIN\n", 1, "$ORIGIN takes exactly one argument."],
  [`$ORIGIN ${"a.".repeat(600)}\n`, 1, "DNS name is invalid.", 9000],
  ["$TTL x\n", 1, invalidTtl],
  ["$TTL 1y\n", 1, invalidTtl],
  ["$TTL 2147483648\n", 1, invalidTtl],
  [`${ok}\n$INCLUDE other.zone\n`, 2, "$INCLUDE directive not allowed"],
  [`${ok}\n$include other.zone example.net.\n`, 2, "$INCLUDE directive not allowed"],
  ["$constructor x\n", 1, "The directive is unknown."],
  ["$GENERATE\n", 1, malformedGenerate],
  ["$GENERATE 1-2\n", 1, malformedGenerate],
  ["$GENERATE 1-2 a$\n", 1, malformedGenerate],
  ["$GENERATE 1-2 a$ 60 IN A\n", 1, malformedGenerate],
  ["$GENERATE 1-2 a${x} A 192.0.2.$\n", 1, malformedGenerate],
  ["$GENERATE 1-2 a${0,1,q} A 192.0.2.$\n", 1, malformedGenerate],
  ["$GENERATE 1-2 a${0,256} A 192.0.2.$\n", 1, malformedGenerate],
  ["$GENERATE 2-1 a$ A 192.0.2.$\n", 1, malformedRange],
  ["$GENERATE 1 a$ A 192.0.2.$\n", 1, malformedRange],
  ["$GENERATE 1-2/0 a$ A 192.0.2.$\n", 1, malformedRange],
  ["$GENERATE 1-2147483648 a$ A 192.0.2.$\n", 1, malformedRange],
  ["$GENERATE 1-2 a${-2} A 192.0.2.1\n", 1, "$GENERATE makes a number out of range."],
  ["  A 192.0.2.1\n", 1, "The first record has no name."],
  [`${ok}\nb\n`, 2, "The record has no type."],
  ["a 60 IN\n", 1, "The record has no type."],
  [`${ok}\nThis is not a record\n`, 2, noType],
  ["<html>\n<p>\n", 1, "The record has no type."],
  ['{\n  "a": 1\n}\n', 1, "The record has no type."],
  ["# HEADING\n", 1, noType],
  ["Type,Name,Content\n", 1, "The record has no type."],
  [`${ok}\nb TXT "open\n"\n`, 2, noClosingQuote],
  ['a TXT "open', 1, noClosingQuote],
  ["a TXT x\\\n", 1, "An escape has no character after its backslash."],
  ["a TXT x\\", 1, "An escape has no character after its backslash."],
  [`${ok}\nb ( A\n192.0.2.1\n\n`, 2, "An opening parenthesis has no closing one."],
  [`${ok}\nb ( A\n192.0.2.1 ) )\n`, 3, "A closing parenthesis has no opening one."],
  [`${ok}\nb TXT ${"x".repeat(70_000)}\n`, 2, "The record is longer than 65536 characters."],
  [`${ok}\nb TXT x ; ${"x".repeat(70_000)}\n`, 2, "The record is longer than 65536 characters."],
];

test("the first line that is no part of a zone file is named with its reason, and the file is not read", async (t) => {
  for (const [text, line, message, code] of errors)
    await t.test(JSON.stringify(text.slice(0, 60)), () => {
      assert.throws(
        () => parse(text),
        (error) => {
          assert.ok(error instanceof ZoneFileError);
          assert.deepEqual([error.line, error.message, error.code], [line, message, code]);
          return true;
        },
      );
    });
});

const generated: readonly (readonly [what: string, text: string, expected: readonly string[]])[] = [
  ["a range", "$GENERATE 1-3 h$ A 192.0.2.$\n", ["h1 1 A 192.0.2.1", "h2 1 A 192.0.2.2", "h3 1 A 192.0.2.3"]],
  ["a step", "$GENERATE 0-6/3 h$ A 192.0.2.$\n", ["h0 1 A 192.0.2.0", "h3 1 A 192.0.2.3", "h6 1 A 192.0.2.6"]],
  ["TTL and class", "$generate 1-1 h$ 60 IN CNAME x$\n", ["h1 60 CNAME x1.example.com"]],
  ["class and TTL", "$GENERATE 1-1 h$ IN 60 CNAME x$.\n", ["h1 60 CNAME x1"]],
  ["the origin", "$ORIGIN a\n$TTL 60\n$GENERATE 1-1 @ MX $ m$\n", ["a 60 MX m1.a.example.com"]],
  ["offset and width", "$GENERATE 9-10 h${-1,3} A 192.0.2.${+1}\n", ["h008 1 A 192.0.2.10", "h009 1 A 192.0.2.11"]],
  [
    "a radix",
    "$GENERATE 26-26 ${0,1,d}-${0,0,o}-${0,4,x}-${0,1,X} A 192.0.2.$\n",
    ["26-32-001a-1a 1 A 192.0.2.26"],
  ],
  [
    "nibbles",
    "$GENERATE 18-18 ${0,0,n}.${0,1,N}.${0,5,n}.a${0,4,n}z PTR h${0,2,n}.x.\n",
    ["2.1.2.1.2.1.0.a2.1.z 1 PTR h2.1.x"],
  ],
  ["a plain dollar", "$GENERATE 1-1 h$ TXT a$$b\\$c$\n", ["h1 1 TXT a$b$c1"]],
  ["data in one pair of quotes", '$GENERATE 1-2 $ MX "0 m$"\n', ["1 1 MX m1.example.com", "2 1 MX m2.example.com"]],
  ["texts", '$GENERATE 1-1 $ TXT "a $" b\n', ['1 1 TXT "a 1" "b"']],
  ["a comment", "$GENERATE 1-1 h$ A 192.0.2.$ ; made\n", ["h1 1 A 192.0.2.1"]],
  ["the owner before it", "a A 192.0.2.1\n$GENERATE 1-1 h$ A 192.0.2.$\n A 192.0.2.2\n", ["a 1 A 192.0.2.1", "h1 1 A 192.0.2.1", "a 1 A 192.0.2.2"]],
]; // prettier-ignore

test("$GENERATE makes the records that it makes in BIND", async (t) => {
  for (const [what, text, expected] of generated)
    await t.test(what, () => {
      assert.deepEqual(
        summary(text).map((record) => record.replace(".example.com ", " ")),
        expected,
        what,
      );
    });
});

test("$GENERATE makes 65,536 records of a file and no more, however they are spread", () => {
  const half = "$GENERATE 0-32767 h$ A 192.0.2.1\n";
  assert.equal(parse(half + half).totalParsed, 65_536);
  assert.throws(
    () => parse(`${half}${half}$GENERATE 1-1 h$ A 192.0.2.1\n`),
    /^ZoneFileError: \$GENERATE makes more/,
  );
  assert.throws(() => parse("$GENERATE 0-2147483647 h$ A 192.0.2.1\n"), /makes more than 65536 records/);
  const long = `$GENERATE 1-1000 h$ TXT ${"x".repeat(60_000)}\n`;
  assert.throws(() => parse(long), /or 8388608 characters/);
});

test("each record that $GENERATE makes is refused for itself", () => {
  const { records, refused } = parse("$GENERATE 254-257 h$ A 192.0.2.$\n");
  assert.deepEqual(
    [records.length, refused.map(({ name }) => name)],
    [2, ["h256.example.com", "h257.example.com"]],
  );
});

test("the data of a known type may be written as octets", () => {
  assert.deepEqual(
    summary(String.raw`a TYPE1 \# 4 c0000201` + "\n" + String.raw`a CLASS1 MX \# 8 000a 04 6d61696c00`),
    ["a.example.com 1 A 192.0.2.1", "a.example.com 1 MX mail"],
  );
});

test("a signed zone as BIND writes it gives all that is served", () => {
  const signed = [
    "; File written on Thu Jan  1 00:00:00 2026",
    "; dnssec_signzone version 9.20.0",
    "example.com.\t\t3600\tIN SOA\tns1.example.com. hostmaster.example.com. (",
    "\t\t\t\t\t2026010100 ; serial",
    "\t\t\t\t\t10800      ; refresh (3 hours)",
    "\t\t\t\t\t900        ; retry (15 minutes)",
    "\t\t\t\t\t604800     ; expire (1 week)",
    "\t\t\t\t\t3600       ; minimum (1 hour)",
    "\t\t\t\t\t)",
    "\t\t\t3600\tRRSIG\tSOA 13 2 3600 (",
    "\t\t\t\t\t20260131000000 20260101000000 53094 example.com.",
    "\t\t\t\t\tAAAA== )",
    "\t\t\t3600\tNS\tns1.example.com.",
    "\t\t\t3600\tNSEC\twww.example.com. NS SOA RRSIG NSEC DNSKEY TYPE65534",
    "\t\t\t0\tNSEC3PARAM 1 0 0 -",
    "\t\t\t3600\tDNSKEY\t257 3 13 (",
    "\t\t\t\t\tTWFu",
    "\t\t\t\t\t) ; KSK; alg = ECDSAP256SHA256 ; key id = 53094",
    "\t\t\t3600\tCDS\t53094 13 2 (",
    "\t\t\t\t\t00 )",
    "\t\t\t0\tTYPE65534 \\# 5 ( 0DCF660001 )",
    "www.example.com.\t3600\tIN A\t192.0.2.1",
    "\t\t\t3600\tRRSIG\tA 13 3 3600 20260131000000 20260101000000 53094 example.com. AAAA==",
    "\t\t\t3600\tNSEC\texample.com. A RRSIG NSEC",
    "sub.example.com.\t3600\tIN NS\tns1.sub.example.com.",
    "\t\t\t3600\tDS\t1 13 2 " + "00".repeat(32),
  ].join("\n");
  const { records, refused, totalParsed } = parse(signed);
  assert.deepEqual(
    records.map(({ name, type }) => `${name} ${type}`),
    ["example.com DNSKEY", "www.example.com A", "sub.example.com NS", "sub.example.com DS"],
  );
  assert.deepEqual(
    refused.map(({ name, reason }) => `${reason.code} ${name}`),
    [
      ...Array.from({ length: 5 }, () => "9002 example.com"),
      ...Array.from({ length: 2 }, () => "9002 www.example.com"),
    ],
  );
  assert.equal(totalParsed, 13);
});

test("all errors are told in their places, and what follows them is read", () => {
  const text = [
    "$TTL 300",
    "$INCLUDE other",
    "www A nowhere",
    "    A 192.0.2.1",
    'txt TXT "open',
    "ftp A ( 192.0.2.2",
    ") ; the second",
    "far.example.net. A 192.0.2.3",
    ")",
    "last MX 10 mx",
    "open A (",
    "192.0.2.4",
  ].join("\n");
  const read = [...readEachEntry(text, { zoneName: "example.com", ttlDefault: 1 })];
  assert.deepEqual(
    read.flatMap(({ record, refused, error, lastLine }) => {
      const found = record ?? refused ?? error;
      const said = record?.name ?? refused?.reason.message ?? error?.message;
      return found ? [[found.line, lastLine, said]] : [];
    }),
    [
      [2, 2, "$INCLUDE directive not allowed"],
      [3, 3, "Content for A record must be a valid IPv4 address."],
      [4, 4, "www.example.com"],
      [5, 5, "A quoted text has no closing quote."],
      [6, 7, "ftp.example.com"],
      [8, 8, "The name is outside of the zone example.com."],
      [9, 9, "A closing parenthesis has no opening one."],
      [10, 10, "last.example.com"],
      [11, 12, "An opening parenthesis has no closing one."],
    ],
  );
});
