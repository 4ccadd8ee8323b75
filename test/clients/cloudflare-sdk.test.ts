import assert from "node:assert/strict";
import { test } from "node:test";

import Cloudflare from "cloudflare";
import type { BatchPatchParam, RecordEditParams } from "cloudflare/resources/dns/records";

import { recordTypes } from "../../src/core/dns/content/record-types.ts";
import { examples } from "../support/record-examples.ts";
import {
  onComparedEngines,
  ownerEmail,
  ownerKey,
  ownerToken,
  startTestApp,
  type TestApp,
} from "../support/harness.ts";

const byToken = { apiToken: ownerToken, apiEmail: null, apiKey: null };
const byKey = { apiToken: null, apiEmail: ownerEmail, apiKey: ownerKey };

onComparedEngines("the npm package cloudflare", (engine) => {
  test("creates, lists, gets, edits, activates and deletes zones", async (t) => {
    const app = await startTestApp(t, engine);
    for (const client of clientsOf(app)) {
      const zone = await client.zones.create({ name: "example.com", account: { id: app.owner.accountId } });
      assert.deepEqual([zone.name, zone.status, zone.paused], ["example.com", "pending", false]);
      assert.deepEqual(await client.zones.get({ zone_id: zone.id }), zone);

      const edited = await client.zones.edit({ zone_id: zone.id, paused: true });
      assert.equal(edited.paused, true);
      assert.deepEqual(await client.zones.activationCheck.trigger({ zone_id: zone.id }), { id: zone.id });
      const active = await client.zones.get({ zone_id: zone.id });
      assert.deepEqual([active.status, active.paused], ["active", true]);

      const found = await client.zones.list({
        name: "example.com",
        account: { id: app.owner.accountId },
        status: "active",
      });
      assert.deepEqual(found.result, [active]);
      assert.deepEqual((await client.zones.list({ status: "pending" })).result, []);
      assert.deepEqual(await client.zones.delete({ zone_id: zone.id }), { id: zone.id });
      assert.deepEqual((await client.zones.list()).result, []);
    }
  });

  test("creates, gets, replaces, edits and deletes DNS records of every type", async (t) => {
    const app = await startTestApp(t, engine);
    const [client] = clientsOf(app);
    const zone_id = await app.createZone("example.com");
    for (const type of recordTypes) {
      const { sent, shown, otherSent, otherShown } = examples[type];
      const named = { zone_id, type, name: `${type.toLowerCase()}.example.com`, ttl: 1 };
      const record = await client.dns.records.create({ ...named, ...sent });
      assertShows(record, { name: named.name, type, ttl: 1, ...shown });
      const { id } = record;
      assert.deepEqual(await client.dns.records.get(id, { zone_id }), record);
      const replaced = await client.dns.records.update(id, {
        ...named,
        ...otherSent,
      });
      assertShows(replaced, { id, type, ...otherShown });
      const edited = await client.dns.records.edit(id, {
        zone_id,
        ttl: 300,
        comment: "text",
      } as RecordEditParams);
      assertShows(edited, { id, type, ttl: 300, comment: "text", ...otherShown });
      assert.deepEqual(await client.dns.records.delete(id, { zone_id }), { id });
    }
    assert.deepEqual((await client.dns.records.list({ zone_id })).result, []);
  });

  test("finds DNS records by its nested filters", async (t) => {
    const app = await startTestApp(t, engine);
    const [client] = clientsOf(app);
    const zone_id = await app.createZone("example.com");
    await client.dns.records.create({
      zone_id,
      type: "A",
      name: "www",
      content: "192.0.2.1",
      ttl: 300,
      comment: "Hello, world",
      tags: ["team:dns"],
    });
    await client.dns.records.create({
      zone_id,
      type: "A",
      name: "api",
      content: "192.0.2.2",
      ttl: 1,
      proxied: true,
    });
    const namesOf = async (query: Omit<Cloudflare.DNS.RecordListParams, "zone_id">) =>
      (await client.dns.records.list({ zone_id, ...query })).result.map(({ name }) => name);
    const www = ["www.example.com"];
    assert.deepEqual(await namesOf({ name: { exact: "www.example.com" } }), www);
    assert.deepEqual(await namesOf({ name: { startswith: "w", endswith: ".com" } }), www);
    assert.deepEqual(await namesOf({ content: { contains: "2.1" } }), www);
    assert.deepEqual(await namesOf({ comment: { present: "true" } }), www);
    assert.deepEqual(await namesOf({ comment: { contains: "hello, w" }, type: "A" }), www);
    assert.deepEqual(await namesOf({ tag: { exact: "team:dns" }, tag_match: "any" }), www);
    assert.deepEqual(await namesOf({ tag: { absent: "team" } }), ["api.example.com"]);
    assert.deepEqual(await namesOf({ proxied: true }), ["api.example.com"]);
    assert.deepEqual(await namesOf({ order: "name", direction: "desc" }), [...www, "api.example.com"]);
    assert.deepEqual(
      await namesOf({ search: "192.0.2.1", match: "any", include_shadow_metadata: true }),
      www,
    );
  });

  test("changes DNS records in a batch", async (t) => {
    const app = await startTestApp(t, engine);
    const zone_id = await app.createZone("example.com");
    for (const client of clientsOf(app)) {
      const create = (name: string) =>
        client.dns.records.create({ zone_id, type: "A", name, content: "192.0.2.1", ttl: 1 });
      const [gone, patched, put] = [await create("gone"), await create("patched"), await create("put")];
      const answer = await client.dns.records.batch({
        zone_id,
        deletes: [{ id: gone.id }],
        patches: [{ id: patched.id, ttl: 300 } as BatchPatchParam],
        puts: [{ id: put.id, type: "A", name: "put", content: "192.0.2.9", ttl: 1 }],
        posts: [{ type: "TXT", name: "posted", content: "text", ttl: 1 }],
      });
      assert.deepEqual(answer.deletes, [gone]);
      assertShows(answer.patches?.[0], { id: patched.id, ttl: 300, content: "192.0.2.1" });
      assertShows(answer.puts?.[0], { id: put.id, content: "192.0.2.9" });
      assertShows(answer.posts?.[0], { name: "posted.example.com", content: "text" });
      const left = (await client.dns.records.list({ zone_id })).result;
      assert.equal(left.length, 3);
      await client.dns.records.batch({ zone_id, deletes: left.map(({ id }) => ({ id })) });
    }
  });

  test("walks all pages of zones and of DNS records by itself", async (t) => {
    const app = await startTestApp(t, engine);
    const [client] = clientsOf(app);
    const zoneNames = Array.from(
      { length: 47 },
      (_, index) => `zone${String(index).padStart(2, "0")}.example`,
    );
    const ids = await Promise.all(zoneNames.map((name) => app.createZone(name)));
    const [zone_id = ""] = ids;
    const posts = zoneNames.map((name) => ({ type: "TXT" as const, name, content: "text", ttl: 1 as const }));
    await client.dns.records.batch({ zone_id, posts });

    for (const per_page of [undefined, 5, 47]) {
      const size = per_page === undefined ? {} : { per_page };
      const zones: string[] = [];
      for await (const { name } of client.zones.list(size)) zones.push(name);
      assert.deepEqual(zones, zoneNames);
      const records: string[] = [];
      for await (const { name } of client.dns.records.list({ zone_id, order: "name", ...size }))
        records.push(name);
      assert.deepEqual(
        records,
        zoneNames.map((name) => (name === "zone00.example" ? name : `${name}.zone00.example`)).toSorted(),
      );
    }
  });

  test("learns who it is, by token and by key", async (t) => {
    const app = await startTestApp(t, engine);
    const { accountId, userId } = app.owner;
    for (const client of clientsOf(app)) {
      assertShows(await client.user.get(), { id: userId, email: ownerEmail });
      const accounts = await client.accounts.list();
      assert.deepEqual(
        accounts.result.map(({ id }) => id),
        [accountId],
      );
      assert.deepEqual(await client.accounts.get({ account_id: accountId }), accounts.result[0]);
      const [membership, ...others] = (await client.memberships.list()).result;
      assert.deepEqual([membership?.account?.id, membership?.status, others], [accountId, "accepted", []]);
      const ips = await client.ips.list();
      assert.ok("ipv4_cidrs" in ips && ips.ipv4_cidrs?.includes("173.245.48.0/20"));
    }
    const [client] = clientsOf(app);
    assert.equal((await client.user.tokens.verify()).status, "active");
  });
});

function clientsOf(app: TestApp): readonly [Cloudflare, Cloudflare] {
  const options = { baseURL: app.baseUrl, maxRetries: 0 };
  return [new Cloudflare({ ...byToken, ...options }), new Cloudflare({ ...byKey, ...options })];
}

/** Shows that an answer has these fields; it may have others. */
function assertShows(answer: object | undefined, expected: Readonly<Record<string, unknown>>): void {
  const shown = Object.entries(answer ?? {}).filter(([name]) => name in expected);
  assert.deepEqual(Object.fromEntries(shown), expected);
}
