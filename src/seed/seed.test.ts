import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";

import { newLocation, onEachEngine, startTestApp, until } from "../../test/harness.ts";
import { SeedError } from "./read-seed.ts";

function seedFile(t: TestContext, text: string): string {
  const directory = mkdtempSync(join(tmpdir(), "zoneward-seed-"));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "seed");
  writeFileSync(file, text);
  return file;
}

const seed = `
accounts: [{ name: Second }]
zones:
  - name: Example.com
    plan: pro
    status: active
    records:
      - { type: A, name: www, content: 192.0.2.7, proxied: true }
      - { type: MX, name: "@", content: mail.example.net, priority: 10, comment: mail }
    settings: { ssl: strict, minify: { css: "on", html: "off", js: "off" } }
    certificate_packs:
      - { hosts: [example.com, www.example.com], validity_days: 14, certificate_authority: lets_encrypt }
  - name: example.org
    type: partial
    settings: [{ id: ipv6, value: "off" }]
  - name: foreign.example
    account: Second
`;

onEachEngine("seed", (engine) => {
  test("an empty store begins with what the file says, and the owner sees what is its own", async (t) => {
    const app = await startTestApp(t, engine, { seed: seedFile(t, seed) });
    const zones = (await app.request("GET", "/zones")).body.result;
    assert.deepEqual(
      zones.map(({ name, status, type, plan }: Record<string, { legacy_id: string }>) => [
        name,
        status,
        type,
        plan?.legacy_id,
      ]),
      [
        ["example.com", "active", "full", "pro"],
        ["example.org", "pending", "partial", "enterprise"],
      ],
    );
    const records = (await app.request("GET", `/zones/${zones[0].id}/dns_records`)).body;
    assert.equal(records.result_info?.total_count, 2);
    assert.deepEqual(
      records.result.map(({ type, name, content, ttl }: Record<string, unknown>) => [
        type,
        name,
        content,
        ttl,
      ]),
      [
        ["A", "www.example.com", "192.0.2.7", 1],
        ["MX", "example.com", "mail.example.net", 1],
      ],
    );
    const packs = `/zones/${zones[0].id}/ssl/certificate_packs`;
    await until(
      "the packs are active",
      async () => (await app.request("GET", packs)).body.result.length === 2,
    );
    const [universal, advanced] = (await app.request("GET", packs)).body.result.toSorted(
      (one: { type: string }, other: { type: string }) => (one.type > other.type ? -1 : 1),
    );
    assert.deepEqual(universal.hosts, ["example.com", "*.example.com"]);
    assert.deepEqual(
      [advanced.hosts, advanced.validity_days, advanced.certificate_authority],
      [["example.com", "www.example.com"], 14, "lets_encrypt"],
    );
    const setting = async (zone: number, id: string): Promise<unknown> =>
      (await app.request("GET", `/zones/${zones[zone].id}/settings/${id}`)).body.result.value;
    assert.equal(await setting(0, "ssl"), "strict");
    assert.deepEqual(await setting(0, "minify"), { css: "on", html: "off", js: "off" });
    assert.equal(await setting(1, "ipv6"), "off");
    assert.equal((await app.request("GET", "/accounts")).body.result.length, 1);
    // The zone of the other account is there, though not the owner's.
    assert.equal(
      (await app.request("POST", "/zones", { body: { name: "foreign.example" } })).body.errors[0]?.code,
      1061,
    );
  });

  test("a store that is not empty passes it over, mistakes of content included", async (t) => {
    const settings: { seed?: string } = {};
    const app = await startTestApp(t, engine, settings);
    await app.createZone("kept.example");
    Object.assign(app.config, { seed: seedFile(t, "zones: [{ name: not_a_domain }]") });
    await app.restart();
    const zones = (await app.request("GET", "/zones")).body.result;
    assert.deepEqual(
      zones.map(({ name }: { name: string }) => name),
      ["kept.example"],
    );
  });

  test("a file with mistakes is refused whole, every mistake listed, and the store stays empty", async (t) => {
    const bad = `
zones:
  - name: example.com
    plan: gold
    records:
      - { type: A, name: www, content: nope }
      - { type: A, name: www, content: 192.0.2.1 }
      - { type: CNAME, name: www, content: example.net }
      - { type: MX, name: "@", content: mail.example.net }
    settings: { ssl: maybe, no_such_setting: 1 }
    certificate_packs: [{ hosts: [example.com] }, { hosts: [www.example.com] }]
  - name: EXAMPLE.com
  - name: not_a_domain
  - name: example.org
    account: Nobody
`;
    const location = await newLocation(t, engine);
    const store =
      location.engine === "postgres"
        ? { database: location.url }
        : { data: dirname((location as { file: string }).file) };
    await assert.rejects(startTestApp(t, engine, { ...store, seed: seedFile(t, bad) }), (error) => {
      assert.ok(error instanceof SeedError);
      assert.deepEqual(
        error.mistakes.map((mistake) => mistake.split(":")[0]),
        [
          "zones/0/plan",
          "zones/0/records/0/content",
          "zones/0/records/3/priority",
          "zones/0/records/2",
          "zones/0/certificate_packs/1/hosts",
          "zones/0/settings/0/value",
          "zones/0/settings/1",
          "zones/1/name",
          "zones/2/name",
          "zones/3/account",
        ],
      );
      return true;
    });
    assert.ok((await startTestApp(t, engine, store)).owner.isNew);
  });
});

test("a file of the wrong form is refused with every mistake of form", async (t) => {
  const wrong = "zones: [{ plan: pro, colour: red }, { name: 5 }]\naccount: [{ name: Typo }]\n";
  await assert.rejects(startTestApp(t, "sqlite", { seed: seedFile(t, wrong) }), (error) => {
    assert.ok(error instanceof SeedError);
    const text = error.mistakes.join("\n");
    for (const part of [
      "unknown key `account`",
      "zones/0: unknown key `colour`",
      "zones/0: must have",
      "zones/1/name",
    ]) {
      assert.ok(text.includes(part), `${part} in ${text}`);
    }
    return true;
  });
  await assert.rejects(startTestApp(t, "sqlite", { seed: seedFile(t, "zones: [") }), SeedError);
  await assert.rejects(startTestApp(t, "sqlite", { seed: "/nonexistent/seed.yaml" }), SeedError);
});
