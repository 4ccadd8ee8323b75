import assert from "node:assert/strict";
import { test } from "node:test";

import { createDnsZone, shareApp } from "../support/dns-zone.ts";
import { onComparedEngines, startTestApp } from "../support/harness.ts";
import { zoneRulesets } from "../support/ruleset-api.ts";
import { createZonePart } from "../support/zone-parts.ts";

// A plan is clean only where an answer is what the configuration says: nothing more that it could remove, no other
// spelling.
onComparedEngines("Terraform reads back what it has sent", (engine) => {
  const app = shareApp(engine);

  test("a record without a comment or tags says no time of them, also after they were removed", async (t) => {
    const zone = await createDnsZone(t, app());
    const plain = { type: "A", name: "www", content: "192.0.2.1", ttl: 300, proxied: false };
    const { id } = await zone.create({ ...plain, comment: "first", tags: ["owner:dns"] });
    const { result } = (await zone.send("PUT", `/${id}`, plain)).body;
    assert.deepEqual([result.comment, result.tags], [null, []]);
    assert.deepEqual(["comment_modified_on" in result, "tags_modified_on" in result], [false, false]);
  });

  test("HTTPS and SVCB have their priority in data and content, SRV, URI and MX beside them", async (t) => {
    const zone = await createDnsZone(t, app());
    const records = [
      { type: "HTTPS", name: "a", data: { priority: 1, target: ".", value: 'alpn="h2"' } },
      { type: "SVCB", name: "b", data: { priority: 2, target: "svc.example.", value: "" } },
      { type: "SRV", name: "_a._tcp", priority: 5, data: { priority: 5, weight: 0, port: 1, target: "c.example" } },
      { type: "URI", name: "d", priority: 6, data: { weight: 1, target: "https://d.example/" } },
      { type: "MX", name: "e", priority: 7, content: "e.example" },
    ]; // prettier-ignore
    const priorities = [];
    for (const body of records) priorities.push((await zone.create(body)).priority);
    assert.deepEqual(priorities, [undefined, undefined, 5, 6, 7]);
  });

  test("a location is written out without units", async (t) => {
    const zone = await createDnsZone(t, app());
    const latitude = { lat_degrees: 37, lat_minutes: 46, lat_seconds: 46, lat_direction: "N" };
    const longitude = { long_degrees: 122, long_minutes: 23, long_seconds: 35, long_direction: "W" };
    const lengths = { altitude: 0, size: 100, precision_horz: 0, precision_vert: 0 };
    const data = { ...latitude, ...longitude, ...lengths };
    const record = await zone.create({ type: "LOC", name: "loc", data });
    assert.equal(record.content, "37 46 46.000 N 122 23 35.000 W 0.00 100.00 0.00 0.00");
    assert.deepEqual(record.data, data);
  });

  test("an IPv6 address of an access rule is answered in full and found in either spelling", async (t) => {
    const zone = await createDnsZone(t, app());
    const path = `/zones/${zone.id}/firewall/access_rules/rules`;
    const value = "2001:0db8:0000:0000:0000:0000:0000:0001";
    const created = await app().request("POST", path, {
      body: { mode: "block", configuration: { target: "ip6", value } },
    });
    assert.deepEqual(created.body.result.configuration, { target: "ip6", value });
    for (const spelling of [value, "2001:db8::1"]) {
      const found = await app().request("GET", `${path}?configuration.value=${spelling}`);
      assert.equal(found.body.result_info?.total_count, 1, spelling);
    }
  });

  test("a token is made disabled where its configuration says so", async () => {
    const zoneWrite = { id: "4755a26eedb94da69e1066d98aa820be" };
    const policies = [
      { effect: "allow", permission_groups: [zoneWrite], resources: { "com.cloudflare.api.account.zone.*": "*" } },
    ]; // prettier-ignore
    const created = await app().request("POST", "/user/tokens", {
      body: { name: "off", status: "disabled", policies },
    });
    assert.equal(created.body.result.status, "disabled");
    const headers = { authorization: `Bearer ${created.body.result.value}` };
    assert.equal((await app().request("GET", "/zones", { headers })).status, 403);
  });

  test("a Web3 hostname has no description and no DNSLink where there are none, and null removes them", async (t) => {
    const hostnames = await createZonePart(await startTestApp(t, engine), "web3/hostnames");
    const body = { name: "gw.example.com", target: "ethereum" };
    const created = await hostnames.result("POST", "", { ...body, description: null });
    assert.deepEqual(["description" in created, "dnslink" in created], [false, false]);
    const texts = { description: "gateway", dnslink: "/ipns/docs.example.com" };
    const { description, dnslink } = await hostnames.result("PATCH", `/${created.id}`, texts);
    assert.deepEqual({ description, dnslink }, texts);
    const nulls = { description: null, dnslink: null };
    assert.deepEqual(await hostnames.result("PATCH", `/${created.id}`, nulls), created);
  });

  test("version 5 combines what rules of the managed phases skip, and sends objects that say nothing", async (t) => {
    const api = await zoneRulesets(await startTestApp(t, engine));
    const make = async (phase: string, rule: object) => {
      const body = { kind: "zone", name: "default", phase, rules: [{ expression: "ssl", ...rule }] };
      return (await api.result("POST", "", body)).rules[0];
    };
    const rulesetId = "4814384a9e5d4991b9815dcfc25d2f1f";
    const skip = { rulesets: [rulesetId], rules: { [rulesetId]: ["6179ae15870a4bb7b2d480d4843b323c"] } };
    const skipping = await make("http_request_firewall_managed", { action: "skip", action_parameters: skip });
    assert.deepEqual(skipping.action_parameters, skip);

    const cache = { cache: true, cache_key: { custom_key: {} }, serve_stale: {} };
    const caching = await make("http_request_cache_settings", {
      action: "set_cache_settings",
      action_parameters: cache,
    });
    assert.deepEqual(caching.action_parameters, cache);

    const ratelimit = { characteristics: ["cf.colo.id", "ip.src"], period: 60, requests_per_period: 10 };
    const limiting = await make("http_ratelimit", { action: "block", ratelimit });
    assert.deepEqual(limiting.ratelimit, { ...ratelimit, mitigation_timeout: 0 });

    const headers = { "Exposed-Credential-Check": { operation: "set", value: "1" } };
    const marking = await make("http_request_firewall_custom", {
      action: "rewrite",
      action_parameters: { headers },
    });
    assert.deepEqual(marking.action_parameters, { headers });
  });
});
