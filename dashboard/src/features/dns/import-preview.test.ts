import assert from "node:assert/strict";
import { test } from "node:test";

import { proxiableRule } from "../../../../src/core/dns/content/proxiable.ts";
import type { DnsRecord } from "../../../../src/resources/dns-records/schema.ts";
import { keyOfBadLine, keyOfConflict, leftOutOf, noChoices, planImport } from "./import-plan.ts";
import { ImportReader, type ImportPreview } from "./import-preview.ts";

const record = (type: DnsRecord["type"], name: string, rest: Partial<DnsRecord>): DnsRecord => ({
  id: "0".repeat(32),
  zone_id: "1".repeat(32),
  zone_name: "example.com",
  name,
  type,
  content: "",
  proxiable: false,
  proxied: false,
  ttl: 1,
  settings: {},
  meta: {},
  comment: null,
  tags: [],
  created_on: "2026-01-02T03:04:05Z",
  modified_on: "2026-01-02T03:04:05Z",
  ...rest,
});

function previewImport(text: string, zoneName: string, records: readonly DnsRecord[]): ImportPreview {
  const reading = new ImportReader(zoneName, records).read(text);
  let step = reading.next();
  while (!step.done) step = reading.next();
  return step.value;
}

test("the preview of an import tells what is new from what the zone has already", () => {
  const known = [
    record("A", "www.example.com", { content: "192.0.2.1" }),
    record("SRV", "_sip._udp.example.com", {
      content: "5 5060 sip.example.com",
      priority: 10,
      data: { priority: 10, weight: 5, port: 5060, target: "sip.example.com" },
    }),
  ];
  const file = [
    "$ORIGIN example.com.",
    "@ 3600 IN SOA ns.example. host.example. 1 2 3 4 5",
    "www 300 IN A 192.0.2.1",
    "www 300 IN A 192.0.2.2",
    "www 300 IN A 192.0.2.2",
    "_SIP._udp 300 IN SRV 10 5 5060 sip.example.com.",
  ].join("\n");
  const preview = previewImport(file, "example.com", known);
  assert.deepEqual(
    preview.added.map(({ line, content }) => [line, content]),
    [[4, "192.0.2.2"]],
  );
  assert.deepEqual(
    preview.kept.map(({ record: { line }, reason }) => [line, reason]),
    [
      [3, "www.example.com: An identical record already exists."],
      [5, "www.example.com: An identical record already exists."],
      [6, "_sip._udp.example.com: An identical record already exists."],
    ],
  );
});

const mixed = [
  "$ORIGIN example.com.",
  "@ 3600 IN SOA ns.example. host.example. 1 2 3 4 5",
  "www 300 IN CNAME example.net.",
  "ftp 300 IN A 192.0.2.999",
  "    300 IN A 192.0.2.2 ; kept",
  "ftp 300 IN CNAME example.net.",
  "txt 300 IN TXT ( a",
].join("\n");
const zoneFile = { name: "zone.txt", text: mixed };
const moreDetails =
  "For more details, refer to <https://developers.cloudflare.com/dns/manage-dns-records/troubleshooting/records-with-same-name/>.";

test("the preview names all bad lines, and the records that others stand in the way of", () => {
  const www = record("A", "www.example.com", { content: "192.0.2.1" });
  const { added, bad, conflicts, ownCount } = previewImport(mixed, "example.com", [www]);
  assert.deepEqual(
    added.map(({ line, name }) => [line, name]),
    [[5, "ftp.example.com"]],
  );
  assert.deepEqual(bad, [
    {
      line: 4,
      text: "ftp 300 IN A 192.0.2.999",
      reason: "ftp.example.com: Content for A record must be a valid IPv4 address.",
      stops: false,
    },
    {
      line: 6,
      text: "ftp 300 IN CNAME example.net.",
      reason: `ftp.example.com: An A, AAAA, or CNAME record with that host already exists. ${moreDetails}`,
      stops: false,
    },
    {
      line: 7,
      text: "txt 300 IN TXT ( a",
      reason: "An opening parenthesis has no closing one.",
      stops: true,
    },
  ]);
  assert.deepEqual(
    conflicts.map((conflict) => [conflict.record.line, conflict.with]),
    [[3, [www]]],
  );
  assert.equal(ownCount, 1);
});

test("what is skipped is not sent, and a record without a name of its own keeps the one before it", () => {
  const preview = previewImport(mixed, "example.com", [
    record("A", "www.example.com", { content: "192.0.2.1" }),
  ]);
  assert.deepEqual(
    planImport("1", zoneFile, preview, noChoices).undecided.map(({ line }) => line),
    [7],
  );
  const skipped = new Set(preview.bad.map(keyOfBadLine));
  const plan = planImport("1", zoneFile, preview, { ...noChoices, skipped });
  assert.deepEqual(plan.undecided, []);
  assert.equal(
    plan.call().upload?.file.text.trim(),
    ";; A Records\nftp.example.com.\t300\tIN\tA\t192.0.2.2 ; kept",
  );
  assert.deepEqual(
    leftOutOf(preview, noChoices).map(({ line }) => line),
    [3, 4, 6, 7],
  );
});

test("an import is told by the messages of the server, those of the preview once", () => {
  const text =
    "www A 192.0.2.999\nwww A 192.0.2.1\nwww A 192.0.2.1\nlan A 10.0.0.1 ; cf_tags=cf-proxied:true\n";
  const preview = previewImport(text, "example.com", []);
  const plan = planImport("1", { name: "z", text }, preview, noChoices);
  assert.deepEqual([plan.undecided, plan.call().upload?.file.text], [[], text]);
  const messages = [
    "www.example.com: Content for A record must be a valid IPv4 address.",
    "www.example.com: An identical record already exists.",
    "lan.example.com: Target 10.0.0.1 is not allowed for a proxied record.",
  ];
  assert.deepEqual(
    leftOutOf(preview, noChoices, messages).map(({ line, reason }) => [line, reason]),
    [
      [1, messages[0]],
      [3, messages[1]],
      [undefined, messages[2]],
    ],
  );
});

test("what the records of a name may hold together is known before the import", () => {
  const known = [record("TXT", "t.example.com", { content: "x".repeat(4_000) })];
  const text = ["y", "z"].map((letter) => `t TXT ${`"${letter.repeat(250)}" `.repeat(9)}`).join("\n");
  const { added, bad } = previewImport(text, "example.com", known);
  assert.equal(added.length, 1);
  assert.deepEqual(
    bad.map(({ line, reason }) => [line, reason]),
    [
      [
        2,
        "t.example.com: Combined content length of records with this name and type must not exceed 8192 characters.",
      ],
    ],
  );
});

test("what is replaced goes in the same request in which the others come", () => {
  const preview = previewImport(mixed, "example.com", [
    record("A", "www.example.com", { content: "192.0.2.1" }),
  ]);
  const replaced = new Set(preview.conflicts.map(keyOfConflict));
  const { call } = planImport("1", zoneFile, preview, { ...noChoices, replaced, isProxied: true });
  const { deletes, posts } = call().body as { deletes: unknown; posts: Record<string, unknown>[] };
  assert.deepEqual(deletes, [{ id: "0".repeat(32) }]);
  assert.deepEqual(
    posts.map(({ name, content, ttl, proxied }) => [name, content, ttl, proxied]),
    [
      ["ftp.example.com", "192.0.2.2", 1, true],
      ["www.example.com", "example.net", 1, true],
    ],
  );
});

test("which addresses are proxied, the server says of a file, and its networks of origins in a batch", () => {
  const text = "www 300 IN A 192.0.2.1\nown 300 IN A 10.0.0.1\nother 300 IN A 10.1.0.1\nbad 300 IN A x\n";
  const preview = previewImport(text, "example.com", [
    record("CNAME", "www.example.com", { content: "example.net" }),
  ]);
  const choices = { ...noChoices, isProxied: true };
  const isProxiable = proxiableRule(["10.0.0.0/24"]);
  const file = planImport("1", { name: "z", text }, preview, choices, isProxiable).call().upload;
  assert.equal(file?.fields["proxied"], "true");
  assert.doesNotMatch(file.file.text, /cf-proxied/);
  const replaced = new Set(preview.conflicts.map(keyOfConflict));
  const { call } = planImport("1", { name: "z", text }, preview, { ...choices, replaced }, isProxiable);
  const { posts } = call().body as { posts: Record<string, unknown>[] };
  assert.deepEqual(
    posts.map(({ name, proxied }) => [name, proxied]),
    [
      ["own.example.com", true],
      ["other.example.com", false],
      ["www.example.com", true],
    ],
  );
});

test("a file without anything to leave out is sent as it is", () => {
  const text = "www 300 IN A 192.0.2.1 ; as written\n";
  const plan = planImport("1", { name: "z", text }, previewImport(text, "example.com", []), noChoices);
  assert.equal(plan.call().upload?.file.text, text);
});

test("a file is read for a zone with a name in Unicode", () => {
  const preview = previewImport("www 300 IN A 192.0.2.1\n", "münchen.example", []);
  assert.deepEqual(
    preview.added.map(({ name }) => name),
    ["www.xn--mnchen-3ya.example"],
  );
});

test("a reading pauses at each line of the file and each record of the zone", () => {
  const known = Array.from({ length: 100 }, (_, n) =>
    record("A", `known-${n}.example.com`, { content: "192.0.2.1" }),
  );
  const file = Array.from({ length: 200 }, (_, n) =>
    n % 2 === 0 ? `host-${n} 300 IN A 192.0.2.1` : `bad-${n} 300 IN A nowhere`,
  ).join("\n");
  const pauses = [...new ImportReader("example.com", known).read(file)];
  assert.ok(pauses.length >= known.length + 200, `${pauses.length} pauses`);
});
