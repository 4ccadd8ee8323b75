import assert from "node:assert/strict";
import { test } from "node:test";

import { createDnsZone, shareApp } from "../support/dns-zone.ts";
import { onComparedEngines } from "../support/harness.ts";
import { kindOf } from "./json-kinds.ts";

const noTime = "0001-01-01T00:00:00Z";
/** Values that Go writes for fields of a record that its user did not set. */
const unset = { created_on: noTime, modified_on: noTime, settings: {}, tags: null, meta: null };

onComparedEngines("habits of clients with DNS records", (engine) => {
  const app = shareApp(engine);

  test("updaters and declarative clients send names relative, complete, with a final dot or as @", async (t) => {
    const zone = await createDnsZone(t, app());
    const names = {
      www: "www.",
      "www.example.com": "www.",
      "WWW.example.com.": "www.",
      "@": "",
      "example.com.": "",
    };
    for (const [index, [sent, prefix]] of Object.entries(names).entries()) {
      const record = await zone.create({ type: "TXT", name: sent, content: `text ${index}` });
      assert.equal(record.name, `${prefix}example.com`, sent);
    }
  });

  test("declarative clients send targets with a final dot, and plan changes for ever if they read one they would add", async (t) => {
    const zone = await createDnsZone(t, app());
    const target = "target.example.net";
    const sent = [
      { type: "CNAME", name: "alias", content: `${target}.` },
      { type: "MX", name: "@", content: `${target}.`, priority: 10 },
      { type: "NS", name: "below", content: `${target}.` },
      { type: "PTR", name: "ptr", content: `${target}.` },
      { type: "SRV", name: "_a._tcp", data: { priority: 1, weight: 2, port: 3, target: `${target}.` } },
    ]; // prettier-ignore
    for (const body of sent) {
      const record = await zone.create(body);
      assert.doesNotMatch(JSON.stringify(record), /\.net\./, body.type);
      assert.ok(record.content.endsWith(target), body.type);
      const { modified_on: _, ...answered } = (await zone.send("PUT", `/${record.id}`, body)).body.result;
      const { modified_on: __, ...before } = record;
      assert.deepEqual(answered, before, body.type);
      // The plan of the next run: what is read, sent again, and found by its dotted content.
      assert.deepEqual((await zone.send("PUT", `/${record.id}`, record)).body.result.content, record.content);
      const found = await zone.list({ type: body.type, content: `${record.content}.` });
      assert.deepEqual(
        found.map(({ id }) => id),
        [record.id],
        body.type,
      );
    }
  });

  test("scripts that update addresses, Lexicon and Libcloud send numbers as texts", async (t) => {
    const zone = await createDnsZone(t, app());
    const address = await zone.create({ type: "A", name: "home", content: "192.0.2.1" });
    const update = { type: "A", name: "home.example.com", content: "192.0.2.2", ttl: "3600", proxied: false };
    for (const method of ["PATCH", "PUT"] as const) {
      const { body } = await zone.send(method, `/${address.id}`, update);
      assert.deepEqual([body.result.content, body.result.ttl], ["192.0.2.2", 3600]);
    }
    const fingerprint = "AB".repeat(32);
    const sent: readonly (readonly [body: object, content: string, data: object | undefined, priority?: number])[] = [
      [{ type: "MX", content: "mx.example.net", priority: "10" }, "mx.example.net", undefined, 10],
      [{ type: "CAA", data: { flags: "0", tag: "issue", value: '"ca.example"' } },
        '0 issue "ca.example"', { flags: 0, tag: "issue", value: "ca.example" }],
      [{ type: "SRV", data: { priority: "10", weight: "5", port: "80", target: "t.example.net" } },
        "5 80 t.example.net", { port: 80, priority: 10, target: "t.example.net", weight: 5 }, 10],
      [{ type: "SSHFP", content: null, data: { algorithm: "4", type: "2", fingerprint } },
        `4 2 ${fingerprint}`, { algorithm: 4, fingerprint, type: 2 }],
    ]; // prettier-ignore
    for (const [body, content, data, priority] of sent) {
      const record = await zone.create({ name: "numbers", ...body });
      assert.deepEqual([record.content, record.data, record.priority], [content, data, priority]);
    }
  });

  test("octoDNS and DNSControl read targets of NAPTR, SVCB and HTTPS back as they sent them", async (t) => {
    const zone = await createDnsZone(t, app());
    const naptr = { order: 1, preference: 2, flags: "U", service: "", regex: "" };
    for (const target of ["target.example.net.", "other.example.net"]) {
      const sent = [
        { type: "NAPTR", name: "naptr", data: { ...naptr, replacement: target } },
        { type: "SVCB", name: "svcb", data: { priority: 1, target, value: 'port="53"' } },
        { type: "HTTPS", name: "https", data: { priority: 1, target, value: 'alpn="h2"' } },
      ];
      for (const body of sent) {
        const record = await zone.create(body);
        assert.deepEqual(record.data, body.data);
        assert.ok(record.content.split(" ").includes(target), record.content);
        const found = await zone.list({ type: body.type, content: record.content });
        assert.deepEqual(
          found.map(({ id }) => id),
          [record.id],
        );
        const name = target.replace(/\.$/, "");
        const twin = { ...body, data: JSON.parse(JSON.stringify(body.data).replace(target, name)) };
        const again = await zone.send("POST", "", twin);
        assert.equal(again.body.errors[0]?.code, 81058, again.text);
      }
    }
  });

  test("cloudflare-go 0 and libdns send times of the year 1, empty settings and empty data", async (t) => {
    const zone = await createDnsZone(t, app());
    const priority = 10;
    const created = await zone.create({
      ...unset,
      type: "MX",
      name: "@",
      content: "mx.example.net",
      priority,
    });
    assert.notEqual(created.created_on, noTime);
    const record = await zone.create({
      ...unset,
      type: "A",
      name: "www",
      content: "192.0.2.1",
      tags: ["team:web"],
      comment: "kept",
    });
    const patches = [
      { ...unset, content: "192.0.2.2", data: { tag: "" } },
      { type: "A", name: "www.example.com", content: "192.0.2.2", ttl: 300, proxied: false, tags: null },
    ];
    for (const patch of patches) {
      const { status, text, body } = await zone.send("PATCH", `/${record.id}`, patch);
      assert.equal(status, 200, text);
      const { content, comment, tags, created_on } = body.result;
      assert.deepEqual(
        [content, comment, tags, created_on],
        ["192.0.2.2", "kept", ["team:web"], record.created_on],
      );
    }
  });

  test("the PUT of an updater resets what it leaves out, the PATCH of a router keeps all but the content", async (t) => {
    const zone = await createDnsZone(t, app());
    const full = { type: "A", name: "home", content: "192.0.2.1", ttl: 300, comment: "home", tags: ["a:b"] };
    const record = await zone.create(full);
    const patched = (await zone.send("PATCH", `/${record.id}`, { content: "192.0.2.2" })).body.result;
    assert.deepEqual(patched, { ...record, content: "192.0.2.2" });
    const { type, name, content } = full;
    const put = (await zone.send("PUT", `/${record.id}`, { type, name, content })).body.result;
    assert.deepEqual([put.ttl, put.comment, put.tags], [1, null, []]);
  });

  test("Terraform 5 puts back the whole record that it read, read-only fields included", async (t) => {
    const zone = await createDnsZone(t, app());
    const { id } = await zone.create({ type: "CNAME", name: "www", content: "example.net", proxied: true });
    const record = (await zone.send("GET", `/${id}`)).body.result;
    const answer = await zone.send("PUT", `/${id}`, { ...record, locked: false, ttl: 1, comment: "new" });
    assert.equal(answer.status, 200, answer.text);
    const { comment_modified_on: _, ...others } = answer.body.result;
    assert.deepEqual(others, { ...record, comment: "new" });
  });

  test("octoDNS sends the parts of SRV with its service, protocol and zone beside the name", async (t) => {
    const zone = await createDnsZone(t, app());
    const parts = { priority: 10, weight: 20, port: 5060, target: "sip.example.net" };
    const record = await zone.create({
      type: "SRV",
      name: "_sip._tcp.example.com",
      ttl: 120,
      data: { service: "_sip", proto: "_tcp", name: "example.com.", ...parts },
    });
    assert.deepEqual([record.name, record.data], ["_sip._tcp.example.com", parts]);
    assert.deepEqual([record.zone_id, record.zone_name], [zone.id, zone.name], "its deletes use them");
  });

  test("Ansible finds the fingerprint and the digest that it sent, and has nothing to change", async (t) => {
    const zone = await createDnsZone(t, app());
    const print = { algorithm: 4, type: 2, fingerprint: "9D".repeat(32) };
    const signer = { algorithm: 8, digest: "B4".repeat(32), digest_type: 2, key_tag: 5464 };
    for (const [type, data, content] of [
      ["SSHFP", print, `4 2 ${print.fingerprint}`],
      ["DS", signer, `5464\t8\t2\t${signer.digest}`],
    ] as const) {
      const { id } = await zone.create({ type, name: "host", data });
      const found = await zone.list({ type, name: "host.example.com", content });
      assert.deepEqual(
        found.map((record) => [record.id, record.data]),
        [[id, data]],
      );
    }
  });

  test("older clients post SRV without a name of its own, and look its content up with tabs", async (t) => {
    const zone = await createDnsZone(t, app());
    const { id, name } = await zone.create({
      type: "SRV",
      data: {
        service: "_xmpp",
        proto: "_tcp",
        name: "@",
        priority: 1,
        weight: 5,
        port: 5222,
        target: "x.example.net.",
      },
    });
    assert.equal(name, "_xmpp._tcp.example.com");
    for (const content of ["5 5222 x.example.net", "5\t5222\tx.example.net", "5\t5222\tx.example.net."]) {
      const found = await zone.list({ type: "SRV", name, content });
      assert.deepEqual(
        found.map((record) => record.id),
        [id],
        JSON.stringify(content),
      );
    }
  });

  test("lexicon sends null for data where it sends content, and for content where it sends data", async (t) => {
    const zone = await createDnsZone(t, app());
    const address = { type: "A", name: "www.example.com", content: "192.0.2.1", data: null, ttl: 3600 };
    assert.equal((await zone.create(address)).ttl, 3600);
    const data = { algorithm: 1, type: 1, fingerprint: "AA".repeat(20) };
    const print = await zone.create({ type: "SSHFP", name: "host", content: null, data });
    assert.equal(print.content, `1 1 ${data.fingerprint}`);
  });

  test("a TXT content is found and answered as it was sent, in quotes (libdns) or without (certbot)", async (t) => {
    const zone = await createDnsZone(t, app());
    for (const content of ["v7nq-Token_1", '"v7nq-Token_2"']) {
      const { id } = await zone.create({ type: "TXT", name: "_acme-challenge", content, ttl: 120 });
      const query = { type: "TXT", name: "_acme-challenge.example.com", content };
      const found = await zone.list(query);
      assert.deepEqual(
        found.map((record) => [record.id, record.content]),
        [[id, content]],
      );
      assert.equal((await zone.send("DELETE", `/${id}`)).body.result.id, id);
      assert.deepEqual(await zone.list(query), []);
    }
  });

  test("scripts that replace records in a batch rely on deletes before posts, and on all or nothing", async (t) => {
    const zone = await createDnsZone(t, app());
    const old = await zone.create({ type: "A", name: "www", content: "192.0.2.1" });
    const alias = { type: "CNAME", name: "www", content: "example.net" };
    const done = await zone.send("POST", "/batch", { deletes: [{ id: old.id }], posts: [alias] });
    assert.deepEqual([done.status, done.body.result.deletes], [200, [old]]);
    const kept = await zone.list();
    const posts = [{ type: "A", name: "api", content: "192.0.2.1" }, alias];
    const refused = await zone.send("POST", "/batch", {
      deletes: [{ id: kept[0]?.id }],
      posts: [...posts, alias],
    });
    assert.equal(refused.status, 400);
    assert.deepEqual(await zone.list(), kept);
  });

  test("each field has the type that Go clients decode it into", async (t) => {
    const zone = await createDnsZone(t, app());
    const sent = {
      type: "MX",
      name: "@",
      content: "mx.example.net",
      priority: 10,
      tags: ["a:b"],
      comment: "c",
    };
    const record = await zone.create(sent);
    const kinds = Object.fromEntries(Object.entries(record).map(([name, value]) => [name, kindOf(value)]));
    assert.deepEqual(kinds, {
      id: "string",
      zone_id: "string",
      zone_name: "string",
      name: "string",
      type: "string",
      content: "string",
      priority: "integer",
      proxiable: "boolean",
      proxied: "boolean",
      ttl: "integer",
      settings: "object",
      meta: "object",
      comment: "string",
      tags: "array",
      created_on: "time",
      modified_on: "time",
      comment_modified_on: "time",
      tags_modified_on: "time",
    });
  });
});
