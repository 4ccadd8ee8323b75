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
    ["Added the zone example.com", entry("zone_add", { newValueJson: { name: "example.com" } })],
    ["Deleted the zone example.com", entry("zone_delete", { oldValueJson: { name: "example.com" } })],
    ["Rolled the secret of the API token ci", entry("token_roll", { newValueJson: { name: "ci" } })],
    [
      "Added the TSIG key xfr.example.com.",
      entry("tsig_add", { newValueJson: { name: "xfr.example.com." } }),
    ],
    ["Invited dora@example.com", entry("invite_send", { newValueJson: { email: "dora@example.com" } })],
    [
      "Added the IP access rule 192.0.2.0/24",
      entry("access_rule_add", { newValueJson: { configuration: { value: "192.0.2.0/24" } } }),
    ],
    [
      "Changed the page rule example.com/old/*",
      entry("page_rule_edit", {
        newValueJson: { targets: [{ constraint: { value: "example.com/old/*" } }] },
      }),
    ],
    [
      "Added the rule “Old clients” to Custom rules",
      entry("rule_create", {
        oldValueJson: { phase: "http_request_firewall_custom", rules: [] },
        newValueJson: { phase: "http_request_firewall_custom", rules: [{ description: "Old clients" }] },
      }),
    ],
    ["Turned on Total TLS", entry("total_tls_edit", { newValueJson: { enabled: true } })],
    [
      "Set Always use HTTPS to on",
      entry("change_setting", { newValueJson: { id: "always_use_https", value: "on" } }),
    ],
    ["Imported a zone file: 1 record added", entry("rec_import", { metadata: { recs_added: 1 } })],
    [
      "Made a link for the invite of dora@example.com",
      entry("invite_link_create", { newValueJson: { email: "dora@example.com" } }),
    ],
    ["Turned on transfers to the peers", entry("outgoing_transfer_enable")],
  ] as const)
    assert.equal(auditSentence(one), told);
});

test("every action of the audit log has a sentence of its own, not its code", () => {
  const told = new Set(Object.keys(auditActions).map((action) => auditSentence(entry(action))));
  assert.equal(told.size, Object.keys(auditActions).length);
  for (const sentence of told) assert.doesNotMatch(sentence, /_|undefined|\bnull\b|\{/);
});

test("an action that this version does not know is told by its code in words", () => {
  assert.equal(auditSentence(entry("something_new")), "Something new");
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
