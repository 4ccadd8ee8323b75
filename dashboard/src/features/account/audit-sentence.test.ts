import assert from "node:assert/strict";
import { test } from "node:test";

import { auditActions } from "../../../../src/operation/audit-actions.ts";
import { auditSentence, changedFields } from "./audit-sentence.ts";

const entry = (type: string, more: object = {}) => ({
  action: { result: true as const, type },
  resource: { id: "1".repeat(32), type: "zone" },
  metadata: {},
  oldValueJson: null,
  newValueJson: null,
  ...more,
});

test("a change of the audit log is told as a sentence with its name", () => {
  const record = { type: "A", name: "www.example.com", content: "192.0.2.1" };
  for (const [told, one] of [
    [
      "Added the A record www.example.com, 192.0.2.1",
      entry("rec_add", { resource: { id: "1", type: "dns_record" }, newValueJson: record }),
    ],
    [
      "Deleted the A record www.example.com, 192.0.2.1",
      entry("rec_del", { resource: { id: "1", type: "dns_record" }, oldValueJson: record }),
    ],
    ["Created the zone", entry("zone_create")],
    ["Added the zone example.com", entry("zone_add", { newValueJson: { name: "example.com" } })],
    [
      "Rolled the secret of the api token ci",
      entry("token_roll", { resource: { id: "1", type: "api_token" }, newValueJson: { name: "ci" } }),
    ],
    [
      "Set always use https to on",
      entry("change_setting", { newValueJson: { id: "always_use_https", value: "on" } }),
    ],
    ["Imported a zone file: 1 record added", entry("rec_import", { metadata: { recs_added: 1 } })],
    [
      "Made a link for the invite of dora@example.com",
      entry("invite_link_create", { newValueJson: { email: "dora@example.com" } }),
    ],
    ["Something new", entry("something_new")],
  ] as const)
    assert.equal(auditSentence(one), told);
});

test("every action of the audit log has a sentence, not its code", () => {
  for (const action of Object.keys(auditActions)) {
    const sentence = auditSentence(entry(action));
    assert.match(sentence, /^[A-Z][a-z]+ /, action);
    assert.doesNotMatch(sentence, /_|undefined/, action);
  }
});

test("of two values only the fields that differ are listed, without those that every change moves", () => {
  assert.deepEqual(
    changedFields(
      { name: "a", ttl: 1, tags: ["x:1"], modified_on: "2026-01-01T00:00:00Z", gone: true },
      { name: "a", ttl: 300, tags: ["x:1", "y:2"], modified_on: "2026-01-02T00:00:00Z" },
    ),
    [
      { field: "ttl", before: "1", after: "300" },
      { field: "tags", before: "x:1", after: "x:1, y:2" },
      { field: "gone", before: "true", after: undefined },
    ],
  );
  assert.deepEqual(changedFields(null, { name: "a" }), [{ field: "name", before: undefined, after: "a" }]);
});
