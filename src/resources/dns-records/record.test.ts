import assert from "node:assert/strict";
import { test } from "node:test";

import { sql } from "kysely";

import { createDnsZone, shareApp, type Refusal } from "../../../test/support/dns-zone.ts";
import { onComparedEngines } from "../../../test/support/harness.ts";
import { besideServer } from "../../../test/support/store.ts";
import { importFile } from "../../../test/support/zone-file-form.ts";

const text = { type: "TXT", name: "text", content: "a text" };
const tooManyTags = { code: 9300, pointer: "/tags" };
const address = { type: "A", name: "www", content: "192.0.2.1" };

onComparedEngines("fields of a DNS record", (engine) => {
  const app = shareApp(engine);
  const appNearOrigins = shareApp(engine, { edge_origin_networks: ["10.1.0.0/16", "::1"] });

  test("a name is complete, ASCII and lower case, however it was sent", async (t) => {
    const zone = await createDnsZone(t, app());
    const names = [
      ["@", "example.com"],
      ["", "example.com"],
      ["example.com", "example.com"],
      ["Example.COM.", "example.com"],
      ["www", "www.example.com"],
      ["www.example.com", "www.example.com"],
      ["WWW.Example.com.", "www.example.com"],
      ["a.b", "a.b.example.com"],
      ["*", "*.example.com"],
      ["*.Sub", "*.sub.example.com"],
      ["_dmarc", "_dmarc.example.com"],
      ["bücher", "xn--bcher-kva.example.com"],
      ["BÜCHER.example.com.", "xn--bcher-kva.example.com"],
      ["例え。example。com", "xn--r8jz45g.example.com"],
      ["example.net", "example.net.example.com"],
      ["notexample.com", "notexample.com.example.com"],
    ] as const;
    for (const [index, [sent, stored]] of names.entries()) {
      const record = await zone.create({ type: "TXT", name: sent, content: `text ${index}` });
      assert.equal(record.name, stored, sent);
      assert.equal((await zone.list({ name: stored, content: `text ${index}` })).length, 1, sent);
    }
  });

  test("a name that no record of the zone can have is refused", async (t) => {
    const zone = await createDnsZone(t, app());
    const refusal = { code: 9000, message: "DNS name is invalid.", pointer: "/name" };
    const ascii = ["www.example.net.", "a..b", ".", "a b", "a.*", "-".repeat(64), "a.".repeat(126)];
    const values = [...ascii, "ü".repeat(80), undefined, null, 1, true, ["www"], { name: "www" }];
    await zone.refusesEach("POST", "", { body: text, field: "name", values }, refusal);
  });

  test("a target is ASCII, lower case and without final dot; `@` is the zone itself", async (t) => {
    const zone = await createDnsZone(t, app());
    const targets = [
      ["Target.Example.NET.", "target.example.net"],
      ["bücher.example", "xn--bcher-kva.example"],
      ["_under.example.net", "_under.example.net"],
      ["@", "example.com"],
      ["short", "short"],
    ] as const;
    for (const [index, [content, shown]] of targets.entries()) {
      const name = `host${index}`;
      const mail = await zone.create({ type: "MX", name, content, priority: 1 });
      const data = { priority: 1, weight: 2, port: 3, target: content };
      const service = await zone.create({ type: "SRV", name, data });
      assert.deepEqual(
        [mail.content, service.content, service.data?.["target"]],
        [shown, `2 3 ${shown}`, shown],
      );
    }
  });

  test("the old form of SRV gets its name from its data", async (t) => {
    const zone = await createDnsZone(t, app());
    const data = { service: "_sip", proto: "_tcp", priority: 1, weight: 2, target: "sip.example.net" };
    const names = [
      ["@", "_sip._tcp.example.com"],
      ["example.com", "_sip._tcp.example.com"],
      ["voice", "_sip._tcp.voice.example.com"],
      ["chat.example.com.", "_sip._tcp.chat.example.com"],
    ];
    for (const [index, [name, stored]] of names.entries()) {
      const port = 5060 + index;
      const record = await zone.create({ type: "SRV", data: { ...data, name, port } });
      assert.equal(record.name, stored);
      assert.deepEqual(record.data, { port, priority: 1, target: "sip.example.net", weight: 2 });
    }
  });

  test("TTL is automatic or within the bounds of the plan", async (t) => {
    const plans = [
      { plan: "free", least: 60 },
      { plan: "pro", least: 60 },
      { plan: "business", least: 60 },
      { plan: undefined, least: 30 },
    ] as const;
    for (const { plan, least } of plans) {
      const zone = await createDnsZone(t, app(), `${plan ?? "enterprise"}.example`, plan);
      const record = await zone.create(text);
      for (const ttl of [1, least, 3600, 86_400]) {
        assert.equal((await zone.send("PUT", `/${record.id}`, { ...text, ttl })).body.result.ttl, ttl);
      }
      const refusal = {
        code: 9021,
        message: `Invalid TTL. Must be between ${least} and 86,400 seconds, or 1 for Automatic.`,
        pointer: "/ttl",
      };
      const values = [0, 2, least - 1, 86_401, -1, 1.5, 1e300, "auto", "", "0x3c", true, [300], {}];
      await zone.refusesEach("PUT", `/${record.id}`, { body: text, field: "ttl", values }, refusal);
    }
  });

  test("what can be proxied says so, and its TTL is automatic while it is", async (t) => {
    const zone = await createDnsZone(t, app());
    const proxiable = [
      { type: "A", name: "a", content: "192.0.2.1" },
      { type: "AAAA", name: "aaaa", content: "2001:db8::1" },
      { type: "CNAME", name: "cname", content: "example.net" },
    ];
    for (const body of proxiable) {
      const record = await zone.create({ ...body, proxied: true, ttl: 300 });
      assert.deepEqual([record.proxiable, record.proxied, record.ttl], [true, true, 1]);
      const { id } = record;
      const edited = (await zone.send("PATCH", `/${id}`, { ttl: 600 })).body.result;
      assert.deepEqual([edited.proxied, edited.ttl], [true, 1]);
      const direct = (await zone.send("PATCH", `/${id}`, { proxied: false, ttl: 600 })).body.result;
      assert.deepEqual([direct.proxiable, direct.proxied, direct.ttl], [true, false, 600]);
    }
  });

  test("what cannot be proxied says so, and is refused when it shall be", async (t) => {
    const zone = await createDnsZone(t, app());
    const bodies = [
      ...[
        "10.0.0.1",
        "127.0.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "1.1.1.1",
        "1.0.0.1",
      ].map((content) => ({ type: "A", content })),
      ...["fe80::1", "fd00::1", "::1", "2606:4700:4700::1111", "2606:4700:4700::1001"].map((content) => ({
        type: "AAAA",
        content,
      })),
      ...["dkim2.mcsv.net", "a.dkim.amazonses.com", "tenant.onmicrosoft.com"].map((content) => ({
        type: "CNAME",
        content,
      })),
      { type: "MX", content: "mx.example.net", priority: 1 },
      { type: "NS", content: "ns.example.net" },
      { type: "TXT", content: "a text" },
    ];
    for (const [index, body] of bodies.entries()) {
      const named = { ...body, name: `host${index}` };
      const refusal = unproxiable(body);
      await zone.refuses("POST", "", { ...named, proxied: true }, refusal);
      const { id, proxiable, proxied } = await zone.create(named);
      assert.deepEqual([proxiable, proxied], [false, false]);
      await zone.refuses("PATCH", `/${id}`, { proxied: true }, refusal);
    }
    const { id } = await zone.create({ ...address, proxied: true });
    await zone.refuses(
      "PATCH",
      `/${id}`,
      { content: "10.0.0.1" },
      unproxiable({ type: "A", content: "10.0.0.1" }),
    );
    const other = { type: "TXT", content: "a text" };
    await zone.refuses("PATCH", `/${id}`, other, unproxiable(other));
  });

  test("addresses that the edge may reach can be proxied, whichever way they come, and no others", async (t) => {
    const zone = await createDnsZone(t, appNearOrigins());
    const near = { type: "A", name: "near", content: "10.1.0.1", proxied: true };
    const far = { type: "A", name: "far", content: "10.2.0.1", proxied: true };
    const none = { type: "AAAA", name: "none", content: "100::", proxied: true };
    const refusal = unproxiable(far);

    const { id, proxiable } = await zone.create(near);
    assert.equal(proxiable, true);
    await zone.create(none);
    await zone.refuses("POST", "", far, refusal);
    await zone.refuses("POST", "/batch", { posts: [far] }, { ...refusal, pointer: "/posts/0/content" });
    await zone.refuses("PATCH", `/${id}`, { content: "10.2.0.1" }, refusal);
    const loopback = { ...near, content: "127.0.0.1" };
    await zone.refuses("PUT", `/${id}`, loopback, unproxiable(loopback));
    assert.ok((await zone.send("PATCH", `/${id}`, { content: "10.1.0.2" })).body.success);
    assert.ok((await zone.send("PUT", `/${id}`, { ...near, content: "10.1.0.3" })).body.success);
    const posts = [{ ...near, type: "AAAA", content: "::1" }];
    assert.ok((await zone.send("POST", "/batch", { posts })).body.success);

    const lines = [
      "n1 A 10.1.0.4",
      "f1 A 10.2.0.4",
      ...Array.from({ length: 1_000 }, (_, n) => `x${n} A 10.1.1.1`),
    ];
    const file = `$TTL 300\n${lines.join("\n")}\n`;
    assert.ok((await importFile(appNearOrigins(), zone.id, file, "true")).body.success, "in a worker");
    const proxied = async (name: string) =>
      (await zone.list({ name: `${name}.example.com` })).map((record) => record.proxied);
    assert.deepEqual(
      [await proxied("n1"), await proxied("f1"), await proxied("x999")],
      [[true], [false], [true]],
    );
  });

  test("comments and tags are as long and as many as the plan allows, and say when they changed", async (t) => {
    const free = await createDnsZone(t, app(), "free.example", "free");
    const paid = await createDnsZone(t, app(), "paid.example", "pro");
    const tags = Array.from({ length: 20 }, (_, index) => `tag${index}:value`);

    const onFree = await free.create({ ...text, comment: "ü".repeat(100) });
    assert.equal(onFree.comment, "ü".repeat(100));
    const onPaid = await paid.create({ ...text, comment: "😀".repeat(500), tags });
    assert.deepEqual([onPaid.comment, onPaid.tags], ["😀".repeat(500), tags]);
    const now = onPaid.created_on;
    assert.deepEqual([onPaid.comment_modified_on, onPaid.tags_modified_on], [now, now]);
    assert.deepEqual([onFree.comment_modified_on, "tags_modified_on" in onFree], [now, false]);

    app().advance(1000);
    const edited = (await paid.send("PATCH", `/${onPaid.id}`, { tags: ["one:1"] })).body.result;
    assert.equal(edited.comment_modified_on, now);
    assert.equal(edited.tags_modified_on, edited.modified_on);
    assert.notEqual(edited.modified_on, now);

    await free.refuses(
      "POST",
      "",
      { ...text, name: "b", tags: ["a:b"] },
      { ...tooManyTags, message: "DNS record has 1 tags, exceeding the quota of 0." },
    );
    await paid.refuses(
      "POST",
      "",
      { ...text, name: "b", tags: [...tags, "more:1"] },
      { ...tooManyTags, message: "DNS record has 21 tags, exceeding the quota of 20." },
    );
    await free.refuses(
      "POST",
      "",
      { ...text, name: "b", comment: "c".repeat(101) },
      {
        code: 9313,
        message: "DNS record comment exceeds the maximum length of 100 characters.",
        pointer: "/comment",
      },
    );
  });

  test("a tag has a name, and a value or none", async (t) => {
    const zone = await createDnsZone(t, app());
    const good = [
      "name",
      "name:",
      "name:value",
      "Name_1-a:a value: with colon, 例",
      `${"n".repeat(32)}:${"v".repeat(100)}`,
    ];
    assert.deepEqual((await zone.create({ ...text, tags: good })).tags, good);
    const forms = ["", ":value", "a b:c", "ü:c", "n".repeat(33), `n:${"v".repeat(101)}`];
    const bad = [...forms, "n:\u0000", "n:\ud800", 1, null, ["a:b"]];
    const values = bad.map((tag) => ["good:1", tag]);
    await zone.refusesEach(
      "POST",
      "",
      { body: address, field: "tags", values },
      {
        code: 9302,
        message:
          "A tag must have the form name:value, with a name of at most 32 letters, digits, underscores and hyphens and a value of at most 100 characters.",
        pointer: "/tags/1",
      },
    );
  });

  test("a tag that stands there twice is kept once, and names differ by more than case", async (t) => {
    const zone = await createDnsZone(t, app());
    const sent = ["team:dns", "one", "team:dns", "Team:dns", "one:", "ONE", "team:DNS"];
    const kept = ["team:dns", "one", "one:", "team:DNS"];
    assert.deepEqual((await zone.create({ ...text, tags: sent })).tags, kept);
    const twenty = Array.from({ length: 20 }, (_, index) => `n${index}:v`);
    const full = await zone.create({ ...text, name: "full", tags: [...twenty, ...twenty] });
    assert.deepEqual(full.tags, twenty);
    assert.deepEqual((await zone.send("PATCH", `/${full.id}`, { tags: ["a:b", "a:b"] })).body.result.tags, [
      "a:b",
    ]);
  });

  test("a comment with line ends that is there already stays, and another is refused", async (t) => {
    const zone = await createDnsZone(t, app());
    const { id } = await zone.create(address);
    await besideServer(app(), (db) =>
      db
        .updateTable("dns_records")
        .set({ record: sql`replace(record, '"comment":null', '"comment":"a\\nb"')` })
        .execute(),
    );
    const { status, body } = await zone.send("PATCH", `/${id}`, { ttl: 600 });
    assert.deepEqual([status, body.result.comment, body.result.ttl], [200, "a\nb", 600]);
    const { status: again } = await zone.send("PATCH", `/${id}`, { comment: "a\nb" });
    assert.equal(again, 400);
  });

  test("flatten_cname of a proxied alias is dropped without a word, whichever way it comes", async (t) => {
    const zone = await createDnsZone(t, app());
    const alias = { type: "CNAME", name: "alias", content: "example.net", settings: { flatten_cname: true } };
    const proxied = await zone.create({ ...alias, proxied: true });
    assert.deepEqual(proxied.settings, { flatten_cname: false });
    const put = await zone.send("PUT", `/${proxied.id}`, { ...alias, proxied: true });
    assert.deepEqual(put.body.result.settings, { flatten_cname: false });
    const patched = await zone.send("PATCH", `/${proxied.id}`, { settings: { flatten_cname: true } });
    assert.deepEqual(patched.body.result.settings, { flatten_cname: false });
    const direct = await zone.send("PATCH", `/${proxied.id}`, {
      proxied: false,
      settings: { flatten_cname: true },
    });
    assert.deepEqual(direct.body.result.settings, { flatten_cname: true });
    const both = await zone.send("PATCH", `/${proxied.id}`, { proxied: true });
    assert.deepEqual(both.body.result.settings, { flatten_cname: false });
    const answer = await importFile(
      app(),
      zone.id,
      "b CNAME example.net. ; cf_tags=cf-proxied:true,cf-flatten-cname",
    );
    assert.deepEqual([answer.body.result.recs_added, answer.body.messages], [1, []]);
    assert.deepEqual((await zone.list({ name: "b.example.com" }))[0]?.settings, { flatten_cname: false });
  });

  test("a long text in quotes is cut every 255 octets by every change, and one without is kept as sent", async (t) => {
    const zone = await createDnsZone(t, app());
    const long = "x".repeat(600);
    const cut = `"${"x".repeat(255)}" "${"x".repeat(255)}" "${"x".repeat(90)}"`;
    const txt = { type: "TXT", name: "t" };
    const { id, content } = await zone.create({ ...txt, content: `"${long}"` });
    assert.equal(content, cut);
    for (const method of ["PUT", "PATCH"]) {
      const answer = await zone.send(method, `/${id}`, { ...txt, content: `"${long}"` });
      assert.equal(answer.body.result.content, cut);
    }
    const posts = [{ ...txt, name: "u", content: `"a" "${long}"` }];
    const batch = await zone.send("POST", "/batch", { posts });
    assert.equal(batch.body.result.posts[0].content, `"a" ${cut}`);
    assert.equal((await zone.create({ ...txt, name: "v", content: long })).content, long);
    await zone.refuses(
      "POST",
      "",
      { ...txt, content: long },
      {
        code: 81058,
        message: "An identical record already exists.",
        pointer: "/content",
      },
    );
  });

  test("the records of a name and type have 8,192 characters of content together, and no more", async (t) => {
    const zone = await createDnsZone(t, app());
    const refusal = {
      code: 83011,
      message: "Combined content length of records with this name and type must not exceed 8192 characters.",
      pointer: "/content",
    };
    const txt = (length: number, first = "x") => ({
      type: "TXT",
      name: "t",
      content: first + "x".repeat(length - 1),
    });
    await zone.create(txt(4_000));
    const { id } = await zone.create(txt(3_000, "y"));
    await zone.refuses("POST", "", txt(1_193, "z"), refusal);
    await zone.refuses(
      "POST",
      "/batch",
      { posts: [txt(1_000, "z"), txt(193, "a")] },
      { ...refusal, pointer: "/posts/1/content" },
    );
    await zone.refuses(
      "PATCH",
      `/${id}`,
      { content: "z".repeat(4_000) + "é".repeat(40) + "z".repeat(193) },
      {
        code: 9015,
        message: "Record content exceeds the allowed length of 4096 wire format bytes.",
        pointer: "/content",
      },
    );
    const other = await zone.create({ ...txt(1_300, "z"), name: "other" });
    await zone.refuses("PATCH", `/${other.id}`, { name: "t" }, refusal);
    const full = await zone.send("POST", "/batch", { posts: [txt(1_000, "z"), txt(192, "a")] });
    assert.equal(full.status, 200, full.text);
    await zone.refuses("PUT", `/${id}`, txt(3_001, "y"), refusal);
    assert.equal((await zone.send("PUT", `/${id}`, txt(3_000, "w"))).status, 200);
    assert.equal((await zone.send("PATCH", `/${id}`, { content: "short" })).status, 200);
    assert.equal((await zone.create({ type: "A", name: "t", content: "192.0.2.1" })).type, "A");
    // Characters count, and not octets.
    await zone.create({ type: "TXT", name: "u", content: `"${"é".repeat(1_000)}"` });
  });

  test("a tag that a zone file would read as an attribute of the record is refused", async (t) => {
    const zone = await createDnsZone(t, app());
    for (const tag of ["cf-proxied:true", "CF-Flatten-CNAME", "cf-ipv4-only", "cf-ipv6-only:true"]) {
      await zone.refuses(
        "POST",
        "",
        { ...address, tags: [tag] },
        { code: 9303, message: `The tag ${tag} is reserved.`, pointer: "/tags/0" },
      );
    }
  });

  test("an alias cannot stand for itself, however it is written", async (t) => {
    const zone = await createDnsZone(t, app());
    for (const content of ["loop.example.com", "LOOP.example.com."]) {
      await zone.refuses(
        "POST",
        "",
        { type: "CNAME", name: "loop", content },
        { code: 9039, message: "CNAME content cannot reference itself.", pointer: "/content" },
      );
    }
  });

  test("settings are those of the type; others are ignored", async (t) => {
    const zone = await createDnsZone(t, app());
    const all = { ipv4_only: true, ipv6_only: false, flatten_cname: true, unknown: 1 };
    const address4 = await zone.create({ ...address, settings: all });
    assert.deepEqual(address4.settings, { ipv4_only: true, ipv6_only: false });
    const alias = await zone.create({ type: "CNAME", name: "alias", content: "example.net", settings: all });
    assert.deepEqual(alias.settings, { flatten_cname: true, ipv4_only: true, ipv6_only: false });
    assert.deepEqual((await zone.create({ ...text, settings: all })).settings, {});
    await zone.refuses(
      "POST",
      "",
      { ...address, name: "b", settings: { ipv4_only: "yes" } },
      {
        code: 9321,
        message: "ipv4_only must be a boolean.",
        pointer: "/settings/ipv4_only",
      },
    );
  });

  test("fields that only the server sets are ignored, whatever a client sends in them", async (t) => {
    const zone = await createDnsZone(t, app());
    const readOnly = {
      id: "0".repeat(32),
      zone_id: "0".repeat(32),
      zone_name: "example.net",
      created_on: "0001-01-01T00:00:00Z",
      modified_on: "0001-01-01T00:00:00Z",
      comment_modified_on: 1,
      tags_modified_on: {},
      proxiable: false,
      locked: true,
      meta: { auto_added: true },
      settings: {},
      tags: null,
      data: null,
      priority: null,
      unknown: "field",
    };
    const plain = await zone.create(address);
    const { id } = plain;
    const full = await zone.create({ ...address, ...readOnly, name: "full" });
    assert.deepEqual({ ...full, id, name: plain.name }, plain);
    const replaced = (await zone.send("PUT", `/${id}`, { ...address, ...readOnly })).body.result;
    assert.deepEqual(replaced, plain);
    assert.deepEqual((await zone.send("PATCH", `/${id}`, readOnly)).body.result, plain);
  });
});

/** The refusal of a record that cannot be proxied and shall be. */
function unproxiable({ type, content }: { readonly type: string; readonly content: string }): Refusal {
  if (!["A", "AAAA", "CNAME"].includes(type)) {
    return { code: 9004, message: "This record type cannot be proxied.", pointer: "/proxied" };
  }
  const target = type === "CNAME" ? `${content}.` : content;
  return {
    code: 9003,
    message: `Target ${target} is not allowed for a proxied record.`,
    pointer: "/content",
  };
}
