import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { hasSeenAll, untilPack } from "../../../test/support/certificates.ts";
import {
  onComparedEngines,
  startTestApp,
  until,
  type Engine,
  type TestApp,
} from "../../../test/support/harness.ts";
import { addAccount, addZone, besideServer, storedRows } from "../../../test/support/store.ts";
import type { Config } from "../../config/settings.ts";

const off = { enabled: false, validity_days: 90, validity_period: 90 };

interface Zone {
  readonly app: TestApp;
  readonly id: string;
  readonly packs: string;
  set(body: object): Promise<unknown>;
  /** Adds a record, proxied unless it says otherwise, and answers its path. */
  add(name: string, record?: object): Promise<string>;
  /** Hosts of the packs of Total TLS once everything so far was looked at. */
  hosts(): Promise<string[]>;
  packOf(host: string): Promise<{ id: string; status: string; certificates: { hosts: string[] }[] }>;
}

/** An active zone; its packs stay at the first step unless the settings say otherwise. */
async function startZone(
  t: TestContext,
  engine: Engine,
  settings: Partial<Config> = { issuance_delay_seconds: 3600 },
): Promise<Zone> {
  const app = await startTestApp(t, engine, settings, { issuanceRoundMs: 20 });
  const id = await app.createZone("example.com");
  await app.request("PUT", `/zones/${id}/activation_check`);
  const packs = `/zones/${id}/ssl/certificate_packs`;
  const ofTotalTls = async () => {
    const { result } = (await app.request("GET", `${packs}?status=all&per_page=1000`)).body;
    return (result as { type: string; id: string; hosts: [string] }[]).filter(
      ({ type }) => type === "total_tls",
    );
  };
  return {
    app,
    id,
    packs,
    set: async (body) => {
      const answer = await app.request("POST", `/zones/${id}/acm/total_tls`, { body });
      assert.equal(answer.status, 200, answer.text);
      return answer.body.result;
    },
    add: async (name, record = {}) => {
      const body = { name, type: "A", content: "192.0.2.1", proxied: true, ...record };
      const answer = await app.request("POST", `/zones/${id}/dns_records`, { body });
      assert.equal(answer.status, 200, answer.text);
      return `/zones/${id}/dns_records/${answer.body.result.id}`;
    },
    hosts: async () => {
      await until("the timer has seen all zones", () => hasSeenAll(app));
      return (await ofTotalTls()).map(({ hosts: [host] }) => host).toSorted();
    },
    packOf: async (host) => {
      const pack = (await ofTotalTls()).find(({ hosts }) => hosts[0] === host);
      assert.ok(pack, host);
      return (await app.request("GET", `${packs}/${pack.id}`)).body.result;
    },
  };
}

onComparedEngines("editTotalTls", (engine) => {
  test("each proxied name that no pack covers gets a pack of its own, whose certificates are issued", async (t) => {
    const zone = await startZone(t, engine, {});
    await zone.add("deep.shop.example.com");
    await zone.add("cname.shop.example.com", { type: "CNAME", content: "shop.example.net" });
    await zone.add("*.any.example.com", { type: "AAAA", content: "2001:db8::1" });
    await zone.add("www.example.com");
    await zone.add("origin.shop.example.com", { proxied: false });
    await zone.add("text.shop.example.com", { type: "TXT", content: "text", proxied: false });

    assert.deepEqual(await zone.set({ enabled: true, certificate_authority: "lets_encrypt" }), {
      ...off,
      enabled: true,
      certificate_authority: "lets_encrypt",
    });
    const expected = ["*.any.example.com", "cname.shop.example.com", "deep.shop.example.com"];
    assert.deepEqual(await zone.hosts(), expected);
    for (const host of expected) {
      const { id } = await zone.packOf(host);
      const pack = await untilPack(zone.app, `${zone.packs}/${id}`);
      assert.deepEqual([pack.certificate_authority, pack.validity_days], ["lets_encrypt", 90]);
      assert.deepEqual(
        pack.certificates.map(({ hosts }: { hosts: string[] }) => hosts),
        [[host], [host]],
      );
    }
  });

  test("packs come and go with the proxied records, and go when it is turned off", async (t) => {
    const zone = await startZone(t, engine);
    await zone.set({ enabled: true });
    assert.deepEqual(await zone.hosts(), []);
    const [first, second] = [await zone.add("a.deep.example.com"), await zone.add("b.deep.example.com")];
    await zone.add("b.deep.example.com", { content: "192.0.2.2" });
    assert.deepEqual(await zone.hosts(), ["a.deep.example.com", "b.deep.example.com"]);

    await zone.app.request("PATCH", first, { body: { proxied: false } });
    await zone.app.request("DELETE", second);
    assert.deepEqual(await zone.hosts(), ["b.deep.example.com"]);
    await zone.app.request("PATCH", first, { body: { proxied: true } });
    assert.deepEqual(await zone.hosts(), ["a.deep.example.com", "b.deep.example.com"]);

    assert.deepEqual(await zone.set({ enabled: false }), off);
    assert.deepEqual(await zone.hosts(), []);
    await zone.add("c.deep.example.com");
    assert.deepEqual(await zone.hosts(), []);
    const left = (await zone.app.request("GET", `${zone.packs}?status=all`)).body.result;
    assert.deepEqual(
      left.map(({ type }: { type: string }) => type),
      ["universal"],
    );
    await zone.set({ enabled: true });
    assert.deepEqual(await zone.hosts(), ["a.deep.example.com", "b.deep.example.com", "c.deep.example.com"]);

    const { body } = await zone.app.request(
      "GET",
      `/accounts/${zone.app.owner.accountId}/audit_logs?zone.name=example.com&per_page=1000`,
    );
    const actions = body.result.map(({ action }: { action: { type: string } }) => action.type);
    const count = (wanted: string) => actions.filter((type: string) => type === wanted).length;
    assert.deepEqual(
      ["total_tls_edit", "certificate_pack_order", "certificate_pack_delete"].map(count),
      [3, 6, 3],
    );
  });

  test("a host whose pack somebody deletes gets none again, even if its record is made anew", async (t) => {
    const zone = await startZone(t, engine);
    const record = await zone.add("a.deep.example.com");
    await zone.set({ enabled: true });
    await zone.hosts();
    const { id } = await zone.packOf("a.deep.example.com");
    assert.equal((await zone.app.request("DELETE", `${zone.packs}/${id}`)).status, 200);
    await zone.app.request("DELETE", record);
    await zone.add("a.deep.example.com");
    await zone.add("b.deep.example.com");
    assert.deepEqual(await zone.hosts(), ["b.deep.example.com"]);
    await zone.set({ enabled: false });
    await zone.set({ enabled: true });
    assert.deepEqual(await zone.hosts(), ["b.deep.example.com"]);
  });

  test("what a wildcard covers needs no pack, and gets one when the pack of the wildcard is deleted", async (t) => {
    const zone = await startZone(t, engine);
    const order = {
      type: "advanced",
      hosts: ["example.com", "*.deep.example.com"],
      validation_method: "txt",
      validity_days: 90,
      certificate_authority: "google",
    };
    const { id } = (await zone.app.request("POST", `${zone.packs}/order`, { body: order })).body.result;
    for (const name of ["example.com", "www.example.com", "a.deep.example.com"]) await zone.add(name);
    const wildcard = await zone.add("*.other.example.com");
    await zone.set({ enabled: true });
    assert.deepEqual(await zone.hosts(), ["*.other.example.com"]);
    await zone.add("a.other.example.com");
    await zone.add("a.b.other.example.com");
    assert.deepEqual(await zone.hosts(), ["*.other.example.com", "a.b.other.example.com"]);

    await zone.app.request("DELETE", `${zone.packs}/${id}`);
    assert.ok((await zone.hosts()).includes("a.deep.example.com"));
    await zone.app.request("PATCH", `/zones/${zone.id}/ssl/universal/settings`, { body: { enabled: false } });
    await zone.app.request("DELETE", wildcard);
    assert.deepEqual(await zone.hosts(), [
      "a.b.other.example.com",
      "a.deep.example.com",
      "a.other.example.com",
      "example.com",
      "www.example.com",
    ]);
  });

  test("names that no certificate can have get no pack, and a zone that is not active gets none", async (t) => {
    const app = await startTestApp(t, engine, { issuance_delay_seconds: 3600 }, { issuanceRoundMs: 20 });
    const id = await app.createZone("example.com");
    const long = `${"long-label-".repeat(4)}x.deep.example.com`;
    assert.equal(long.length, 62);
    for (const name of ["_under.deep.example.com", `abc${long}`, `ab${long}`]) {
      const record = { name, type: "A", content: "192.0.2.1", proxied: true };
      await app.request("POST", `/zones/${id}/dns_records`, { body: record });
    }
    await app.request("POST", `/zones/${id}/acm/total_tls`, { body: { enabled: true } });
    const listed = async () =>
      (await app.request("GET", `/zones/${id}/ssl/certificate_packs?status=all`)).body.result.flatMap(
        ({ hosts }: { hosts: string[] }) => hosts,
      );
    assert.deepEqual(await listed(), []);
    await app.request("PUT", `/zones/${id}/activation_check`);
    await until("the name of 64 characters has its pack", async () => (await listed()).length === 3);
    assert.deepEqual((await listed()).toSorted(), ["*.example.com", `ab${long}`, "example.com"]);
  });

  test("all names of a large zone are looked at, also those of a change that is too large to be listed", async (t) => {
    const zone = await startZone(t, engine);
    await zone.set({ enabled: true });
    const names = Array.from({ length: 450 }, (_, index) => `n${1000 + index}.deep.example.com`);
    const posts = names.map((name) => ({ name, type: "A", content: "192.0.2.1", proxied: true }));
    for (let from = 0; from < posts.length; from += 150) {
      const body = { posts: posts.slice(from, from + 150) };
      const answer = await zone.app.request("POST", `/zones/${zone.id}/dns_records/batch`, { body });
      assert.equal(answer.status, 200, answer.text);
    }
    assert.deepEqual(await zone.hosts(), names);
    await besideServer(zone.app, async (tx) => {
      await tx.deleteFrom("total_tls_hosts").execute();
      await tx.deleteFrom("certificate_packs").where("type", "=", "total_tls").execute();
      await tx.updateTable("dns_changes").set({ names: null }).execute();
      await tx.updateTable("total_tls").set({ seen_records_version: 0 }).execute();
    });
    assert.deepEqual(await zone.hosts(), names);
    await zone.set({ enabled: false });
    assert.deepEqual(await zone.hosts(), []);
  });

  test("what is set already changes nothing, and what may not be set is refused and changes nothing", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await app.createZone("example.com");
    const foreign = await addZone(app, "foreign.example", { account_id: await addAccount(app, "Foreign") });
    const partial = await addZone(app, "partial.example", { type: "partial" });
    assert.deepEqual((await app.request("GET", `/zones/${zone}/acm/total_tls`)).body.result, off);
    const earlier = await storedRows(app);
    const cases = [
      ["off as it is", zone, { enabled: false }, 200],
      ["no body", zone, undefined, 400, 1003],
      ["nothing", zone, {}, 400, 1003],
      ["no Boolean", zone, { enabled: "on" }, 400, 1003],
      ["an unknown authority", zone, { enabled: true, certificate_authority: "digicert" }, 400, 1003],
      ["a partial zone", partial, { enabled: true }, 400, 1460],
      ["a zone of others", foreign, { enabled: true }, 404, 1001],
    ] as const;
    for (const [title, id, body, status, code] of cases) {
      await t.test(title, async () => {
        const answer = await app.request("POST", `/zones/${id}/acm/total_tls`, { body });
        assert.deepEqual([answer.status, answer.body.errors[0]?.code], [status, code]);
        assert.deepEqual(await storedRows(app), earlier);
      });
    }
  });

  test("without advanced packs it can be turned off, and not on", async (t) => {
    const app = await startTestApp(t, engine, { certificate_pack_quota: 0 });
    const zone = await app.createZone("example.com");
    const set = (enabled: boolean) =>
      app.request("POST", `/zones/${zone}/acm/total_tls`, { body: { enabled } });
    const refused = await set(true);
    assert.deepEqual([refused.status, refused.body.errors[0]?.code], [400, 1450]);
    assert.equal((await set(false)).status, 200);
  });
});
