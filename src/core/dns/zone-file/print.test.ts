import assert from "node:assert/strict";
import { test } from "node:test";

import { parseZoneFile } from "./parse.ts";
import { type PrintableRecord, printZoneHead, recordPrinter } from "./print.ts";

const zone = {
  name: "example.com",
  nameServers: ["ada.ns.example.net", "bob.ns.example.net"],
  hostmaster: "dns.example.net",
  serial: 2_050_000_001,
  exportedOn: "2026-05-08T11:49:04.123456Z",
};

function record(fields: Partial<PrintableRecord>): PrintableRecord {
  return {
    name: "a.example.com",
    type: "TXT",
    content: "x",
    ttl: 1,
    proxied: false,
    comment: null,
    tags: [],
    settings: {},
    ...fields,
  };
}

test("a file has the zone's SOA and NS records, then the records under a line for each type", () => {
  const records = [
    record({ type: "A", name: "example.com", content: "192.0.2.1", proxied: true }),
    record({ type: "A", content: "192.0.2.2", ttl: 300, comment: "old", tags: ["team:dns", "x"] }),
    record({ type: "CNAME", content: "b.example.com", settings: { flatten_cname: true } }),
    record({ content: "v=spf1 -all" }),
    record({ content: '"quoted"' }),
  ];
  assert.equal(
    printZoneHead(zone) + records.map(recordPrinter().print).join(""),
    `;;
;; Domain:     example.com.
;; Exported:   2026-05-08 11:49:04
;;
;; A TTL of 1 is automatic. The address of a proxied record is that of its origin.
;;
;; SOA Record
example.com.	3600	IN	SOA	ada.ns.example.net. dns.example.net. 2050000001 10000 2400 604800 3600

;; NS Records
example.com.	86400	IN	NS	ada.ns.example.net.
example.com.	86400	IN	NS	bob.ns.example.net.

;; A Records
example.com.	1	IN	A	192.0.2.1 ; cf_tags=cf-proxied:true
a.example.com.	300	IN	A	192.0.2.2 ; old cf_tags=team:dns,x,cf-proxied:false

;; CNAME Records
a.example.com.	1	IN	CNAME	b.example.com. ; cf_tags=cf-flatten-cname,cf-proxied:false

;; TXT Records
a.example.com.	1	IN	TXT	"v=spf1 -all"

;; TXT Records, content in quotes
a.example.com.	1	IN	TXT	"quoted"
`,
  );
});

test("a file without records is one of the zone's own records", () => {
  const result = parseZoneFile(printZoneHead(zone), { zoneName: "example.com", ttlDefault: 1 });
  assert.deepEqual(result, { records: [], refused: [], totalParsed: 3 });
});

/** A record's line without name, TTL and class. */
function lineOf(fields: Partial<PrintableRecord>): string {
  const [, line = ""] = recordPrinter().print(record(fields)).trim().split("\n");
  return line.split("\t").slice(3).join(" ");
}

const lines: readonly (readonly [fields: Partial<PrintableRecord>, line: string])[] = [
  [{ type: "AAAA", content: "2001:db8::1" }, "AAAA 2001:db8::1 ; cf_tags=cf-proxied:false"],
  [{ type: "CAA", content: '0 issue "ca.example; a=b"' }, 'CAA 0 issue "ca.example; a=b"'],
  [{ type: "CERT", content: "9 1 8 TWFu" }, "CERT 9 1 8 TWFu"],
  [{ type: "DNSKEY", content: "257 3 13 TWE=" }, "DNSKEY 257 3 13 TWE="],
  [{ type: "DS", content: "1 13 99 00" }, "DS 1 13 99 00"],
  [{ type: "HTTPS", content: '1 . alpn="h2,h3"', priority: 1 }, 'HTTPS 1 . alpn="h2,h3"'],
  [
    { type: "LOC", content: "1 2 3.000 N 4 5 6.000 E 0.00 1.00 10.00 10.00" },
    "LOC 1 2 3.000 N 4 5 6.000 E 0.00 1.00 10.00 10.00",
  ],
  [{ type: "MX", content: "mx.example.net", priority: 10 }, "MX 10 mx.example.net."],
  [{ type: "MX", content: ".", priority: 0 }, "MX 0 ."],
  [{ type: "NAPTR", content: '1 2 "S" "a b" "" x.example.com' }, 'NAPTR 1 2 "S" "a b" "" x.example.com.'],
  [{ type: "NS", content: "ns.example.net" }, "NS ns.example.net."],
  [{ type: "OPENPGPKEY", content: "TWFu" }, "OPENPGPKEY TWFu"],
  [{ type: "PTR", content: "www.example.com" }, "PTR www.example.com."],
  [{ type: "SMIMEA", content: "3 0 0 30" }, "SMIMEA 3 0 0 30"],
  [{ type: "SRV", content: "5 8806 example.com", priority: 10 }, "SRV 10 5 8806 example.com."],
  [{ type: "SSHFP", content: "4 3 30" }, "SSHFP 4 3 30"],
  [{ type: "SVCB", content: "0 svc.example.com", priority: 0 }, "SVCB 0 svc.example.com."],
  [{ type: "TLSA", content: "3 1 0 30" }, "TLSA 3 1 0 30"],
  [{ type: "URI", content: '1 "https://example.com/"', priority: 10 }, 'URI 10 1 "https://example.com/"'],
  [{ content: 'a"b\\c; ü\t' }, String.raw`TXT "a\"b\\c; \195\188\009"`],
  [{ content: "a".repeat(256) }, `TXT "${"a".repeat(255)}" "a"`],
  [{ content: '"ü""\\097"  "b" ' }, 'TXT "ü""\\097"  "b"'],
  [{ comment: "it's" }, `TXT "x" ; it's`],
  [{ comment: "has cf_tags= in it" }, 'TXT "x" ; has cf_tags= in it cf_tags='],
  [{ comment: " indented" }, 'TXT "x" ;  indented cf_tags='],
  [{ comment: "two\r\nlines" }, 'TXT "x" ; two lines'],
  [{ tags: ["a", "b:", "c:1 2", "d:1,2", 'e:"'] }, String.raw`TXT "x" ; cf_tags=a,b:,c:1 2,d:"1,2",e:"\""`],
  [{ tags: ["a:x cf_tags=y"] }, String.raw`TXT "x" ; cf_tags=a:"x cf_tags\u003dy"`],
  [{ tags: ["CF-Proxied:true", "cf-flatten-cname", "cf-other"] }, 'TXT "x" ; cf_tags=cf-other'],
];

test("every type is written in master file syntax, with names absolute and texts quoted", () => {
  for (const [fields, line] of lines) assert.equal(lineOf(fields), line);
});
