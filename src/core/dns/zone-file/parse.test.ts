import assert from "node:assert/strict";
import { test } from "node:test";

import { parseZoneFile, readEachEntry, type ZoneFileRecord, type ZoneFileResult } from "./parse.ts";

const zoneName = "example.com";

function parse(text: string): ZoneFileResult {
  return parseZoneFile(text, { zoneName, ttlDefault: 1 });
}

function recordsOf(text: string): readonly ZoneFileRecord[] {
  const result = parse(text);
  assert.ok("records" in result, `${JSON.stringify(text)}: ${JSON.stringify(result)}`);
  return result.records;
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
  assert.ok("records" in result);
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
const unknownType = "The record type is unknown or not supported.";

const errors: readonly (readonly [text: string, line: number, message: string, code?: number])[] = [
  [
    `${ok}\n A 192.0.2.1\nb A 192.0.2.256\nc A x\n`,
    3,
    "Content for A record must be a valid IPv4 address.",
    9005,
  ],
  [`${ok}\r\n\r\nb AAAA 192.0.2.1\r\n`, 3, "Content for AAAA record must be a valid IPv6 address.", 9006],
  [`${ok}\nb (\n\n A\n x )\n`, 2, "Content for A record must be a valid IPv4 address.", 9005],
  ["a A 192.0.2.1 192.0.2.2\n", 1, "Content for A record must be a valid IPv4 address.", 9005],
  ["a CNAME\n", 1, "Content for CNAME record must not be empty.", 9011],
  ["a MX mail\n", 1, "Content for MX record must not be empty.", 9011],
  ["a MX x mail\n", 1, "priority must be a whole number from 0 to 65535.", 9102],
  ["a MX 10 mail 5\n", 1, "Content for MX record must be a hostname.", 9009],
  ["a SRV 1 2 mail\n", 1, "Content for SRV record is invalid.", 9007],
  ["@ NS 192.0.2.1.\n", 1, "Content for NS record is invalid.", 9007],
  ['a TXT "\\300"\n', 1, "Content for TXT record is invalid.", 9007],
  [`a TXT "${"x".repeat(256)}"\n`, 1, "Content for TXT record is invalid.", 9007],
  [
    `a TXT${' "x"'.repeat(2049)}\n`,
    1,
    "Record content exceeds the allowed length of 4096 wire format bytes.",
    9015,
  ],
  ["a..b A 192.0.2.1\n", 1, "DNS name is invalid.", 9000],
  [String.raw`a\.b A 192.0.2.1`, 1, "DNS name is invalid.", 9000],
  [`${"x".repeat(64)} A 192.0.2.1\n`, 1, "DNS name is invalid.", 9000],
  ["$ORIGIN a b\n", 1, "$ORIGIN takes exactly one argument."],
  ["$ORIGIN\n", 1, "$ORIGIN takes exactly one argument."],
  ["$ORIGIN -..\n", 1, "DNS name is invalid.", 9000],
  [`${ok}\n$ORIGIN example.net.\n`, 2, outside],
  [`${ok}\n$ORIGIN ample.com.\n`, 2, outside],
  [`${ok}\nwww.example.net. A 192.0.2.1\n`, 2, outside],
  ["notexample.com. A 192.0.2.1\n", 1, outside],
  ["$ORIGIN com.\nwww A 192.0.2.1\n", 2, outside],
  ["example.net. SOA a b 1 2 3 4 5\n", 1, outside],
  ["@ SOA a b 1 2 3 4\n", 1, "The SOA record is malformed."],
  ["@ SOA a b x 2 3 4 5\n", 1, "The SOA record is malformed."],
  ["$TTL x\n", 1, invalidTtl],
  ["$TTL 1y\n", 1, invalidTtl],
  ["$TTL 2147483648\n", 1, invalidTtl],
  ["a 1h2 A 192.0.2.1\n", 1, invalidTtl],
  [`a ${"9".repeat(1000)}w A 192.0.2.1\n`, 1, invalidTtl],
  [`${ok}\n$INCLUDE other.zone\n`, 2, "$INCLUDE directive not allowed"],
  ["$generate 1-9 a$ A 192.0.2.$\n", 1, "$GENERATE directive not allowed"],
  ["$constructor x\n", 1, "The directive is unknown."],
  ["  A 192.0.2.1\n", 1, "The first record has no name."],
  [`${ok}\nb\n`, 2, "The record has no type."],
  ["a 60 IN\n", 1, "The record has no type."],
  ["a CH TXT x\n", 1, otherClass],
  ["a CLASS1 A 192.0.2.1\n", 1, otherClass],
  ["a SPF x\n", 1, unknownType],
  ["a 60 60 A 192.0.2.1\n", 1, unknownType],
  ["a IN IN A 192.0.2.1\n", 1, unknownType],
  [String.raw`a TYPE1 \# 4 c0000201`, 1, unknownType],
  [String.raw`a A \# 4 c0000201`, 1, "Generic data (RFC 3597) is not supported."],
  [`${ok}\nb TXT "open\n"\n`, 2, noClosingQuote],
  ['a TXT "open', 1, noClosingQuote],
  ["a TXT x\\\n", 1, "An escape has no character after its backslash."],
  ["a TXT x\\", 1, "An escape has no character after its backslash."],
  [`${ok}\nb ( A\n192.0.2.1\n\n`, 2, "An opening parenthesis has no closing one."],
  [`${ok}\nb ( A\n192.0.2.1 ) )\n`, 3, "A closing parenthesis has no opening one."],
  [`${ok}\nb TXT ${"x".repeat(70_000)}\n`, 2, "The record is longer than 65536 characters."],
  [`${ok}\nb TXT x ; ${"x".repeat(70_000)}\n`, 2, "The record is longer than 65536 characters."],
  [`${ok}; cf_tags=cf-proxied:maybe\n`, 1, malformedTags],
  [`${ok}; cf_tags=cf-flatten-cname:1\n`, 1, malformedTags],
  [`${ok}; cf_tags=a,\n`, 1, malformedTags],
  [`${ok}; cf_tags=a:"1" 2\n`, 1, malformedTags],
  [`${ok}; cf_tags=a:"\\x"\n`, 1, malformedTags],
  [`${ok}; cf_tags=a"b\n`, 1, malformedTags],
];

test("the first line that is wrong is named with its reason, and no record is returned", async (t) => {
  for (const [text, line, message, code] of errors)
    await t.test(JSON.stringify(text.slice(0, 60)), () => {
      const result = parse(text);
      assert.deepEqual(Object.keys(result), ["error"], text.slice(0, 60));
      assert.ok("error" in result);
      const { error } = result;
      assert.deepEqual(
        { line: error.line, message: error.message, code: error.code },
        { line, message, code },
      );
    });
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
    read.flatMap(({ record, error, lastLine }) =>
      record || error ? [[(record ?? error)?.line, lastLine, record?.name ?? error?.message]] : [],
    ),
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
