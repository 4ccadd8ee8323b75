import assert from "node:assert/strict";
import { test } from "node:test";

import type { DnsRecord } from "../../../../src/resources/dns-records/schema.ts";
import { bodyOf, draftOf, editOf, emptyDraft, relativeName } from "./record-draft.ts";

const record: DnsRecord = {
  id: "0".repeat(32),
  zone_id: "1".repeat(32),
  zone_name: "example.com",
  name: "www.example.com",
  type: "A",
  content: "192.0.2.1",
  proxiable: true,
  proxied: false,
  ttl: 300,
  settings: {},
  meta: {},
  comment: null,
  tags: [],
  created_on: "2026-01-02T03:04:05Z",
  modified_on: "2026-01-02T03:04:05Z",
};

test("a record is sent with a priority where its type has one, and as proxied where it can be", () => {
  assert.deepEqual(bodyOf({ ...emptyDraft, type: "TXT", name: "@", content: "v=spf1 -all", proxied: true }), {
    type: "TXT",
    name: "@",
    content: "v=spf1 -all",
    ttl: 1,
    proxied: false,
    comment: null,
    tags: [],
  });
  assert.equal(bodyOf({ ...emptyDraft, type: "MX" }).priority, 10);
  assert.equal(
    bodyOf({ ...emptyDraft, ttl: 300, proxied: true }).ttl,
    1,
    "a proxied one has no TTL of its own",
  );
});

test("an edit sends what differs, and nothing for a record that stays", () => {
  assert.deepEqual(editOf(record, draftOf(record)), {});
  assert.deepEqual(editOf(record, { ...draftOf(record), content: "192.0.2.2", comment: " new " }), {
    content: "192.0.2.2",
    comment: "new",
  });
  assert.deepEqual(editOf({ ...record, comment: "old" }, draftOf(record)), { comment: null });
});

test("an edit to another type sends what the API does not keep: content or data, and that nothing is proxied", () => {
  const proxied = { ...record, proxied: true, ttl: 1 };
  assert.equal(editOf(proxied, { ...draftOf(proxied), type: "TXT" }).proxied, false);
  const mx: DnsRecord = {
    ...record,
    type: "MX",
    content: "mail.example.com",
    priority: 20,
    proxiable: false,
  };
  const srv = { priority: 20, weight: 5, port: 5060, target: "mail.example.com" };
  assert.deepEqual(editOf(mx, { ...draftOf(mx), type: "SRV", data: srv }), {
    type: "SRV",
    name: "www",
    data: srv,
    ttl: 300,
    proxied: false,
    comment: null,
    tags: [],
  });
});

test("a name is shown without its zone, unless it would then be the name of another record", () => {
  const shown = (name: string): string => relativeName(name, "example.com");
  assert.equal(shown("example.com"), "@");
  assert.equal(shown("a.b.example.com"), "a.b");
  assert.equal(shown("myexample.com.example.com"), "myexample.com");
  assert.equal(shown("example.com.example.com"), "example.com.example.com");
  assert.equal(shown("www.example.com.example.com"), "www.example.com.example.com");
});
