import assert from "node:assert/strict";
import { test } from "node:test";

import { createDnsZone, shareApp } from "../support/dns-zone.ts";
import { byKey, byToken, onComparedEngines, ownerEmail } from "../support/harness.ts";
import { kindsOf } from "./json-kinds.ts";

const noTime = "0001-01-01T00:00:00Z";
const unknownId = "0".repeat(32);

/** The types that Go clients decode a zone into; null where theirs has no value for it. */
const zoneKinds: Readonly<Record<string, string>> = {
  id: "string",
  name: "string",
  status: "string",
  paused: "boolean",
  type: "string",
  development_mode: "integer",
  name_servers: "array",
  original_name_servers: "null",
  original_registrar: "null",
  original_dnshost: "null",
  modified_on: "time",
  created_on: "time",
  activated_on: "null",
  vanity_name_servers: "array",
  vanity_name_servers_ips: "null",
  "meta.step": "integer",
  "meta.custom_certificate_quota": "integer",
  "meta.page_rule_quota": "integer",
  "meta.phishing_detected": "boolean",
  "owner.id": "string",
  "owner.type": "string",
  "owner.name": "string",
  "account.id": "string",
  "account.name": "string",
  "tenant.id": "null",
  "tenant.name": "null",
  "tenant_unit.id": "null",
  permissions: "array",
  "plan.id": "string",
  "plan.name": "string",
  "plan.price": "integer",
  "plan.currency": "string",
  "plan.frequency": "string",
  "plan.is_subscribed": "boolean",
  "plan.can_subscribe": "boolean",
  "plan.legacy_id": "string",
  "plan.legacy_discount": "boolean",
  "plan.externally_managed": "boolean",
};

onComparedEngines("habits of clients with zones, accounts and users", (engine) => {
  const app = shareApp(engine);

  test("a zone is posted with an account, with Go's whole organization, or with neither", async (t) => {
    const { accountId } = app().owner;
    const organization = {
      id: accountId,
      name: "",
      status: "",
      created_on: noTime,
      permissions: null,
      roles: null,
    };
    const bodies = [
      { account: { id: accountId }, type: "full" },
      { organization, jump_start: false, type: "full" },
      { organization: { id: accountId } },
      { jump_start: false },
      { account: null, organization: {}, type: null, paused: false, id: unknownId, status: "active" },
    ];
    for (const [index, body] of bodies.entries()) {
      const name = `zone-${index}.example`;
      const answer = await app().request("POST", "/zones", { body: { name, ...body } });
      assert.equal(answer.status, 200, answer.text);
      const { id, account, status, type } = answer.body.result;
      t.after(() => app().request("DELETE", `/zones/${id}`));
      assert.notEqual(id, unknownId);
      assert.deepEqual([account.id, status, type], [accountId, "pending", "full"], JSON.stringify(body));
    }
  });

  test("a look-up by name has exactly one zone or none, which lexicon and libdns insist on", async (t) => {
    const zone = await createDnsZone(t, app());
    await createDnsZone(t, app(), "www.example.com");
    for (const name of ["example.com", "EXAMPLE.COM", "example.com."]) {
      const { body } = await app().request("GET", `/zones?name=${name}`);
      assert.deepEqual(
        body.result.map(({ id }: { id: string }) => id),
        [zone.id],
        name,
      );
    }
    // The guesses of certbot for the zone of a name, the longest first.
    for (const name of ["a.www.example.com", "com"]) {
      assert.deepEqual((await app().request("GET", `/zones?name=${name}&per_page=1`)).body.result, [], name);
    }
  });

  test("the name of a zone comes before every other name, which clients that match text rely on", async (t) => {
    const zone = await createDnsZone(t, app());
    for (const path of [`/zones/${zone.id}`, "/zones?name=example.com"]) {
      const { text } = await app().request("GET", path);
      assert.equal(/"name":"([^"]*)"/.exec(text)?.[1], "example.com", path);
      assert.equal(/"id":"([^"]*)"/.exec(text)?.[1], zone.id, path);
    }
  });

  test("each field of a zone has the type that Go clients decode it into", async (t) => {
    const zone = await createDnsZone(t, app());
    const { body } = await app().request("GET", `/zones/${zone.id}`);
    assert.deepEqual(kindsOf(body.result), zoneKinds);
  });

  test("Terraform changes a zone property by property, and waits for the name of its plan", async (t) => {
    const zone = await createDnsZone(t, app());
    const path = `/zones/${zone.id}`;
    const patch = async (body: object) => (await app().request("PATCH", path, { body })).body.result;
    assert.equal((await patch({ paused: true })).paused, true);
    assert.equal((await patch({ type: "partial" })).type, "partial");
    assert.deepEqual((await patch({ vanity_name_servers: ["ns1.example.com"] })).vanity_name_servers, [
      "ns1.example.com",
    ]);
    const subscription = { rate_plan: { id: "CF_PRO_20_20" }, frequency: "monthly" };
    const paid = await app().request("POST", `${path}/subscription`, { body: subscription });
    assert.equal(paid.status, 200, paid.text);
    const { plan, paused, type } = (await app().request("GET", path)).body.result;
    assert.deepEqual([plan.name, plan.legacy_id, paused, type], ["Pro Website", "pro", true, "partial"]);
    const deleted = await app().request("DELETE", path, { body: {} });
    assert.deepEqual([deleted.status, deleted.body.result], [200, { id: zone.id }]);
  });

  test("what only the server sets, and what nobody knows, is ignored in the body of a zone", async (t) => {
    const zone = await createDnsZone(t, app());
    const before = (await app().request("GET", `/zones/${zone.id}`)).body.result;
    const body = {
      id: unknownId,
      name: "other.example",
      status: "active",
      owner: {},
      meta: null,
      unknown: [1],
    };
    const answer = await app().request("PATCH", `/zones/${zone.id}`, { body });
    assert.deepEqual([answer.status, answer.body.result], [200, before]);
  });

  test("/ips needs no credentials and minds no wrong ones", async () => {
    const credentials: readonly Record<string, string>[] = [
      {},
      byToken,
      byKey,
      { authorization: "Bearer short" },
    ];
    for (const headers of credentials) {
      const { status, body } = await app().request("GET", "/ips", { headers });
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body.result), ["ipv4_cidrs", "ipv6_cidrs", "etag"]);
    }
  });

  test("user, accounts and memberships say who a key or token is, in the types that Go clients decode", async () => {
    const { userId, accountId } = app().owner;
    for (const headers of [byKey, byToken]) {
      const user = (await app().request("GET", "/user", { headers })).body.result;
      assert.deepEqual([user.id, user.email, user.organizations[0].id], [userId, ownerEmail, accountId]);
      const { two_factor_authentication_enabled, created_on, first_name } = kindsOf(user);
      assert.deepEqual(
        [two_factor_authentication_enabled, created_on, first_name],
        ["boolean", "time", "null"],
      );
      const accounts = (await app().request("GET", "/accounts?per_page=50", { headers })).body.result;
      assert.deepEqual([accounts.length, accounts[0].id], [1, accountId]);
      assert.deepEqual(kindsOf({ ...accounts[0], settings: null }), {
        id: "string",
        name: "string",
        type: "string",
        settings: "null",
        created_on: "time",
      });
      const [membership] = (await app().request("GET", "/memberships", { headers })).body.result;
      assert.deepEqual([membership.account.id, membership.status], [accountId, "accepted"]);
      assert.deepEqual(membership.permissions.dns_records, { read: true, write: true });
    }
    const verified = await app().request("GET", "/user/tokens/verify");
    assert.deepEqual([verified.status, verified.body.result.status], [200, "active"]);
    assert.deepEqual(verified.body.messages, [
      { code: 10000, message: "This API Token is valid and active", type: null },
    ]);
  });
});
