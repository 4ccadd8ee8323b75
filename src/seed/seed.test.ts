import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";

import { newLocation, onEachEngine, startTestApp, until } from "../../test/support/harness.ts";
import { besideServer } from "../../test/support/store.ts";
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
    rulesets:
      - phase: http_request_firewall_custom
        rules: [{ action: block, expression: ip.src in $office }]
    settings: { ssl: strict, minify: { css: "on", html: "off", js: "off" } }
    lockdowns:
      - { urls: [example.com/wiki/*], configurations: [{ target: ip, value: 198.51.100.4 }], description: Wiki }
    user_agent_rules: [{ mode: block, configuration: { target: ua, value: BadBot }, paused: true }]
    certificate_packs:
      - { hosts: [example.com, www.example.com], validity_days: 14, certificate_authority: lets_encrypt }
  - name: example.org
    type: partial
    settings: [{ id: ipv6, value: "off" }]
  - name: foreign.example
    account: Second
lists:
  - { name: office, kind: ip, description: Ours, items: [{ ip: 192.0.2.1 }, { ip: 198.51.100.0/24, comment: all }] }
  - { account: Second, name: empty, kind: ip }
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
    const rulesets = `/zones/${zones[0].id}/rulesets/phases/http_request_firewall_custom/entrypoint`;
    const { body } = await app.request("GET", rulesets);
    assert.deepEqual([body.result.name, body.result.rules[0].action], ["default", "block"]);
    const firewall = async (part: string) =>
      (await app.request("GET", `/zones/${zones[0].id}/firewall/${part}`)).body.result[0];
    assert.equal((await firewall("lockdowns")).description, "Wiki");
    assert.equal((await firewall("ua_rules")).configuration.value, "BadBot");
    const lists = `/accounts/${app.owner.accountId}/rules/lists`;
    const [list, ...others] = (await app.request("GET", lists)).body.result;
    const { name, num_items, num_referencing_filters } = list;
    assert.deepEqual([name, num_items, num_referencing_filters, others], ["office", 2, 1, []]);
    const items = (await app.request("GET", `${lists}/${list.id}/items`)).body.result;
    assert.deepEqual(
      items.map(({ ip, comment }: Record<string, string>) => [ip, comment]),
      [
        ["192.0.2.1", undefined],
        ["198.51.100.0/24", "all"],
      ],
    );
    assert.equal((await app.request("GET", "/accounts")).body.result.length, 1);
    // The zone of the other account is there, though not the owner's.
    const foreign = await besideServer(app, (tx) =>
      tx.selectFrom("zones").select("name").where("account_id", "<>", app.owner.accountId).execute(),
    );
    assert.deepEqual(foreign, [{ name: "foreign.example" }]);
  });

  test("a zone below another account's is active only where that delegates to it; a name is active once", async (t) => {
    const zones = `
accounts: [{ name: Other }]
zones:
  - { name: example.com, status: active, records: [{ type: NS, name: open, content: ns.shared.example }] }
  - { name: closed.example.com, status: active, account: Other }
  - { name: open.example.com, status: active, account: Other }
  - { name: example.com, account: Other }
`;
    const settings = { name_servers: ["ns.shared.example"] };
    const app = await startTestApp(t, engine, { ...settings, seed: seedFile(t, zones) });
    const rows = await besideServer(app, (tx) =>
      tx.selectFrom("zones").select(["name", "status"]).orderBy("name").orderBy("status").execute(),
    );
    assert.deepEqual(rows, [
      { name: "closed.example.com", status: "pending" },
      { name: "example.com", status: "active" },
      { name: "example.com", status: "pending" },
      { name: "open.example.com", status: "active" },
    ]);
    const twice = zones.replace("name: example.com, account", "name: example.com, status: active, account");
    await assert.rejects(
      startTestApp(t, engine, { ...settings, seed: seedFile(t, twice) }),
      (error: unknown) => {
        assert.ok(error instanceof SeedError);
        assert.deepEqual(error.issues, ["zones/3/name: the zone already exists"]);
        return true;
      },
    );
  });

  test("the owner is invited to another account of the file, others to the owner's", async (t) => {
    const app = await startTestApp(t, engine, {
      seed: seedFile(
        t,
        `
accounts: [{ name: Second }]
invites:
  - { account: Second, email: OWNER@example.com, roles: [dns, d8e4a5f9b3c26d4ebf3a7b8c9d0e1f23] }
  - { account: Zoneward, email: dora@example.com }
`,
      ),
    });
    const [invite, ...others] = (await app.request("GET", "/user/invites")).body.result;
    assert.deepEqual(others, []);
    assert.deepEqual(
      [invite.organization_name, invite.status, invite.expires_on, invite.invited_by],
      ["Second", "pending", "2026-01-09T03:04:05.678000Z", "owner@example.com"],
    );
    assert.deepEqual(
      invite.roles.map(({ name }: { name: string }) => name),
      ["DNS", "Billing"],
    );
    await app.request("PATCH", `/user/invites/${invite.id}`, { body: { status: "accepted" } });
    assert.equal((await app.request("GET", "/accounts")).body.result.length, 2);
    const path = `/accounts/${app.owner.accountId}/members?status=pending`;
    const [dora] = (await app.request("GET", path)).body.result;
    assert.deepEqual([dora.email, dora.roles[0].name], ["dora@example.com", "Administrator Read Only"]);
  });

  test("a store that is not empty passes it over, errors in its content included", async (t) => {
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

  test("a file with errors is refused whole, every error listed, and the store stays empty", async (t) => {
    const bad = `
invites:
  - { account: Zoneward, email: owner@example.com }
  - { account: Zoneward, email: c@example.com, roles: [DNS, King] }
  - { account: Zoneward, email: nobody }
  - { account: Nowhere, email: d@example.com }
  - { account: Zoneward, email: a@example.com, roles: [] }
  - { account: Zoneward, email: b@example.com }
  - { account: Zoneward, email: B@example.com }
zones:
  - name: example.com
    plan: gold
    records:
      - { type: A, name: www, content: nope }
      - { type: A, name: www, content: 192.0.2.1 }
      - { type: CNAME, name: www, content: example.net }
      - { type: MX, name: "@", content: mail.example.net }
    settings: { ssl: maybe, no_such_setting: 1 }
    certificate_packs: [{ hosts: [example.com] }, { hosts: [www.example.com] }, { type: advanced }]
    rulesets:
      - { phase: http_request_firewall_custom, rules: [{ action: block, expression: nothing }] }
      - { rules: [] }
    lockdowns: [{ urls: [example.net/], configurations: [{ target: ip, value: 192.0.2.1 }] }]
    user_agent_rules: [{ mode: allow, configuration: { target: ua, value: a } }]
  - name: EXAMPLE.com
  - name: not_a_domain
  - name: example.org
    account: Nobody
lists:
  - { name: office, kind: ip, items: [{ ip: 192.0.2.1 }, { ip: nowhere }] }
  - { name: office, kind: ip }
  - { name: bad name, kind: ip }
  - { account: Nobody, name: office, kind: ip }
`;
    const location = await newLocation(t, engine);
    const store =
      location.engine === "postgres"
        ? { database: location.url }
        : { data: dirname((location as { file: string }).file) };
    await assert.rejects(startTestApp(t, engine, { ...store, seed: seedFile(t, bad) }), (error) => {
      assert.ok(error instanceof SeedError);
      assert.deepEqual(
        error.issues.map((issue) => issue.split(":")[0]),
        [
          "invites/0/email",
          "invites/1/roles/1",
          "invites/2/email",
          "invites/3/account",
          "invites/4/roles",
          "invites/6/email",
          "zones/0/plan",
          "zones/1/name",
          "zones/2/name",
          "zones/3/account",
          "lists/0/items/1/ip",
          "lists/1/name",
          "lists/2/name",
          "lists/3/account",
          "zones/0/records/0/content",
          "zones/0/records/3/priority",
          "zones/0/records/2",
          "zones/0/certificate_packs/1/hosts",
          "zones/0/certificate_packs/2/hosts",
          "zones/0/settings/0/value",
          "zones/0/settings/1",
          "zones/0/lockdowns/0/urls/0",
          "zones/0/user_agent_rules/0/mode",
          "zones/0/rulesets/0/rules/0/expression",
          "zones/0/rulesets/1/phase",
        ],
      );
      return true;
    });
    assert.ok((await startTestApp(t, engine, store)).owner.isNew);
  });
});

test("a file of the wrong form is refused with every error in its form", async (t) => {
  const wrong = `
zones:
  - { plan: pro, colour: red, waf: newest }
  - { name: 5, settings: none, certificate_packs: [nothing] }
account: [{ name: Typo }]
`;
  await assert.rejects(startTestApp(t, "sqlite", { seed: seedFile(t, wrong) }), (error) => {
    assert.ok(error instanceof SeedError);
    assert.deepEqual(error.issues.toSorted(), [
      "the file: unknown key `account`",
      "zones/0/waf: must be one of: previous, validation, new",
      "zones/0: `name` is missing",
      "zones/0: unknown key `colour`",
      "zones/1/certificate_packs/0: must be object",
      "zones/1/name: must be string",
      "zones/1/settings: must be array or object",
    ]);
    return true;
  });
  for (const [file, reason] of [
    [seedFile(t, "zones: ["), /^\S+ cannot be read: .* at line 1, column 9$/],
    ["/nonexistent/seed.yaml", /^\/nonexistent\/seed\.yaml cannot be read: ENOENT/],
  ] as const) {
    await assert.rejects(startTestApp(t, "sqlite", { seed: file }), (error) => {
      assert.ok(error instanceof SeedError);
      assert.match(error.issues.join("\n"), reason);
      return true;
    });
  }
});
