import assert from "node:assert/strict";
import { before, test } from "node:test";

import {
  onComparedEngines,
  startTestApp,
  type TestAnswer,
  type TestApp,
  testOnEachEngine,
} from "../../../test/support/harness.ts";
import { addAccount } from "../../../test/support/store.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";

const startedOn = "2026-01-02T03:04:05.678000Z";
const unknownId = "0123456789abcdef0123456789abcdef";
const label63 = "a".repeat(63);
const name253 = [label63, label63, label63, "b".repeat(61)].join(".");

async function countZones(app: TestApp): Promise<number | undefined> {
  return (await app.request("GET", "/zones?per_page=1")).body.result_info?.total_count;
}

onComparedEngines("createZone", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  before(async () => {
    app = await startTestApp(suite, engine);
  });

  test("a name is answered in lower case, in Unicode and without its final dot", async (t) => {
    const cases = [
      ["Example.COM", "example.com"],
      ["example.org.", "example.org"],
      ["sub.example.org", "sub.example.org"],
      ["münchen.example", "münchen.example"],
      ["BÜCHER.Example.", "bücher.example"],
      ["例え。テスト", "例え.テスト"],
      ["łąka.żóła.example", "łąka.żóła.example"],
      ["xn--9ca.example", "é.example"],
      ["1.example", "1.example"],
      ["a--b.example", "a--b.example"],
      [name253, name253],
      [`${name253.slice(1)}.`, name253.slice(1)],
    ] as const;
    for (const [name, expected] of cases)
      await t.test(JSON.stringify(name), async () => {
        const { status, body, text } = await app.request("POST", "/zones", { body: { name } });
        assert.equal(status, 200, `${name}: ${text}`);
        assert.equal(body.result.name, expected);
        assert.equal((await app.request("GET", `/zones/${body.result.id}`)).body.result.name, expected);
      });
  });

  test("records of a zone with an international name have their names in Punycode", async () => {
    const { body } = await app.request("POST", "/zones", { body: { name: "żółw.example" } });
    const record = await app.request("POST", `/zones/${body.result.id}/dns_records`, {
      body: { type: "A", name: "łąka.żółw.example", content: "192.0.2.1" },
    });
    const { name, zone_name: zoneName } = record.body.result;
    assert.deepEqual([name, zoneName], ["xn--ka-ola7v.xn--w-uga1v8h.example", "xn--w-uga1v8h.example"]);
  });

  test("a name that is no domain is 400 code 1049, and nothing is stored", async () => {
    const total = await countZones(app);
    const names = [
      "com", "localhost", ".", "..", ".com", "a..com", "a.com..", "-a.com", "a-.com", "a.-com", "exa_mple.com",
      "_dmarc.example.com", "*.example.com", "*", "@", "a b.com", " a.com", "a.com ", "a\tb.com", "a\n.com",
      "1.2.3.4", "example.123", "::1", "[::1]", "http://example.com", "example.com/", "example.com:80",
      "owner@example.com", "a%41.com", "a,b.com", `${label63}a.com`, `a${name253}`,
      `${"ü".repeat(63)}.com`, "\u00ad.com", "a／b.com", "x".repeat(1024),
    ]; // prettier-ignore
    for (const name of names) {
      const { status, body } = await app.request("POST", "/zones", { body: { name } });
      assert.equal(status, 400, name);
      assert.deepEqual(body.errors, [
        {
          code: 1049,
          message: `${name} is not a registered domain`,
          source: { pointer: "/name" },
        },
      ]);
    }
    assert.equal(await countZones(app), total);
  });

  test("a field of a wrong type is 400 code 1003 with a pointer to it, and nothing is stored", async (t) => {
    const total = await countZones(app);
    const name = "refused.example";
    const text = "must be string";
    const cases: readonly (readonly [object, string, string])[] = [
      [{}, "/name", "is required"],
      [{ name: null }, "/name", text],
      [{ name: 5 }, "/name", text],
      [{ name: ["example.com"] }, "/name", text],
      [{ name: "" }, "/name", "must not be empty"],
      [{ name: "x".repeat(1025) }, "/name", "must have at most 1024 characters"],
      [{ name, account: "x" }, "/account", "must be object"],
      [{ name, account: [] }, "/account", "must be object"],
      [{ name, account: { id: 5 } }, "/account/id", text],
      [{ name, organization: { id: {} } }, "/organization/id", text],
      [{ name, type: "bogus" }, "/type", "must be one of: full, partial, secondary, internal"],
      [{ name, type: "FULL" }, "/type", "must be one of: full, partial, secondary, internal"],
      [{ name, type: 1 }, "/type", text],
      [{ name, jump_start: "yes" }, "/jump_start", "must be boolean"],
    ];
    for (const [sent, pointer, rule] of cases)
      await t.test(`${pointer} of ${JSON.stringify(sent).slice(0, 80)}`, async () => {
        const { status, body } = await app.request("POST", "/zones", { body: sent });
        assert.equal(status, 400, pointer);
        assert.deepEqual(body.errors, [
          { code: 1003, message: `Invalid body \`${pointer.slice(1)}\`: ${rule}`, source: { pointer } },
        ]);
      });
    assert.equal(await countZones(app), total);
  });

  test("fields that are read-only, unknown or null are ignored", async () => {
    const { status, body } = await app.request("POST", "/zones", {
      body: {
        id: unknownId,
        name: "read-only.example",
        status: "active",
        paused: null,
        vanity_name_servers: null,
        created_on: "2001-01-01T00:00:00Z",
        plan: { id: "free" },
        type: null,
        jump_start: null,
        nothing: [1, 2, 3],
      },
    });
    assert.equal(status, 200);
    const { id, status: state, paused, created_on, plan, type } = body.result;
    assert.notEqual(id, unknownId);
    assert.deepEqual(
      [state, paused, created_on, plan.legacy_id, type],
      ["pending", false, startedOn, "enterprise", "full"],
    );
  });

  test("a name that the account has is 400 code 1061, in whatever spelling", async (t) => {
    await app.createZone("taken.example");
    await app.createZone("zürich.example");
    const total = await countZones(app);
    const cases = [
      ["taken.example", "taken.example"],
      ["TAKEN.Example.", "taken.example"],
      ["ZÜRICH.example", "xn--zrich-kva.example"],
      ["xn--zrich-kva.example", "xn--zrich-kva.example"],
    ] as const;
    for (const [name, taken] of cases)
      await t.test(name, async () => {
        const { status, body } = await app.request("POST", "/zones", { body: { name } });
        assert.equal(status, 400, name);
        assert.deepEqual(body.errors, [
          { code: 1061, message: `${taken} already exists`, source: { pointer: "/name" } },
        ]);
      });
    assert.equal(await countZones(app), total);
  });

  test("a public suffix is 400 code 1049, whatever its type, and nothing is stored", async () => {
    const total = await countZones(app);
    for (const name of ["co.uk", "CO.UK.", "github.io", "com.cn", "公司.cn", "foo.ck", "s3.amazonaws.com"]) {
      for (const type of ["full", "partial", "secondary", "internal"]) {
        const { status, body } = await app.request("POST", "/zones", { body: { name, type } });
        assert.equal(status, 400, name);
        assert.equal(body.errors[0]?.code, 1049);
        assert.match(body.errors[0]?.message ?? "", / is a public suffix, which no account can have$/);
      }
    }
    assert.equal(await countZones(app), total);
    for (const name of [
      "www.ck",
      "example.co.uk",
      "someone.github.io",
      "home.arpa",
      "lan.internal",
      "a.test",
    ])
      await app.createZone(name);
    assert.equal(await countZones(app), (total ?? 0) + 6);
  });

  testOnEachEngine("of ten requests for one name at the same instant exactly one wins", async (t, either) => {
    const own = await startTestApp(t, either);
    for (const name of ["race.example", "race.org"]) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => own.request("POST", "/zones", { body: { name } })),
      );
      const [winner, ...others] = answers.filter(({ status }) => status === 200);
      assert.deepEqual(others, []);
      const refused = answers.filter(({ status }) => status === 400);
      assert.equal(refused.length, 9);
      for (const { body } of refused) assert.equal(body.errors[0]?.code, 1061);
      const listed = (await own.request("GET", `/zones?name=${name}`)).body.result;
      assert.deepEqual(listed, [winner?.body.result]);
    }
  });
});

onComparedEngines("createZone in a fresh store", (engine) => {
  test("a new zone has the public fields in their order, and is stored as it was answered", async (t) => {
    const app = await startTestApp(t, engine);
    const { status, body } = await app.request("POST", "/zones", { body: { name: "example.com" } });
    assert.equal(status, 200);
    const { id, name_servers, permissions, ...zone } = body.result;
    assert.match(id, /^[0-9a-f]{32}$/);
    assert.equal(name_servers.length, 2);
    for (const name of name_servers) assert.match(name, /^[a-z]+\.ns\.cloudflare\.com$/);
    assert.equal(permissions.length, 37);
    for (const permission of permissions) assert.match(permission, /^#[a-z_]+:(?:read|edit)$/);
    const account = { id: app.owner.accountId, name: "Zoneward" };
    assert.deepEqual(zone, {
      name: "example.com",
      status: "pending",
      paused: false,
      type: "full",
      development_mode: 0,
      original_name_servers: null,
      original_registrar: null,
      original_dnshost: null,
      modified_on: startedOn,
      created_on: startedOn,
      activated_on: null,
      vanity_name_servers: [],
      vanity_name_servers_ips: null,
      meta: { step: 2, custom_certificate_quota: 1, page_rule_quota: 125, phishing_detected: false },
      owner: { id: account.id, type: "organization", name: account.name },
      account,
      tenant: { id: null, name: null },
      tenant_unit: { id: null },
      plan: {
        id: "94f3b7b768b0458b56d2cac4fe5ec0f9",
        name: "Enterprise Website",
        price: 0,
        currency: "USD",
        frequency: "",
        is_subscribed: true,
        can_subscribe: true,
        legacy_id: "enterprise",
        legacy_discount: false,
        externally_managed: false,
      },
    });
    assert.deepEqual(Object.keys(body.result), [
      "id", "name", "status", "paused", "type", "development_mode", "name_servers", "original_name_servers",
      "original_registrar", "original_dnshost", "modified_on", "created_on", "activated_on",
      "vanity_name_servers", "vanity_name_servers_ips", "meta", "owner", "account", "tenant", "tenant_unit",
      "permissions", "plan",
    ]); // prettier-ignore
    assert.deepEqual((await app.request("GET", `/zones/${id}`)).body, body);
    assert.deepEqual((await app.request("GET", "/zones")).body.result, [body.result]);
  });

  test("the account is the one that is given, by either of its names, else the caller's first", async (t) => {
    const app = await startTestApp(t, engine);
    const second = await addAccount(app, "Second", "accepted");
    const first = app.owner.accountId;
    const cases: readonly (readonly [string, object, string])[] = [
      ["account", { account: { id: second } }, second],
      ["organization", { organization: { id: second } }, second],
      [
        "organization as an older client writes it",
        { jump_start: false, type: "full", organization: { id: second, created_on: "0001-01-01T00:00:00Z" } },
        second,
      ],
      ["both: account", { account: { id: first }, organization: { id: second } }, first],
      ["neither", {}, first],
      ["null", { account: null, organization: null }, first],
      ["an account without an id", { account: {}, organization: { id: null } }, first],
      ["an empty id", { account: { id: "" } }, first],
    ];
    for (const [index, [title, given, expected]] of cases.entries()) {
      const body = { name: `zone-${index}.example`, ...given };
      const answer = await app.request("POST", "/zones", { body });
      assert.equal(answer.status, 200, `${title}: ${answer.text}`);
      assert.equal(answer.body.result.account.id, expected, title);
      assert.equal(answer.body.result.owner.id, expected, title);
    }
  });

  test("an account that the caller cannot reach is answered as one that does not exist, and nothing is stored", async (t) => {
    const app = await startTestApp(t, engine);
    const foreign = await addAccount(app, "Foreign");
    const invitedTo = await addAccount(app, "Invited", "pending");
    for (const id of [unknownId, foreign, invitedTo, "not an id"]) {
      const { status, text } = await app.request("POST", "/zones", {
        body: { name: "example.com", account: { id } },
      });
      assert.equal(status, 404, id);
      assert.equal(
        text,
        '{"result":null,"success":false,"errors":[{"code":1001,"message":"Invalid account identifier"}],"messages":[]}',
      );
    }
    assert.equal(await countZones(app), 0);
  });

  test("a new zone has the plan, the vendor and the name servers of the settings", async (t) => {
    const app = await startTestApp(t, engine, {
      default_plan: "free",
      vendor: "acme",
      name_servers: ["ns1.acme.example", "ns2.acme.example"],
    });
    const { result } = (
      await app.request("POST", "/zones", { body: { name: "example.com", type: "partial" } })
    ).body;
    assert.equal(result.plan.legacy_id, "free");
    assert.equal(result.plan.id, "0feeeeeeeeeeeeeeeeeeeeeeeeeeeeee");
    assert.equal(result.meta.page_rule_quota, 3);
    assert.deepEqual(result.name_servers, [], "it is not delegated");
    assert.equal(result.cname_suffix, "cdn.acme.net");
    assert.match(result.verification_key, /^\d{9}-\d{9}$/);
    const full = await app.request("POST", "/zones", { body: { name: "example.net" } });
    assert.deepEqual(full.body.result.name_servers, ["ns1.acme.example", "ns2.acme.example"]);
  });

  test("a new zone is paused and has the vanity name servers that its body asks for", async (t) => {
    const app = await startTestApp(t, engine);
    const create = (fields: object): Promise<TestAnswer> =>
      app.request("POST", "/zones", { body: { name: "example.com", ...fields } });
    const refused = await create({ vanity_name_servers: ["ns1.example.com", "a b"] });
    assert.deepEqual(
      [refused.status, refused.body.errors[0]?.source?.pointer],
      [400, "/vanity_name_servers/1"],
    );
    const vanity = ["ns1.example.com", "ns2.example.com"];
    const { result } = (await create({ paused: true, vanity_name_servers: vanity })).body;
    assert.deepEqual(
      [result.paused, result.vanity_name_servers, result.name_servers],
      [true, vanity, vanity],
    );
    assert.deepEqual((await app.request("GET", `/zones/${result.id}`)).body.result, result);
  });

  test("all zones of an account have the same name servers, before and after a restart", async (t) => {
    const app = await startTestApp(t, engine);
    for (const name of ["a.example", "b.example"]) await app.createZone(name);
    const pairs = async (): Promise<string[]> =>
      (await app.request("GET", "/zones")).body.result.map(({ name_servers }: { name_servers: string[] }) =>
        name_servers.join(" "),
      );
    const earlier = await pairs();
    assert.equal(new Set(earlier).size, 1);
    assert.equal(new Set(earlier[0]?.split(" ")).size, 2);
    await app.restart();
    assert.deepEqual(await pairs(), earlier);
  });
});
