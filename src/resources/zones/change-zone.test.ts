import assert from "node:assert/strict";
import { before, test } from "node:test";

import {
  onComparedEngines,
  startTestApp,
  type TestApp,
  testOnEachEngine,
} from "../../../test/support/harness.ts";
import { addAccount, addZone, besideServer } from "../../../test/support/store.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";

const unknownId = "0123456789abcdef0123456789abcdef";
const invalidZone =
  '{"result":null,"success":false,"errors":[{"code":1001,"message":"Invalid zone identifier"}],"messages":[]}';

async function zoneText(app: TestApp, id: string): Promise<string> {
  return (await app.request("GET", `/zones/${id}`)).text;
}

onComparedEngines("a zone that the caller cannot reach", (engine) => {
  test("is answered exactly as one that does not exist, and stays as it is", async (t) => {
    const app = await startTestApp(t, engine);
    const foreign = await addZone(app, "foreign.example", { account_id: await addAccount(app, "Foreign") });
    const invited = await addZone(app, "invited.example", {
      account_id: await addAccount(app, "Invited", "pending"),
    });
    const rows = () => besideServer(app, (tx) => tx.selectFrom("zones").selectAll().orderBy("id").execute());
    const earlier = await rows();
    assert.equal(earlier.length, 2);
    const requests = [
      ["GET", ""],
      ["PATCH", "", { paused: true }],
      ["DELETE", ""],
      ["PUT", "/activation_check"],
      ["GET", "/dns_records"],
      ["POST", "/dns_records", { type: "A", name: "@", content: "192.0.2.1" }],
    ] as const;
    for (const [method, path, body] of requests) {
      for (const id of [unknownId, foreign, invited]) {
        const answer = await app.request(method, `/zones/${id}${path}`, body && { body });
        assert.equal(answer.status, 404, `${method} ${path}`);
        assert.equal(answer.text, invalidZone, `${method} ${path}`);
      }
    }
    assert.deepEqual(await rows(), earlier);
  });
});

onComparedEngines("editZone", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  before(async () => {
    app = await startTestApp(suite, engine);
  });

  test("each property changes alone, and the zone says when", async () => {
    const id = await app.createZone("each.example");
    const { result: earlier } = (await app.request("GET", `/zones/${id}`)).body;
    app.advance(60_000);
    const cases: readonly (readonly [object, object])[] = [
      [{ paused: true }, { paused: true }],
      [{ paused: false }, { paused: false }],
      [
        { vanity_name_servers: ["NS1.Example.com.", "ns2.münchen.example"] },
        {
          vanity_name_servers: ["ns1.example.com", "ns2.xn--mnchen-3ya.example"],
          name_servers: ["ns1.example.com", "ns2.xn--mnchen-3ya.example"],
        },
      ],
      [{ vanity_name_servers: [] }, { vanity_name_servers: [], name_servers: earlier.name_servers }],
      [{ type: "secondary" }, { type: "secondary" }],
      [{ type: "internal" }, { type: "internal" }],
      [{ type: "full", id: unknownId, name: "other.example", status: "moved", nothing: 1 }, { type: "full" }],
    ];
    const expected = { ...earlier, modified_on: "2026-01-02T03:05:05.678000Z" };
    for (const [body, change] of cases) {
      const answer = await app.request("PATCH", `/zones/${id}`, { body });
      assert.equal(answer.status, 200, answer.text);
      Object.assign(expected, change);
      assert.deepEqual(answer.body.result, expected);
      assert.equal(await zoneText(app, id), answer.text);
    }
  });

  test("a plan is chosen by id or by name", async () => {
    const id = await app.createZone("plan.example");
    const cases = [
      ["free", "free", "Free Website", 3, 0],
      ["94f3b7b768b0458b56d2cac4fe5ec0f9", "enterprise", "Enterprise Website", 125, 0],
      ["pro", "pro", "Pro Website", 20, 20],
      ["0feeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "free", "Free Website", 3, 0],
      ["business", "business", "Business Website", 50, 200],
      ["enterprise", "enterprise", "Enterprise Website", 125, 0],
    ] as const;
    const ids = new Map<string, string>();
    for (const [plan, legacyId, name, pageRules, price] of cases) {
      const answer = await app.request("PATCH", `/zones/${id}`, { body: { plan: { id: plan } } });
      assert.equal(answer.status, 200, answer.text);
      const { plan: shown, meta } = answer.body.result;
      assert.deepEqual([shown.legacy_id, shown.name, shown.price], [legacyId, name, price]);
      assert.equal(meta.page_rule_quota, pageRules);
      assert.match(shown.id, /^[0-9a-f]{32}$/);
      ids.set(legacyId, shown.id as string);
      assert.equal(await zoneText(app, id), answer.text);
    }
    assert.equal(new Set(ids.values()).size, 4);
  });

  test("a zone that becomes partial gets a key to prove itself with, and loses it again", async () => {
    const id = await app.createZone("partial.example");
    const edit = async (type: string) =>
      (await app.request("PATCH", `/zones/${id}`, { body: { type } })).body.result;
    const partial = await edit("partial");
    assert.match(partial.verification_key, /^\d{9}-\d{9}$/);
    assert.equal(partial.cname_suffix, "cdn.cloudflare.net");
    assert.equal((await edit("partial")).verification_key, partial.verification_key);
    const full = await edit("full");
    assert.equal(full.verification_key, undefined);
    assert.equal(full.cname_suffix, undefined);
    assert.notEqual((await edit("partial")).verification_key, partial.verification_key);
  });

  test("a body that changes nothing is 200, and the zone stays as it was", async () => {
    const id = await app.createZone("nothing.example");
    const earlier = await zoneText(app, id);
    app.advance(60_000);
    const nulls = { paused: null, type: null, vanity_name_servers: null, plan: null };
    for (const body of [
      {},
      nulls,
      { name: "other.example" },
      { type: "full" },
      { plan: { id: "enterprise" } },
    ]) {
      const answer = await app.request("PATCH", `/zones/${id}`, { body });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.text, earlier, JSON.stringify(body));
    }
    assert.equal(await zoneText(app, id), earlier);
  });

  test("what cannot be is 400 with its code and a pointer to it, and the zone stays as it was", async (t) => {
    const id = await app.createZone("refused.example");
    const earlier = await zoneText(app, id);
    const one = "Only one zone property can be changed at a time";
    const noPlan = "Invalid body `plan/id`: there is no such plan";
    const codes: Record<string, number> = { [one]: 1085, [noPlan]: 1088 };
    const types = "must be one of: full, partial, secondary, internal";
    const cases: readonly (readonly [object, string, string])[] = [
      [{ paused: true, type: "partial" }, "/type", one],
      [{ plan: { id: "free" }, paused: true }, "/plan", one],
      [{ type: "full", vanity_name_servers: [] }, "/vanity_name_servers", one],
      [{ paused: "true" }, "/paused", "Invalid body `paused`: must be boolean"],
      [{ paused: 1 }, "/paused", "Invalid body `paused`: must be boolean"],
      [{ type: "bogus" }, "/type", `Invalid body \`type\`: ${types}`],
      [{ type: ["full"] }, "/type", "Invalid body `type`: must be string"],
      [{ plan: "free" }, "/plan", "Invalid body `plan`: must be object"],
      [{ plan: {} }, "/plan/id", "Invalid body `plan/id`: is required"],
      [{ plan: { id: 5 } }, "/plan/id", "Invalid body `plan/id`: must be string"],
      [{ plan: { id: "gold" } }, "/plan/id", noPlan],
      [{ plan: { id: unknownId } }, "/plan/id", noPlan],
      [{ plan: { id: "constructor" } }, "/plan/id", noPlan],
      [
        { vanity_name_servers: "ns1" },
        "/vanity_name_servers",
        "Invalid body `vanity_name_servers`: must be array",
      ],
      ...[5, "ns1", "a..b", "ns 1.example.com", "", "x".repeat(300)].map(
        (entry) =>
          [{ vanity_name_servers: ["ns1.example.com", entry] }, "/vanity_name_servers/1", ""] as const,
      ),
      [
        { vanity_name_servers: Array.from({ length: 11 }, (_, index) => `ns${index}.example.com`) },
        "/vanity_name_servers",
        "Invalid body `vanity_name_servers`: must hold at most 10 items",
      ],
    ];
    for (const [sent, pointer, message] of cases)
      await t.test(`${pointer} of ${JSON.stringify(sent).slice(0, 80)}`, async () => {
        const { status, body } = await app.request("PATCH", `/zones/${id}`, { body: sent });
        assert.equal(status, 400, JSON.stringify(sent));
        assert.equal(body.errors.length, 1);
        assert.equal(body.errors[0]?.code, codes[message] ?? 1003);
        assert.deepEqual(body.errors[0]?.source, { pointer }, JSON.stringify(sent));
        if (message !== "") assert.equal(body.errors[0]?.message, message);
      });
    assert.equal(await zoneText(app, id), earlier);
  });

  testOnEachEngine("properties that change at the same instant do not undo each other", async (t, either) => {
    const own = await startTestApp(t, either);
    const id = await own.createZone("together.example");
    const changes = [
      { paused: true },
      { type: "secondary" },
      { plan: { id: "business" } },
      { vanity_name_servers: ["ns1.example.com"] },
    ];
    await Promise.all(changes.map((body) => own.request("PATCH", `/zones/${id}`, { body })));
    const { result } = (await own.request("GET", `/zones/${id}`)).body;
    assert.deepEqual(
      [result.paused, result.type, result.plan.legacy_id, result.vanity_name_servers],
      [true, "secondary", "business", ["ns1.example.com"]],
    );
  });
});

onComparedEngines("deleteZone", (engine) => {
  test("a deleted zone is gone with everything in it, its neighbours are not, and its name is free", async (t) => {
    const app = await startTestApp(t, engine);
    const [doomed, other] = [await app.createZone("example.com"), await app.createZone("example.org")];
    for (const id of [doomed, other]) {
      const record = { type: "A", name: "www", content: "192.0.2.1", tags: ["team:web"] };
      const answer = await app.request("POST", `/zones/${id}/dns_records`, { body: record });
      assert.equal(answer.status, 200, answer.text);
    }
    const deleted = await app.request("DELETE", `/zones/${doomed}`);
    assert.equal(deleted.status, 200);
    assert.equal(deleted.text, `{"result":{"id":"${doomed}"},"success":true,"errors":[],"messages":[]}`);

    for (const [method, path] of [
      ["GET", ""],
      ["DELETE", ""],
      ["GET", "/dns_records"],
      ["POST", "/dns_records"],
    ] as const) {
      const answer = await app.request(method, `/zones/${doomed}${path}`);
      assert.equal(answer.status, 404);
      assert.equal(answer.text, invalidZone);
    }
    const left = await besideServer(app, async (tx) => ({
      records: await tx.selectFrom("dns_records").select("zone_id").execute(),
      tags: await tx.selectFrom("dns_record_tags").select("tag_name").execute(),
    }));
    assert.deepEqual(
      left.records.map(({ zone_id }) => zone_id),
      [other],
    );
    assert.equal(left.tags.length, 1);

    const again = await app.createZone("example.com");
    assert.notEqual(again, doomed);
    assert.deepEqual((await app.request("GET", `/zones/${again}/dns_records`)).body.result, []);
  });

  testOnEachEngine("a zone is deleted once, however many ask for it at a time", async (t, either) => {
    const app = await startTestApp(t, either);
    const id = await app.createZone("example.com");
    const answers = await Promise.all(Array.from({ length: 6 }, () => app.request("DELETE", `/zones/${id}`)));
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 404, 404, 404, 404, 404],
    );
    const log = await app.request(
      "GET",
      `/accounts/${app.owner.accountId}/audit_logs?action.type=zone_delete`,
    );
    assert.equal(log.body.result_info?.total_count, 1);
  });
});
