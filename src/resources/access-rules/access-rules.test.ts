import assert from "node:assert/strict";
import { before, test } from "node:test";

import {
  onComparedEngines,
  ownerEmail,
  startTestApp,
  type TestApp,
  testOnEachEngine,
} from "../../../test/support/harness.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";

const unknownId = "0123456789abcdef0123456789abcdef";
const about = (target: string, value: string) => ({ target, value });

onComparedEngines("IP Access Rules", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  let zoneId: string;
  before(async () => {
    app = await startTestApp(suite, engine);
    zoneId = await app.createZone("example.com");
  });

  test("live their life in a zone, an account and a user, each apart from the others", async () => {
    const { accountId, userId } = app.owner;
    const scopes = [
      [`/zones/${zoneId}`, { id: zoneId, name: "example.com", type: "zone" }],
      [`/accounts/${accountId}`, { id: accountId, name: "Zoneward", type: "organization" }],
      ["/user", { id: userId, email: ownerEmail, type: "user" }],
    ] as const;
    const configuration = about("ip", "198.51.100.4");
    for (const [prefix, scope] of scopes) {
      const path = `${prefix}/firewall/access_rules/rules`;
      const made = await app.request("POST", path, {
        body: { mode: "block", configuration, notes: "Caught by fail2ban" },
      });
      assert.equal(made.status, 200, made.text);
      const { id } = made.body.result;
      assert.deepEqual(made.body.result, {
        id,
        paused: false,
        modified_on: "2026-01-02T03:04:05.678000Z",
        allowed_modes: ["whitelist", "block", "challenge", "js_challenge", "managed_challenge"],
        mode: "block",
        notes: "Caught by fail2ban",
        configuration,
        scope,
        created_on: "2026-01-02T03:04:05.678000Z",
      });
      assert.deepEqual((await app.request("GET", path)).body.result, [made.body.result]);
      const edited = await app.request("PATCH", `${path}/${id}`, { body: { mode: "challenge" } });
      assert.deepEqual(
        [edited.body.result.mode, edited.body.result.notes],
        ["challenge", "Caught by fail2ban"],
      );
      assert.deepEqual((await app.request("GET", `${path}/${id}`)).body.result, edited.body.result);
    }
    for (const [prefix] of scopes) {
      const path = `${prefix}/firewall/access_rules/rules`;
      const [{ id }] = (await app.request("GET", path)).body.result;
      assert.deepEqual((await app.request("DELETE", `${path}/${id}`)).body.result, { id });
      assert.equal((await app.request("GET", `${path}/${id}`)).status, 404);
      assert.equal((await app.request("PATCH", `${path}/${id}`, { body: {} })).status, 404);
      assert.equal((await app.request("DELETE", `${path}/${unknownId}`)).body.errors[0]?.code, 10001);
    }
  });

  testOnEachEngine("keep both of two changes at a time, and are deleted once", async (t, either) => {
    const own = await startTestApp(t, either);
    const path = `/zones/${await own.createZone("example.com")}/firewall/access_rules/rules`;
    for (let round = 1; round <= 5; round += 1) {
      const configuration = about("ip", `203.0.113.${round}`);
      const made = await own.request("POST", path, {
        body: { mode: "block", configuration, notes: "before" },
      });
      const rule = `${path}/${made.body.result.id}`;
      await Promise.all([
        own.request("PATCH", rule, { body: { mode: "challenge" } }),
        own.request("PATCH", rule, { body: { notes: "after" } }),
      ]);
      const { mode, notes } = (await own.request("GET", rule)).body.result;
      assert.deepEqual([mode, notes], ["challenge", "after"]);
      const deletions = await Promise.all([own.request("DELETE", rule), own.request("DELETE", rule)]);
      assert.deepEqual(
        deletions.map(({ status }) => status).toSorted((one, other) => one - other),
        [200, 404],
      );
    }
  });

  test("are about an address, a range, a network or a country, in one spelling", async (t) => {
    const path = `/zones/${zoneId}/firewall/access_rules/rules`;
    const taken = [
      [about("ip", "192.0.2.1"), about("ip", "192.0.2.1")],
      [about("ip", "2001:DB8:0:0::1"), about("ip6", "2001:0db8:0000:0000:0000:0000:0000:0001")],
      [about("ip6", "2001:db8::2"), about("ip6", "2001:0db8:0000:0000:0000:0000:0000:0002")],
      [about("ip_range", "198.51.100.77/24"), about("ip_range", "198.51.100.0/24")],
      [about("ip_range", "203.0.113.0/16"), about("ip_range", "203.0.0.0/16")],
      [about("ip_range", "2001:db8:1:2:3::/64"), about("ip_range", "2001:db8:1:2::/64")],
      [about("ip_range", "2001:db8::/32"), about("ip_range", "2001:db8::/32")],
      [about("asn", "as64496"), about("asn", "AS64496")],
      [about("asn", "64497"), about("asn", "AS64497")],
      [about("country", "us"), about("country", "US")],
      [about("country", "T1"), about("country", "T1")],
    ];
    for (const [configuration, shown] of taken) {
      const { status, body, text } = await app.request("POST", path, {
        body: { mode: "whitelist", configuration },
      });
      assert.equal(status, 200, text);
      assert.deepEqual(body.result.configuration, shown);
    }
    const earlier = (await app.request("GET", path)).body.result_info?.total_count;
    const refused: readonly (readonly [object, number])[] = [
      [about("ip", "192.0.2.256"), 10011],
      [about("ip", "192.0.2.0/24"), 10011],
      [about("ip6", "192.0.2.1"), 10011],
      [about("ip_range", "192.0.2.0/25"), 10011],
      [about("ip_range", "192.0.2.0"), 10011],
      [about("ip_range", "2001:db8::/63"), 10011],
      [about("asn", "AS0"), 10011],
      [about("asn", "AS4294967296"), 10011],
      [about("country", "USA"), 10011],
      [about("host", "example.com"), 1003],
      [about("ip", "192.0.2.1"), 10009],
      [about("ip", "2001:db8:0::1"), 10009],
      [about("ip_range", "198.51.100.0/24"), 10009],
    ];
    for (const [configuration, code] of refused)
      await t.test(JSON.stringify(configuration), async () => {
        const { status, body } = await app.request("POST", path, { body: { mode: "block", configuration } });
        assert.equal(status, 400, JSON.stringify(configuration));
        assert.equal(body.errors[0]?.code, code, JSON.stringify(configuration));
      });
    assert.equal((await app.request("GET", path)).body.result_info?.total_count, earlier);
  });

  test("are listed with every filter and ordering", async (t) => {
    const own = await startTestApp(t, engine);
    const path = `/zones/${await own.createZone("example.com")}/firewall/access_rules/rules`;
    for (const [mode, configuration, notes] of [
      ["block", about("ip", "192.0.2.9"), "From fail2ban"],
      ["challenge", about("ip", "192.0.2.10"), "by hand"],
      ["block", about("country", "US"), ""],
    ] as const) {
      await own.request("POST", path, { body: { mode, configuration, notes } });
    }
    const valuesOf = async (query: string): Promise<string[]> => {
      const { body, text } = await own.request("GET", path + query);
      assert.ok(body.success, text);
      return body.result.map((rule: { configuration: { value: string } }) => rule.configuration.value);
    };
    assert.deepEqual(await valuesOf("?mode=block&order=configuration.value"), ["192.0.2.9", "US"]);
    assert.deepEqual(await valuesOf("?configuration.target=ip&order=configuration.value&direction=desc"), [
      "192.0.2.9",
      "192.0.2.10",
    ]);
    assert.deepEqual(await valuesOf("?configuration.value=192.0.2.10"), ["192.0.2.10"]);
    assert.deepEqual(await valuesOf("?configuration.value=192.0.2.*&order=configuration.value"), [
      "192.0.2.10",
      "192.0.2.9",
    ]);
    const full = "2001:0db8:0000:0000:0000:0000:0000:0001";
    const ipv6 = [about("ip6", "2001:db8::1"), about("ip_range", "2001:db8:1::/48")];
    for (const configuration of ipv6) {
      await own.request("POST", path, { body: { mode: "whitelist", configuration } });
    }
    for (const text of [full, "2001:db8::1", "2001:DB8:0:0::1"]) {
      for (const target of ["ip6", "ip"]) {
        const query = `?configuration.target=${target}&configuration.value=${encodeURIComponent(text)}`;
        assert.deepEqual(await valuesOf(query), [full], query);
      }
    }
    for (const text of ["2001:db8:1::/48", "2001:0db8:0001:0000:0000:0000:0000:0000/48"]) {
      const found = await valuesOf(`?configuration.value=${encodeURIComponent(text)}`);
      assert.deepEqual(found, ["2001:db8:1::/48"], text);
    }
    assert.deepEqual(await valuesOf("?configuration.value=2001:db8::2"), []);
    const prefixes = [
      ["2001:0db8:*", [full, "2001:db8:1::/48"]],
      ["2001:0DB8:0000:*", [full]],
      ["2001:0db8:0001*", ["2001:db8:1::/48"]],
      ["2001:db8:*", [full, "2001:db8:1::/48"]],
      ["2001:db8::*", [full]],
      ["2001:0db9*", []],
    ] as const;
    for (const [prefix, values] of prefixes) {
      const found = await valuesOf(`?order=configuration.target&configuration.value=${prefix}`);
      assert.deepEqual(found, values, prefix);
    }
    assert.deepEqual(await valuesOf("?notes=FAIL2BAN"), ["192.0.2.9"]);
    assert.deepEqual(await valuesOf("?notes=hand&mode=block"), []);
    assert.deepEqual((await valuesOf("?notes=hand&mode=block&match=any")).length, 3);
    assert.deepEqual((await valuesOf("?per_page=2")).length, 2);
    assert.deepEqual(await valuesOf("?per_page=2&page=4"), []);
    assert.equal((await own.request("GET", `${path}?order=notes`)).status, 400);
    assert.equal((await own.request("GET", `${path}?mode=ban`)).status, 400);
  });

  test("leave with their zone", async (t) => {
    const own = await startTestApp(t, engine);
    const id = await own.createZone("example.com");
    const path = `/zones/${id}/firewall/access_rules/rules`;
    await own.request("POST", path, { body: { mode: "block", configuration: about("country", "US") } });
    assert.equal((await own.request("DELETE", `/zones/${id}`)).status, 200);
    assert.equal((await own.request("GET", path)).status, 404);
  });

  testOnEachEngine("are made before their zone is deleted or not at all", async (t, either) => {
    const own = await startTestApp(t, either);
    for (let round = 1; round <= 5; round += 1) {
      const id = await own.createZone(`zone${round}.example`);
      const path = `/zones/${id}/firewall/access_rules/rules`;
      const body = { mode: "block", configuration: about("country", "US") };
      const [made] = await Promise.all([
        own.request("POST", path, { body }),
        own.request("DELETE", `/zones/${id}`),
      ]);
      assert.ok([200, 404].includes(made.status), made.text);
    }
  });
});
