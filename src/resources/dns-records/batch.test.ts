import assert from "node:assert/strict";
import { test } from "node:test";

import { createDnsZone, shareApp, type DnsZone, type Refusal } from "../../../test/support/dns-zone.ts";
import { onComparedEngines } from "../../../test/support/harness.ts";
import type { DnsRecord } from "./schema.ts";

const unknownId = "0".repeat(32);
const invalidAddress = { code: 9005, message: "Content for A record must be a valid IPv4 address." };
const identical = { code: 81058, message: "An identical record already exists." };
const unknown = { status: 404, code: 81044, message: "Record does not exist.", chain: false };

onComparedEngines("a batch of DNS records", (engine) => {
  const app = shareApp(engine);

  test("deletes, patches, puts and posts, and answers the records in these four lists", async (t) => {
    const zone = await createDnsZone(t, app());
    const [gone, patched, put] = await createThree(zone);
    app().advance(1000);
    const answer = await zone.send("POST", "/batch", {
      posts: [a("four", 4), { type: "MX", name: "@", content: "mx.example.net.", priority: 10 }],
      puts: [{ id: put.id, ...a("three", 33) }],
      patches: [{ id: patched.id, ttl: 300 }],
      deletes: [{ id: gone.id }],
    });
    assert.equal(answer.status, 200, answer.text);
    const { deletes, patches, puts, posts } = answer.body.result;
    const { modified_on } = patches[0];
    assert.notEqual(modified_on, patched.modified_on);
    assert.deepEqual(Object.keys(answer.body.result), ["deletes", "patches", "puts", "posts"]);
    assert.deepEqual(deletes, [gone]);
    assert.deepEqual(patches, [{ ...patched, ttl: 300, modified_on }]);
    assert.deepEqual(puts, [{ ...put, content: "192.0.2.33", modified_on }]);
    assert.deepEqual(
      posts.map(({ content }: DnsRecord) => content),
      ["192.0.2.4", "mx.example.net"],
    );
    assert.deepEqual(byId(await zone.list()), byId([...patches, ...puts, ...posts]));
    assert.equal((await zone.send("GET", "")).body.result_info?.total_count, 4);
  });

  test("leaves nothing where it is refused, and what happens at the same time stays, with its entries", async (t) => {
    const zone = await createDnsZone(t, app());
    await zone.send("POST", "", a("taken", 9));
    const stay = Array.from({ length: 12 }, (_, n) => a(`stays-${n}`, n));
    const refusals = Array.from({ length: 4 }, (_, n) => ({ posts: [a(`gone-${n}`, n), a("taken", 9)] }));
    const [created, refused] = await Promise.all([
      Promise.all(stay.map((record) => zone.send("POST", "", record))),
      Promise.all(refusals.map((batch) => zone.send("POST", "/batch", batch))),
    ]);
    assert.deepEqual(new Set(created.map(({ status }) => status)), new Set([200]));
    assert.deepEqual(new Set(refused.map(({ status }) => status)), new Set([400]));
    const left = await zone.list();
    assert.deepEqual(
      left.map(({ name }) => name).toSorted(),
      ["taken", ...stay.map(({ name }) => name)].map((name) => `${name}.example.com`).toSorted(),
    );
    assert.equal((await zone.send("GET", "/usage")).body.result.record_usage, left.length);
    const { accountId } = app().owner;
    const logged = await app().request(
      "GET",
      `/accounts/${accountId}/audit_logs?zone.name=example.com&action.type=rec_add&per_page=1000`,
    );
    const entries: { id: string; resource: { id: string } }[] = logged.body.result;
    const ids = new Map(entries.map(({ id, resource }) => [resource.id, id]));
    for (const { body, headers } of created)
      assert.equal(ids.get(body.result.id), headers.get("cf-auditlog-id"));
    for (const { headers } of refused) assert.equal(headers.get("cf-auditlog-id"), null);
  });

  test("goes in that order, each operation on what the ones before it left", async (t) => {
    const zone = await createDnsZone(t, app());
    const [one, two, three] = await createThree(zone);
    const alias = { type: "CNAME", name: "one", content: "target.example.net" };
    // Each would conflict if the operation before it had not been carried out yet.
    const answer = await zone.send("POST", "/batch", {
      posts: [{ ...a("three", 3) }],
      puts: [{ id: three.id, ...a("two", 2) }],
      patches: [{ id: two.id, ...alias }],
      deletes: [{ id: one.id }],
    });
    assert.equal(answer.status, 200, answer.text);
    const names = (await zone.list()).map(({ type, name }) => `${type} ${name}`);
    assert.deepEqual(names.toSorted(), ["A three.example.com", "A two.example.com", "CNAME one.example.com"]);
  });

  test("judges each operation by the types that those before it left at a name", async (t) => {
    const zone = await createDnsZone(t, app());
    const [one, two] = await createThree(zone);
    const alias = (name: string) => ({ type: "CNAME", name, content: "target.example.net" });
    const answer = await zone.send("POST", "/batch", {
      patches: [
        { id: two.id, name: "one" },
        { id: one.id, name: "moved" },
        { id: two.id, ...alias("one") },
        { id: two.id, content: "other.example.net" },
      ],
      posts: [alias("two"), a("moved", 5)],
    });
    assert.equal(answer.status, 200, answer.text);
    const before = await zone.list();
    for (const [posts, pointer, code] of [
      [[a("moved", 6), alias("moved")], "/posts/1/name", 81053],
      [[{ type: "TXT", name: "one", content: "text" }, a("one", 6)], "/posts/1/name", 81054],
      [[a("moved", 6), a("moved", 6)], "/posts/1/content", 81058],
    ] as const) {
      const { status, body } = await zone.send("POST", "/batch", { posts });
      assert.deepEqual([status, body.errors[0]?.code, body.errors[0]?.source?.pointer], [400, code, pointer]);
    }
    assert.deepEqual(await zone.list(), before);
  });

  test("can change one record twice, and swap two records' contents", async (t) => {
    const zone = await createDnsZone(t, app());
    const [one, two] = await createThree(zone);
    const answer = await zone.send("POST", "/batch", {
      patches: [
        { id: one.id, content: two.content },
        { id: two.id, content: one.content },
        { id: one.id, comment: "swapped" },
      ],
      puts: [{ id: one.id, ...a("one", 2), comment: "swapped again" }],
    });
    assert.equal(answer.status, 200, answer.text);
    const records = await zone.list();
    const found = (id: string) => records.find((record) => record.id === id);
    assert.deepEqual([found(one.id)?.content, found(two.id)?.content], [two.content, one.content]);
    assert.equal(found(one.id)?.comment, "swapped again");
  });

  test("is carried out as a whole or not at all, and says which operation failed", async (t) => {
    const zone = await createDnsZone(t, app());
    const [one, two, three] = await createThree(zone);
    const good = {
      deletes: [{ id: one.id }],
      patches: [{ id: two.id, ttl: 300, tags: ["kept:no"], comment: "lost" }],
      puts: [{ id: three.id, ...a("three", 33) }],
      posts: [a("four", 4)],
    };
    const bad = { ...a("five", 5), content: "not an address" };
    const failures = [
      { batch: { posts: [...good.posts, bad] }, refusal: { ...invalidAddress, pointer: "/posts/1/content" } },
      {
        batch: { posts: [...good.posts, a("four", 4)] },
        refusal: { ...identical, pointer: "/posts/1/content" },
      },
      { batch: { posts: [a("two", 2)] }, refusal: { ...identical, pointer: "/posts/0/content" } },
      {
        batch: { puts: [...good.puts, { id: two.id, ...bad }] },
        refusal: { ...invalidAddress, pointer: "/puts/1/content" },
      },
      { batch: { puts: [{ id: one.id, ...a("one", 1) }] }, refusal: { ...unknown, pointer: "/puts/0" } },
      { batch: { patches: [{ id: unknownId, ttl: 300 }] }, refusal: { ...unknown, pointer: "/patches/0" } },
      {
        batch: { patches: [...good.patches, { id: three.id, ttl: 5 }] },
        refusal: {
          code: 9021,
          message: "Invalid TTL. Must be between 30 and 86,400 seconds, or 1 for Automatic.",
          pointer: "/patches/1/ttl",
        },
      },
      {
        batch: { deletes: [...good.deletes, { id: one.id }] },
        refusal: { ...unknown, pointer: "/deletes/1" },
      },
      { batch: { deletes: [{ id: unknownId }] }, refusal: { ...unknown, pointer: "/deletes/0" } },
    ];
    for (const { batch, refusal } of failures) {
      await zone.refuses("POST", "/batch", { ...good, ...batch }, refusal);
      assert.deepEqual(await zone.list({ tag: "kept" }), []);
      assert.equal((await zone.send("GET", "")).body.result_info?.total_count, 3);
    }
    assert.equal((await zone.send("POST", "/batch", good)).status, 200);
  });

  test("reports its first failure alone", async (t) => {
    const zone = await createDnsZone(t, app());
    const bad = { ...a("bad", 1), content: "not an address" };
    await zone.refuses(
      "POST",
      "/batch",
      { posts: [bad, bad], deletes: [{ id: unknownId }] },
      {
        ...unknown,
        pointer: "/deletes/0",
      },
    );
  });

  test("cannot exchange two records of one name: the first change meets the second record", async (t) => {
    const zone = await createDnsZone(t, app());
    const one = await zone.create(a("www", 1));
    const two = await zone.create(a("www", 2));
    const patches = [
      { id: one.id, content: two.content },
      { id: two.id, content: one.content },
    ];
    await zone.refuses("POST", "/batch", { patches }, { ...identical, pointer: "/patches/0/content" });
  });

  test("knows no record of another zone", async (t) => {
    const zone = await createDnsZone(t, app());
    const other = await createDnsZone(t, app(), "example.net");
    const { id } = await other.create(a("www", 1));
    const kept = await other.list();
    await zone.refuses("POST", "/batch", { deletes: [{ id }] }, { ...unknown, pointer: "/deletes/0" });
    await zone.refuses(
      "POST",
      "/batch",
      { patches: [{ id, ttl: 300 }] },
      { ...unknown, pointer: "/patches/0" },
    );
    await zone.refuses(
      "POST",
      "/batch",
      { puts: [{ id, ...a("www", 2) }] },
      { ...unknown, pointer: "/puts/0" },
    );
    assert.deepEqual(await other.list(), kept);
  });

  test("holds as many operations as the plan allows, and not one more", async (t) => {
    const free = await createDnsZone(t, app(), "free.example", "free");
    const paid = await createDnsZone(t, app(), "paid.example", "pro");
    await free.refuses("POST", "/batch", { posts: texts(201) }, overQuota(201, 200));
    assert.equal((await free.send("POST", "/batch", { posts: texts(200) })).status, 200);
    const [first] = await free.list();
    const mixed = { posts: texts(200), deletes: [{ id: first?.id }] };
    await free.refuses("POST", "/batch", mixed, overQuota(201, 200));
    await paid.refuses("POST", "/batch", { posts: texts(3501) }, overQuota(3501, 3500));
    assert.equal((await paid.send("POST", "/batch", { posts: texts(201) })).status, 200);
  });

  test("may be empty", async (t) => {
    const zone = await createDnsZone(t, app());
    const nothing = { deletes: [], patches: [], puts: [], posts: [] };
    const nulls = { deletes: null, patches: null, puts: null, posts: null };
    for (const body of [{}, nothing, nulls, { posts: [] }]) {
      const answer = await zone.send("POST", "/batch", body);
      assert.deepEqual([answer.status, answer.body.result], [200, nothing]);
    }
    assert.deepEqual(await zone.list(), []);
  });

  test("of a wrong shape is refused and says where", async (t) => {
    const zone = await createDnsZone(t, app());
    const { id } = await zone.create(a("www", 1));
    const shapes = [
      { body: [], pointer: "", rule: "body: must be object" },
      { body: null, pointer: "", rule: "body: must be object" },
      { body: "batch", pointer: "", rule: "body: must be object" },
      { body: { posts: [a("two", 2), 1] }, pointer: "/posts/1", rule: "body `posts/1`: must be object" },
      { body: { posts: [null] }, pointer: "/posts/0", rule: "body `posts/0`: must be object" },
      { body: { deletes: [id] }, pointer: "/deletes/0", rule: "body `deletes/0`: must be object" },
      { body: { deletes: [{}] }, pointer: "/deletes/0/id", rule: "body `deletes/0/id`: is required" },
      {
        body: { patches: [{ ttl: 300 }] },
        pointer: "/patches/0/id",
        rule: "body `patches/0/id`: is required",
      },
      {
        body: { puts: [{ id: 1, ...a("two", 2) }] },
        pointer: "/puts/0/id",
        rule: "body `puts/0/id`: must be string",
      },
      ...["nope", "\0", id.toUpperCase()].map((wrongId) => ({
        body: { deletes: [{ id: wrongId }] },
        pointer: "/deletes/0/id",
        rule: "body `deletes/0/id`: must be 32 hexadecimal characters in lower case",
      })),
    ];
    for (const { body, pointer, rule } of shapes) {
      await zone.refuses("POST", "/batch", body, {
        code: 1003,
        message: `Invalid ${rule}`,
        pointer,
        chain: false,
      });
    }
  });
});

function a(name: string, lastOctet: number): { type: string; name: string; content: string } {
  return { type: "A", name, content: `192.0.2.${lastOctet}` };
}

async function createThree(zone: DnsZone): Promise<[DnsRecord, DnsRecord, DnsRecord]> {
  return [await zone.create(a("one", 1)), await zone.create(a("two", 2)), await zone.create(a("three", 3))];
}

function byId(records: readonly DnsRecord[]): DnsRecord[] {
  return records.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

function texts(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    type: "TXT",
    name: `host${index}`,
    content: "text",
  }));
}

function overQuota(count: number, quota: number): Refusal {
  const message = `A batch has ${count} operations, exceeding the quota of ${quota}.`;
  return { code: 9330, message, pointer: "" };
}
