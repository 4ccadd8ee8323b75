import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { createDnsClient } from "../../../test/support/dns-client.ts";
import { onComparedEngines, startTestApp, until, type Engine } from "../../../test/support/harness.ts";

async function startServing(t: TestContext, engine: Engine) {
  const app = await startTestApp(t, engine, {
    dns_listen: ["127.0.0.1:0"],
    name_servers: ["ns1.zoneward.example", "ns2.zoneward.example"],
    name_server_sets: ["red.example.net White.example.net", "a.example.net b.example.net c.example.net"],
    edge_addresses: ["192.0.2.80"],
  });
  const dns = await createDnsClient(t, app.dnsAddresses[0] ?? "");
  const createZone = async (name: string) => {
    const zoneId = await app.createZone(name);
    await app.request("PUT", `/zones/${zoneId}/activation_check`);
    await until(`${name} is served`, async () => (await dns.lines(name, "SOA")).length === 2);
    return zoneId;
  };
  const says = async (name: string, type: "A" | "SOA" | "NS", expected: RegExp) =>
    until(`${name} ${type} is ${expected.source}`, async () =>
      expected.test((await dns.lines(name, type)).toSorted().join("\n")),
    );
  return { app, dns, createZone, says, account: `/accounts/${app.owner.accountId}/dns_settings` };
}

const soa = {
  mname: "primary.example.net",
  rname: "john\\.doe.example.com",
  refresh: 7_200,
  retry: 1_200,
  expire: 1_209_600,
  ttl: 1_800,
  min_ttl: 600,
};

onComparedEngines("DNS settings", (engine) => {
  test("of a zone are those of the public service until somebody changes them", async (t) => {
    const { app, createZone } = await startServing(t, engine);
    const path = `/zones/${await createZone("example.com")}/dns_settings`;
    const settings = (await app.request("GET", path)).body.result;
    assert.deepEqual(settings, {
      flatten_all_cnames: false,
      foundation_dns: false,
      internal_dns: {},
      multi_provider: false,
      ns_ttl: 86_400,
      secondary_overrides: false,
      zone_mode: "standard",
      nameservers: { type: "cloudflare.standard", ns_set: 1 },
      soa: {
        mname: null,
        rname: "dns.cloudflare.com",
        refresh: 10_000,
        retry: 2_400,
        expire: 604_800,
        ttl: 3_600,
        min_ttl: 3_600,
      },
    });
    const edited = await app.request("PATCH", path, { body: { soa: { ttl: 1_800 }, ns_ttl: 300 } });
    assert.equal(edited.body.result.soa.ttl, 1_800);
    assert.equal(edited.body.result.soa.refresh, 10_000);
    assert.deepEqual((await app.request("GET", path)).body.result, edited.body.result);
  });

  test("of a zone are in force in its answers and in its export", async (t) => {
    const { app, createZone, says } = await startServing(t, engine);
    const zoneId = await createZone("example.com");
    for (const body of [
      { type: "A", name: "www", content: "192.0.2.1", proxied: true },
      { type: "NS", name: "@", content: "ns.elsewhere.example" },
      { type: "A", name: "target", content: "192.0.2.7" },
      { type: "CNAME", name: "alias", content: "target.example.com" },
    ]) {
      const made = await app.request("POST", `/zones/${zoneId}/dns_records`, { body });
      assert.equal(made.status, 200, made.text);
    }
    await says("www.example.com", "A", /192\.0\.2\.80/);
    const path = `/zones/${zoneId}/dns_settings`;
    const body = {
      soa,
      ns_ttl: 3_600,
      multi_provider: true,
      flatten_all_cnames: true,
      zone_mode: "dns_only",
    };
    assert.equal((await app.request("PATCH", path, { body })).status, 200);
    await says("www.example.com", "A", /192\.0\.2\.1$/);
    await says("alias.example.com", "A", /alias\.example\.com 300 A/);
    await says("example.com", "NS", /3600 NS ns\.elsewhere\.example[^]*ns1[^]*ns2/);
    await says("example.com", "SOA", /example\.com 1800 SOA/);
    const { text } = await app.request("GET", `/zones/${zoneId}/dns_records/export`);
    assert.match(
      text,
      /1800\tIN\tSOA\tprimary\.example\.net\. john\\\.doe\.example\.com\. \d+ 7200 1200 1209600 600/,
    );
    assert.match(text, /3600\tIN\tNS\tns1\.zoneward\.example\./);
  });

  test("that cannot be, or cannot be in force, are refused and change nothing", async (t) => {
    const { app, createZone, account } = await startServing(t, engine);
    const path = `/zones/${await createZone("example.com")}/dns_settings`;
    const before = (await app.request("GET", path)).body.result;
    for (const body of [
      { foundation_dns: true },
      { secondary_overrides: true },
      { zone_mode: "cdn_only" },
      { zone_mode: "other" },
      { nameservers: { type: "custom.zone" } },
      { nameservers: { ns_set: 2 } },
      { nameservers: { type: "custom.account", ns_set: 3 } },
      { nameservers: { type: "custom.tenant", ns_set: 6 } },
      { nameservers: { type: "custom.tenant", ns_set: 0 } },
      { ns_ttl: 29 },
      { ns_ttl: 86_401 },
      { soa: { refresh: 599 } },
      { soa: { retry: 20_000 } },
      { soa: { rname: "a..b" } },
      { soa: { mname: "" } },
      { multi_provider: "yes" },
      { internal_dns: { reference_zone_id: "0".repeat(32) } },
    ]) {
      assert.equal((await app.request("PATCH", path, { body })).status, 400, JSON.stringify(body));
      const ofAccount = { body: { zone_defaults: body } };
      assert.equal((await app.request("PATCH", account, ofAccount)).status, 400, JSON.stringify(body));
    }
    assert.deepEqual((await app.request("GET", path)).body.result, before);
    assert.deepEqual((await app.request("GET", account)).body.result, {
      zone_defaults: before,
      enforce_dns_only: false,
    });
  });

  test("name the set of name servers of a zone: in its answers, its NS records and its export", async (t) => {
    const { app, createZone, says } = await startServing(t, engine);
    const zoneId = await createZone("example.com");
    const path = `/zones/${zoneId}/dns_settings`;
    const chosen = async (nameservers: object) => {
      const { status, text, body } = await app.request("PATCH", path, { body: { nameservers } });
      assert.equal(status, 200, text);
      const zone = (await app.request("GET", `/zones/${zoneId}`)).body.result;
      return [body.result.nameservers, zone.name_servers, zone.vanity_name_servers];
    };
    const [first, second] = [
      ["red.example.net", "white.example.net"],
      ["a.example.net", "b.example.net", "c.example.net"],
    ];
    assert.deepEqual(await chosen({ type: "custom.tenant" }), [
      { type: "custom.tenant", ns_set: 1 },
      first,
      first,
    ]);
    await says("example.com", "NS", /NS red\.example\.net[^]*NS white\.example\.net$/);
    assert.deepEqual(await chosen({ ns_set: 2 }), [{ type: "custom.tenant", ns_set: 2 }, second, second]);
    await says("example.com", "NS", /NS a\.example\.net[^]*NS b\.[^]*NS c\.example\.net$/);
    const { text } = await app.request("GET", `/zones/${zoneId}/dns_records/export`);
    assert.match(text, /IN\tSOA\ta\.example\.net\.[^]*IN\tNS\tc\.example\.net\./);
    assert.deepEqual(await chosen({ type: "custom.account" }), [
      { type: "custom.account", ns_set: 1 },
      first,
      first,
    ]);
    const standard = ["ns1.zoneward.example", "ns2.zoneward.example"];
    assert.deepEqual(await chosen({ type: "cloudflare.standard" }), [
      { type: "cloudflare.standard", ns_set: 1 },
      standard,
      [],
    ]);
    await says("example.com", "NS", /NS ns1\.zoneward\.example[^]*NS ns2\.zoneward\.example$/);
  });

  test("of an account give its new zones their set of name servers", async (t) => {
    const { app, createZone, says, account } = await startServing(t, engine);
    const oldId = await createZone("old.example");
    const body = { zone_defaults: { nameservers: { type: "custom.tenant", ns_set: 2 } } };
    assert.equal((await app.request("PATCH", account, { body })).status, 200);
    const newId = await createZone("new.example");
    const of = async (id: string) =>
      (await app.request("GET", `/zones/${id}`)).body.result.vanity_name_servers;
    assert.deepEqual([await of(oldId), (await of(newId)).length], [[], 3]);
    await says("new.example", "NS", /NS a\.example\.net/);
  });

  test("of an account are those of its new zones, and let none of its names be proxied", async (t) => {
    const { app, createZone, says, account } = await startServing(t, engine);
    const oldId = await createZone("old.example");
    await app.request("POST", `/zones/${oldId}/dns_records`, {
      body: { type: "A", name: "www", content: "192.0.2.1", proxied: true },
    });
    await says("www.old.example", "A", /192\.0\.2\.80/);
    const body = { zone_defaults: { ns_ttl: 7_200 }, enforce_dns_only: true };
    assert.equal((await app.request("PATCH", account, { body })).status, 200);
    await says("www.old.example", "A", /192\.0\.2\.1$/);
    const newId = await createZone("new.example");
    const of = async (id: string) =>
      (await app.request("GET", `/zones/${id}/dns_settings`)).body.result.ns_ttl;
    assert.deepEqual([await of(oldId), await of(newId)], [86_400, 7_200]);
  });
});
