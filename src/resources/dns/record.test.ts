import assert from "node:assert/strict";
import { test } from "node:test";

import { createDnsZone, shareApp } from "../../../test/support/dns-zone.ts";
import { onEachEngine } from "../../../test/support/harness.ts";
import { importFile } from "../../../test/support/zone-file-form.ts";

const text = { type: "TXT", name: "text", content: "a text" };
const tooManyTags = { code: 9300, pointer: "/tags" };
const address = { type: "A", name: "www", content: "192.0.2.1" };

onEachEngine("fields of a DNS record", (engine) => {
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
    const refusal = { code: 9041, message: "This DNS record cannot be proxied.", pointer: "/proxied" };
    const bodies = [
      { type: "A", content: "10.0.0.1" },
      { type: "A", content: "127.0.0.1" },
      { type: "A", content: "192.168.1.1" },
      { type: "AAAA", content: "fe80::1" },
      { type: "AAAA", content: "fd00::1" },
      { type: "MX", content: "mx.example.net", priority: 1 },
      { type: "NS", content: "ns.example.net" },
      { type: "TXT", content: "a text" },
    ];
    for (const [index, body] of bodies.entries()) {
      const named = { ...body, name: `host${index}` };
      await zone.refuses("POST", "", { ...named, proxied: true }, refusal);
      const { id, proxiable, proxied } = await zone.create(named);
      assert.deepEqual([proxiable, proxied], [false, false]);
      await zone.refuses("PATCH", `/${id}`, { proxied: true }, refusal);
    }
    const { id } = await zone.create({ ...address, proxied: true });
    await zone.refuses("PATCH", `/${id}`, { content: "10.0.0.1" }, refusal);
    await zone.refuses("PATCH", `/${id}`, { type: "TXT", content: "a text" }, refusal);
  });

  test("addresses that the edge may reach can be proxied, whichever way they come, and no others", async (t) => {
    const zone = await createDnsZone(t, appNearOrigins());
    const near = { type: "A", name: "near", content: "10.1.0.1", proxied: true };
    const far = { type: "A", name: "far", content: "10.2.0.1", proxied: true };
    const none = { type: "AAAA", name: "none", content: "100::", proxied: true };
    const refusal = { code: 9041, message: "This DNS record cannot be proxied.", pointer: "/proxied" };

    const { id, proxiable } = await zone.create(near);
    assert.equal(proxiable, true);
    await zone.create(none);
    await zone.refuses("POST", "", far, refusal);
    await zone.refuses("POST", "/batch", { posts: [far] }, { ...refusal, pointer: "/posts/0/proxied" });
    await zone.refuses("PATCH", `/${id}`, { content: "10.2.0.1" }, refusal);
    await zone.refuses("PUT", `/${id}`, { ...near, content: "127.0.0.1" }, refusal);
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
        code: 9311,
        message: "DNS record comment has 101 characters, exceeding the quota of 100.",
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

  test("a tag that a zone file would read as an attribute of the record is refused", async (t) => {
    const zone = await createDnsZone(t, app());
    for (const tag of ["cf-proxied:true", "CF-Flatten-CNAME"]) {
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
