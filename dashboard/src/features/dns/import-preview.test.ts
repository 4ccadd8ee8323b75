import assert from "node:assert/strict";
import { test } from "node:test";

import type { DnsRecord } from "../../api/dns-records.ts";
import { previewImport } from "./import-preview.ts";

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
  assert.ok("added" in preview);
  assert.deepEqual(
    preview.added.map(({ line, content }) => [line, content]),
    [[4, "192.0.2.2"]],
  );
  assert.deepEqual(
    preview.kept.map(({ line }) => line),
    [3, 5, 6],
  );
});

test("the preview of an import names the first line that is wrong", () => {
  const preview = previewImport("www 300 IN A 192.0.2.1\nwww 300 IN A 192.0.2.999\n", "example.com", []);
  assert.ok("issue" in preview);
  assert.equal(preview.issue.line, 2);
});

test("a file is read for a zone with a name in Unicode", () => {
  const preview = previewImport("www 300 IN A 192.0.2.1\n", "münchen.example", []);
  assert.ok("added" in preview);
  assert.deepEqual(
    preview.added.map(({ name }) => name),
    ["www.xn--mnchen-3ya.example"],
  );
});
