import assert from "node:assert/strict";
import { test } from "node:test";

import { createDnsZone, shareApp, type DnsZone } from "../../../test/support/dns-zone.ts";
import { onComparedEngines } from "../../../test/support/harness.ts";
import type { DnsRecord } from "./schema.ts";

const full = {
  type: "CNAME",
  name: "alias",
  content: "target.example.net",
  ttl: 300,
  proxied: false,
  comment: "a comment",
  tags: ["team:dns"],
  settings: { flatten_cname: true },
};
const mail = { type: "MX", name: "@", content: "mx.example.net", priority: 10 };
const service = {
  type: "SRV",
  name: "_sip._tcp",
  data: { priority: 10, weight: 5, port: 5060, target: "sip.example.net" },
};
const binding = { type: "HTTPS", name: "web", data: { priority: 1, target: ".", value: 'alpn="h2"' } };
const uri = {
  type: "URI",
  name: "uri",
  priority: 10,
  data: { weight: 1, target: "https://example.net" },
};

onComparedEngines("changing a DNS record", (engine) => {
  const app = shareApp(engine);

  test("PUT gives every field that is left out or null its default", async (t) => {
    const zone = await createDnsZone(t, app());
    const nulls = {
      ttl: null,
      proxied: null,
      comment: null,
      tags: null,
      settings: null,
      data: null,
      priority: null,
    };
    for (const rest of [{}, nulls]) {
      const record = await zone.create(full);
      app().advance(1000);
      const { type, name, content } = full;
      const answer = await zone.send("PUT", `/${record.id}`, { type, name, content, ...rest });
      const { modified_on } = answer.body.result;
      assert.deepEqual(answer.body.result, {
        ...withoutTimes(record),
        ttl: 1,
        comment: null,
        tags: [],
        settings: { flatten_cname: false },
        modified_on,
      });
      assert.notEqual(modified_on, record.modified_on);
      await zone.send("DELETE", `/${record.id}`);
    }
  });

  test("PUT needs everything that a new record needs", async (t) => {
    const zone = await createDnsZone(t, app());
    const { id } = await zone.create(mail);
    const { type, name, content, priority } = mail;
    await zone.refuses(
      "PUT",
      `/${id}`,
      { type, name, content },
      {
        code: 9100,
        message: "priority is a required field.",
        pointer: "/priority",
      },
    );
    await zone.refuses(
      "PUT",
      `/${id}`,
      { type, name, priority },
      {
        code: 9009,
        message:
          "Change the content of your MX record to be a hostname (and not an IP address). For more details, refer to <https://developers.cloudflare.com/dns/manage-dns-records/how-to/email-records/#add-mx-records>.",
        pointer: "/content",
      },
    );
    await zone.refuses(
      "PUT",
      `/${id}`,
      { type, content, priority },
      {
        code: 9000,
        message: "DNS name is invalid.",
        pointer: "/name",
      },
    );
  });

  test("PATCH keeps what is left out, whatever it changes", async (t) => {
    const zone = await createDnsZone(t, app());
    const patches = [
      { ttl: 600 },
      { comment: "another comment" },
      { tags: ["one:1", "two:2"] },
      { tags: [] },
      { content: "elsewhere.example.net" },
      { name: "other.example.com" },
      { settings: { flatten_cname: false } },
      { settings: { flatten_cname: true, ipv4_only: true } },
      { proxied: false },
    ];
    for (const patch of patches) await changesOnly(zone, full, patch, patch);
    const proxied = { proxied: true, ttl: 1, settings: { flatten_cname: false } };
    await changesOnly(zone, full, { proxied: true }, proxied);
    await changesOnly(
      zone,
      full,
      { settings: { ipv6_only: true } },
      { settings: { flatten_cname: true, ipv6_only: true } },
    );
  });

  test("PATCH takes null as left out, as clients send what they do not set; it clears a comment alone", async (t) => {
    const zone = await createDnsZone(t, app());
    const nulls = {
      type: null,
      name: null,
      content: null,
      data: null,
      priority: null,
      ttl: null,
      proxied: null,
      tags: null,
      settings: null,
    };
    for (const body of [full, mail, service, binding, uri]) {
      await changesOnly(zone, body, nulls, {});
      await changesOnly(zone, body, { data: {}, settings: {} }, {});
      await changesOnly(zone, body, { comment: null }, { comment: null });
      await changesOnly(zone, body, { comment: "" }, { comment: null });
    }
  });

  test("PATCH keeps content and data one thing", async (t) => {
    const zone = await createDnsZone(t, app());
    const sip = service.data;
    await changesOnly(
      zone,
      service,
      { content: "1 2 sip.example.net" },
      {
        content: "1 2 sip.example.net",
        data: { ...sip, weight: 1, port: 2 },
      },
    );
    await changesOnly(
      zone,
      service,
      { data: { weight: 1, port: 2, target: "." } },
      {
        content: "1 2 .",
        data: { priority: 10, weight: 1, port: 2, target: "." },
      },
    );
    await changesOnly(zone, service, { priority: 20 }, { priority: 20, data: { ...sip, priority: 20 } });
    await changesOnly(
      zone,
      service,
      { priority: 20, content: "1 2 sip.example.net" },
      {
        priority: 20,
        content: "1 2 sip.example.net",
        data: { ...sip, priority: 20, weight: 1, port: 2 },
      },
    );
    await changesOnly(
      zone,
      binding,
      { priority: 2 },
      {
        content: '2 . alpn="h2"',
        data: { ...binding.data, priority: 2 },
      },
    );
    await changesOnly(
      zone,
      binding,
      { content: '3 . port="8443"' },
      {
        content: '3 . port="8443"',
        data: { priority: 3, target: ".", value: 'port="8443"' },
      },
    );
    await changesOnly(zone, uri, { priority: 0 }, { priority: 0 });
    await changesOnly(zone, mail, { priority: 0 }, { priority: 0 });
    await changesOnly(zone, mail, { content: "mx2.example.net" }, { content: "mx2.example.net" });
  });

  test("PATCH knows a type in any case, and a new one needs its own content", async (t) => {
    const zone = await createDnsZone(t, app());
    await changesOnly(zone, full, { type: "cname", ttl: 600 }, { ttl: 600 });
    const record = await zone.create(service);
    const { type, name } = service;
    await zone.refuses(
      "PATCH",
      `/${record.id}`,
      { type: "TXT" },
      {
        code: 9011,
        message: "Content for TXT record must not be empty.",
        pointer: "/content",
      },
    );
    const answer = await zone.send("PATCH", `/${record.id}`, { type: "TXT", content: "a text" });
    const { data: _, priority: __, ...others } = record;
    assert.deepEqual(answer.body.result, { ...others, type: "TXT", content: "a text" });
    const back = await zone.send("PATCH", `/${record.id}`, { type, name, data: service.data });
    assert.deepEqual(back.body.result, record);
  });

  test("PATCH keeps what it leaves out although the plan has narrower limits now, and holds what it gives to them", async (t) => {
    const zone = await createDnsZone(t, app());
    const wide = { ttl: 30, comment: "c".repeat(101), tags: ["team:dns"] };
    const record = await zone.create({ type: "A", name: "www", content: "192.0.2.1", ...wide });
    await app().request("PATCH", `/zones/${zone.id}`, { body: { plan: { id: "free" } } });
    const answer = await zone.send("PATCH", `/${record.id}`, { content: "192.0.2.2", ttl: null, tags: null });
    assert.deepEqual(answer.body.result, { ...record, content: "192.0.2.2" });
    for (const [pointer, value, code] of [
      ["/ttl", 30, 9021],
      ["/comment", wide.comment, 9313],
      ["/tags", wide.tags, 9300],
    ] as const) {
      const { status, body } = await zone.send("PATCH", `/${record.id}`, { [pointer.slice(1)]: value });
      assert.deepEqual([status, body.errors[0]?.code, body.errors[0]?.source], [400, code, { pointer }]);
    }
    assert.deepEqual(await zone.list(), [answer.body.result]);
    const narrow = await zone.send("PATCH", `/${record.id}`, { ttl: 60, comment: null, tags: [] });
    assert.deepEqual([narrow.body.result.ttl, narrow.body.result.tags], [60, []]);
  });

  test("an unknown record is refused by every method, and so is one of another zone", async (t) => {
    const zone = await createDnsZone(t, app());
    const other = await createDnsZone(t, app(), "example.net");
    const { id } = await other.create({ type: "A", name: "www", content: "192.0.2.1" });
    const body = { type: "A", name: "www", content: "192.0.2.9" };
    const refusal = { status: 404, code: 81044, message: "Record does not exist." };
    const kept = await other.list();
    for (const unknown of [id, "0".repeat(32)]) {
      for (const method of ["GET", "DELETE"]) await zone.refuses(method, `/${unknown}`, undefined, refusal);
      for (const method of ["PUT", "PATCH"]) await zone.refuses(method, `/${unknown}`, body, refusal);
    }
    assert.deepEqual(await other.list(), kept);
  });
});

/** Shows that a PATCH of a new record changes these fields, keeps all others, and says so when read again. */
async function changesOnly(zone: DnsZone, body: object, patch: object, changes: object): Promise<void> {
  const record = await zone.create(body);
  const { body: answer, text } = await zone.send("PATCH", `/${record.id}`, patch);
  assert.deepEqual(
    withoutTimes(answer.result),
    withoutTimes({ ...record, ...changes }),
    JSON.stringify(patch),
  );
  assert.equal((await zone.send("GET", `/${record.id}`)).text, text);
  await zone.send("DELETE", `/${record.id}`);
}

/** The clock stands still in these tests; only the times that a change adds would differ. */
function withoutTimes(record: DnsRecord): object {
  const { comment_modified_on: _, tags_modified_on: __, ...others } = record;
  return others;
}
