import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { arbitraryInputs } from "../../../../test/support/arbitraries/record-data.ts";
import { parseRdata, wireIdentity } from "../content/rdata.ts";
import { proxiableRule } from "../content/proxiable.ts";
import { recordTypes, type RdataInput, type RecordType } from "../content/record-types.ts";
import { parseZoneFile, type ZoneFileContent, type ZoneFileRecord } from "./parse.ts";
import { type PrintableRecord, printZoneHead, recordPrinter } from "./print.ts";
import { ZoneFileError } from "./entries.ts";

const zone = {
  name: "example.com",
  nameServers: ["ada.ns.example.net", "bob.ns.example.net"],
  hostmaster: "dns.example.net",
  serial: 1,
  exportedOn: "2026-01-01T00:00:00Z",
};

function print(records: readonly PrintableRecord[]): string {
  return printZoneHead(zone) + records.map(recordPrinter().print).join("");
}

const isProxiable = proxiableRule([]);

function parse(text: string): ZoneFileContent {
  return parseZoneFile(text, { zoneName: zone.name, ttlDefault: 1 });
}

/** Text with what has a meaning in comments and tags. */
const trickyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 9 }),
      fc.constantFrom(" cf_tags=", "cf_tags=", ";", '"', "\\", "  ", ",", "=", ":", "(", "\u00a0"),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join("").slice(0, 90));

const tag = fc
  .tuple(fc.stringMatching(/^[A-Za-z0-9_-]{1,9}$/), fc.option(trickyText))
  .map(([name, value]) => (value === null ? name : `${name}:${value}`));

/** Content in quotes with any spacing and any escapes. */
const quotedText = fc
  .array(
    fc.tuple(
      fc.array(
        fc.oneof(fc.stringMatching(/^[ !#-[\]-~ü\t]$/), fc.constantFrom("\\097", '\\"', "\\x", "\\;")),
        {
          maxLength: 9,
        },
      ),
      fc.constantFrom("", " ", "  ", "\t"),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((strings) => ({ content: strings.map(([parts, blanks]) => `"${parts.join("")}"${blanks}`).join("") }));

const inputs: Readonly<Record<RecordType, fc.Arbitrary<RdataInput>>> = {
  ...arbitraryInputs,
  TXT: fc.oneof(
    arbitraryInputs.TXT,
    quotedText,
    fc.string({ minLength: 256, maxLength: 600 }).map(toContent),
  ),
};

function toContent(text: string): RdataInput {
  return { content: `.${text}` };
}

const arbitraryRecord: fc.Arbitrary<PrintableRecord> = fc
  .constantFrom(...recordTypes)
  .chain((type) => fc.tuple(fc.constant(type), inputs[type]))
  .chain(([type, input]) => {
    const rdata = parseRdata(type, input, zone.name);
    const names = ["*", "_a._b", "www", "x.y"].map((name) => `${name}.${zone.name}`);
    const attributes = fc.record({
      name: fc.constantFrom(...names, zone.name),
      zone_name: fc.constant(zone.name),
      ttl: fc.constantFrom(1, 60, 86_400),
      proxied: isProxiable(type, rdata.content) ? fc.boolean() : fc.constant(false),
      comment: fc.option(trickyText.filter((text) => text.trim() !== "")),
      tags: fc.array(tag, { maxLength: 3 }),
      flatten_cname: fc.boolean(),
      others: fc.subarray(["ipv4_only", "ipv6_only"]),
    });
    return attributes.map(({ flatten_cname, others, ...fields }) => {
      const set = ["A", "AAAA", "CNAME"].includes(type) ? others.map((name) => [name, true]) : [];
      const settings = { ...(type === "CNAME" && { flatten_cname }), ...Object.fromEntries(set) };
      return Object.assign(fields, { type, ...rdata, settings });
    });
  });

test("what was printed is read back as equal records, in all their fields", () => {
  fc.assert(
    fc.property(fc.array(arbitraryRecord, { maxLength: 9 }), (records) => {
      const result = parse(print(records));
      assert.deepEqual(result.refused, []);
      assert.equal(result.totalParsed, records.length + 1 + zone.nameServers.length);
      assert.deepEqual(result.records.map(asAnswered), records);
    }),
    { numRuns: 2000 },
  );
});

test("without its comment lines a file has the same DNS records", () => {
  fc.assert(
    fc.property(fc.array(arbitraryRecord, { maxLength: 9 }), (records) => {
      const result = parse(print(records).replaceAll(/^;.*\n/gm, ""));
      assert.deepEqual(result.refused, []);
      assert.deepEqual(result.records.map(identity), records.map(identity));
    }),
  );
});

function identity(record: PrintableRecord | ZoneFileRecord): string {
  return wireIdentity(record.type, record.name, record);
}

/** The API's answer for a record that was read from a file. */
function asAnswered({ line, ...record }: ZoneFileRecord): object {
  assert.ok(line > 0);
  const settings = { ...(record.type === "CNAME" && { flatten_cname: false }), ...record.settings };
  return { proxied: false, comment: null, tags: [], zone_name: zone.name, ...record, settings };
}

const snippets = [
  "\n", "\r", "\t", " ", '"', ";", "(", ")", "\\", "@", ".", "$", "*", "\u0000", "ü", "\ud800", "\ufeff",
  "\n\n", "\r\n", "\\\n", '"\n', "\\300", "\\046", " IN", " CH", " A", " TXT", " SOA", " TYPE1 \\# 0", " RRSIG x", "\n$GENERATE 1-3 a$ A 192.0.2.$\n", "${0,2,n}", " 1h", " 1.1.1.1",
  "\n$ORIGIN a\n", "\n$ORIGIN .\n", "\n$TTL 1w\n", "\n$INCLUDE x\n", " ; cf_tags=", ':"', ",", "cf-proxied:x",
  "\n;; TXT Records, content in quotes\n",
]; // prettier-ignore

interface Mutation {
  readonly at: number;
  readonly deleted: number;
  readonly inserted: string;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(),
  deleted: fc.constantFrom(0, 0, 1, 2, 9, 80),
  inserted: fc.oneof(fc.constantFrom(...snippets), fc.constant("")),
});

function mutate(text: string, { at, deleted, inserted }: Mutation): string {
  const start = at % (text.length + 1);
  return text.slice(0, start) + inserted + text.slice(start + deleted);
}

test("10,000 valid and broken files give records and refusals, or the number of a line, and nothing else is thrown", () => {
  const valid = fc.sample(fc.array(arbitraryRecord, { maxLength: 6 }), 500).map(print);
  const soup = fc
    .array(fc.constantFrom(...snippets, "a", "www"), { maxLength: 40 })
    .map((parts) => parts.join(""));
  const file = fc.oneof(
    { weight: 9, arbitrary: fc.tuple(fc.constantFrom(...valid), fc.array(mutation, { maxLength: 3 })) },
    { weight: 1, arbitrary: fc.tuple(soup, fc.constant([])) },
  );
  const counts = { read: 0, refused: 0 };
  fc.assert(
    fc.property(file, ([base, mutations]) => {
      const text = mutations.reduce(mutate, base);
      try {
        const { records, refused, totalParsed } = parse(text);
        counts.read += 1;
        assert.ok(records.length + refused.length <= totalParsed);
        for (const { line, name, reason } of refused) {
          assert.ok(line >= 1 && name.length <= 255 && reason.message !== "");
        }
      } catch (error) {
        if (!(error instanceof ZoneFileError)) throw error;
        counts.refused += 1;
        assert.ok(error.line >= 1 && error.line <= text.split("\n").length, String(error.line));
        assert.notEqual(error.message, "");
      }
    }),
    { numRuns: 10_000 },
  );
  assert.ok(counts.read > 1000 && counts.refused > 1000, JSON.stringify(counts));
});

const sizeMax = 8 * 1024 * 1024;

function filled(part: string, { start = "", end = "" } = {}): string {
  return start + part.repeat(Math.floor((sizeMax - start.length - end.length) / part.length)) + end;
}

const hostileFiles: Readonly<Record<string, string>> = {
  "one endless word": filled("a"),
  "one endless quoted text": filled("a", { start: '"' }),
  "nothing but quotes": filled('"'),
  "nothing but escapes": filled("\\("),
  "nothing but white space": filled(" "),
  "nothing but line breaks": filled("\n"),
  "parentheses inside each other": filled("("),
  "an endless record": filled("\n", { start: "a (", end: ")" }),
  "words without end": filled("a "),
  "one endless comment": filled("a", { start: ";" }),
  "1,000,000 directives": "$TTL 1m\n".repeat(1_000_000),
  "100,000 records": "a A 1.1.1.1\n".repeat(100_000),
  "long times": `a ${"1h".repeat(30_000)} A 1.1.1.1\n`.repeat(40),
  "long lists of tags": `a A 1.1.1.1;cf_tags=${"a,".repeat(32_000)}a\n`.repeat(40),
  "long names": `${"a.".repeat(32_000)} A 1.1.1.1\n`.repeat(40),
  "white space in a tag": `a A 1.1.1.1;cf_tags=a${" ".repeat(65_000)}"\n`,
  "a tag in open quotes": `a A 1.1.1.1;cf_tags=a:"${"\\a".repeat(32_000)}\n`,
};

test("a file of up to 8 MiB is read or refused within seconds, whatever it holds", () => {
  for (const [what, text] of Object.entries(hostileFiles)) {
    const start = performance.now();
    try {
      parse(text);
    } catch (error) {
      if (!(error instanceof ZoneFileError)) throw error;
    }
    const seconds = (performance.now() - start) / 1000;
    // Far above what linear time needs on a busy machine, far below what quadratic time would take.
    assert.ok(seconds < 120, `${what}: ${seconds.toFixed(1)} s`);
  }
});
