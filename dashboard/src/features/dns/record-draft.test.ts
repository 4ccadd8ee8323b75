import assert from "node:assert/strict";
import { test } from "node:test";

import type { DnsRecord } from "../../api/dns-records.ts";
import { bodyOf, draftOf, editOf, emptyDraft } from "./record-draft.ts";

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

test("a record is sent with the fields that its type has", () => {
  assert.deepEqual(bodyOf({ ...emptyDraft, type: "TXT", name: "@", content: "v=spf1 -all", proxied: true }), {
    type: "TXT",
    name: "@",
    content: "v=spf1 -all",
    ttl: 1,
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
