import assert from "node:assert/strict";
import { test } from "node:test";

import { asCurl, call, urlOf } from "./call.ts";

const origin = "http://127.0.0.1:8787";

test("a path encodes its parameters, and a query leaves out what is undefined or empty", () => {
  const query = { page: 2, name: "contains:a&b", "account.id": undefined, status: "" } as const;
  assert.equal(urlOf(call("listZones", {}, query)), "/client/v4/zones?page=2&name=contains%3Aa%26b");
  const record = call("getDnsRecord", { zone_id: "a/b?c", dns_record_id: "d" });
  assert.equal(record.path, "/zones/a%2Fb%3Fc/dns_records/d");
});

test("a call has the body and the query that its operation takes, and the base that it is below", () => {
  assert.deepEqual(call("deleteZoneHold", { zone_id: "a" }, { hold_after: "b" }), {
    method: "DELETE",
    path: "/zones/a/hold",
    query: { hold_after: "b" },
  });
  const rules = { rules: [] };
  assert.deepEqual(call("createRuleset", { zone_id: "a" }, rules, { dry_run: true }), {
    method: "POST",
    path: "/zones/a/rulesets",
    body: rules,
    query: { dry_run: true },
  });
  const file = { name: "zone.txt", text: "" };
  assert.deepEqual(call("importDnsRecords", { zone_id: "a" }, { file, fields: {} }).upload, {
    file,
    fields: {},
  });
  assert.equal(urlOf(call("getSession", {})), "/session");
  assert.equal(urlOf(call("listFaults", {})), "/test/v1/faults");
});

test("what zones or users have and accounts as well is called by one name", () => {
  const rule = { ruleset_id: "b", rule_id: "c" };
  assert.equal(call("editRule", { zone_id: "a", ...rule }, {}).path, "/zones/a/rulesets/b/rules/c");
  assert.equal(call("editRule", { account_id: "a", ...rule }, {}).path, "/accounts/a/rulesets/b/rules/c");
  assert.equal(call("rollToken", { token_id: "a" }).path, "/user/tokens/a/value");
  assert.equal(call("rollToken", { account_id: "a", token_id: "b" }).path, "/accounts/a/tokens/b/value");
});

test("the curl command of a call quotes what a shell would read", () => {
  assert.equal(
    asCurl({ method: "GET", path: "/zones", query: { page: 1, per_page: 5 } }, origin),
    `curl 'http://127.0.0.1:8787/client/v4/zones?page=1&per_page=5' \\\n  -H "Authorization: Bearer $TOKEN"`,
  );
  assert.equal(
    asCurl({ method: "POST", path: "/zones", body: { name: "it's" } }, origin),
    [
      "curl http://127.0.0.1:8787/client/v4/zones",
      "-X POST",
      `-H "Authorization: Bearer $TOKEN"`,
      "-H 'Content-Type: application/json'",
      String.raw`-d '{${"\n"}  "name": "it'\''s"${"\n"}}'`,
    ].join(" \\\n  "),
  );
});

test("the curl command of an upload names the file and its fields", () => {
  const upload = { file: { name: "zone.txt", text: "" }, fields: { proxied: "false" } };
  assert.match(
    asCurl({ method: "POST", path: "/import", upload }, origin),
    /-F proxied=false \\\n {2}-F file=@zone\.txt$/,
  );
});
