import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { createDnsZone, shareApp, type DnsZone } from "../../../test/support/dns-zone.ts";
import { onComparedEngines } from "../../../test/support/harness.ts";
import type { DnsRecord } from "./schema.ts";

const records = {
  www: {
    type: "A",
    name: "www",
    content: "192.0.2.1",
    proxied: true,
    comment: "Hello, World",
    tags: ["Team:DNS", "important"],
  },
  api: { type: "A", name: "api", content: "192.0.2.10", comment: "hello", tags: ["team:web", "env:prod"] },
  www6: { type: "AAAA", name: "www", content: "2001:db8::1", tags: ["important:Very", "team:dns-ops"] },
  mail: { type: "MX", name: "@", content: "mx.example.net", priority: 10 },
  text: { type: "TXT", name: "_dmarc", content: "100% Sure_thing \\ 'quoted'", comment: "50% off_now" },
  sip: { type: "SRV", name: "_sip._tcp", content: "5 8806 sip.example.net", priority: 10 },
  alias: { type: "CNAME", name: "under_score", content: "a_b.example.net" },
  other: { type: "CNAME", name: "underxscore", content: "axb.example.net", proxied: true },
  book: { type: "TXT", name: "bücher", content: "Grüße", comment: "ÜBER" },
} as const;
type Key = keyof typeof records;
const everything = Object.keys(records).join(" ");

/** A query, and the records that it finds. */
const filters: readonly (readonly [query: string, found: string])[] = [
  ["name=www.example.com", "www www6"],
  ["name=WWW.Example.com.", "www www6"],
  ["name=www", ""],
  ["name=", everything],
  ["name=b%C3%BCcher.example.com", "book"],
  ["name.exact=api.example.com", "api"],
  ["name[exact]=api.example.com", "api"],
  ["name=api.example.com&name.exact=www.example.com", ""],
  ["name.contains=WW", "www www6"],
  [
    "name.contains=.example.com",
    Object.keys(records)
      .filter((key) => key !== "mail")
      .join(" "),
  ],
  ["name.startswith=_", "text sip"],
  ["name.startswith=a", "api"],
  ["name.endswith=tcp.example.com", "sip"],
  ["name.contains=r_s", "alias"],
  ["name.contains=%25", ""],
  ["content=192.0.2.1", "www"],
  ["content.exact=MX.example.net.", "mail"],
  ["content=5%098806%09sip.example.net.", "sip"],
  ["content=5+8806+SIP.example.net", "sip"],
  ["content.contains=192.0.2.1", "www api"],
  ["content.startswith=2001:", "www6"],
  ["content.endswith=.NET", "mail sip alias other"],
  ["content.contains=100%25", "text"],
  ["content.contains=0%25s", ""],
  ["content.contains=a_b", "alias"],
  ["content.contains=%5C", "text"],
  ["content.contains='", "text"],
  ["content.contains=gr%C3%9C", "book"],
  ["comment=hello", "api"],
  ["comment.exact=HELLO,+world", "www"],
  ["comment.contains=hell", "www api"],
  ["comment.startswith=50%25", "text"],
  ["comment.startswith=%25", ""],
  ["comment.endswith=f_now", "text"],
  ["comment=%C3%BCber", "book"],
  ["comment.present=true", "www api text book"],
  ["comment.present=", "www api text book"],
  ["comment.absent=1", "www6 mail sip alias other"],
  ["comment.absent=&comment.present=", ""],
  ["comment.absent=&comment.present=&match=any", everything],
  ["tag=important", "www www6"],
  ["tag=team:dns", "www"],
  ["tag=TEAM:dns", "www"],
  ["tag.present=Important", "www www6"],
  ["tag.absent=team", "mail text sip alias other book"],
  ["tag.exact=important:very", "www6"],
  ["tag.exact=important", "www"],
  ["tag.contains=team:NS", "www www6"],
  ["tag.startswith=team:d", "www www6"],
  ["tag.endswith=team:s", "www www6"],
  ["tag.endswith=team:b", "api"],
  ["tag.contains=team:%25", ""],
  ["tag.present=team&tag=important", "www www6"],
  ["tag.present=env&tag=important", ""],
  ["tag.present=env&tag=important&tag_match=any", "www api www6"],
  ["tag.present=env&tag=important&tag-match=any", "www api www6"],
  ["tag.present=env&tag=important&tag_match=any&name=api.example.com", "api"],
  ["tag.present=env&tag=important&match=any", ""],
  ["tag.present=env&name=_dmarc.example.com&match=any", "api text"],
  ["type=A", "www api"],
  ["type=a,aaaa", "www api www6"],
  ["type=A&type=MX", "www api mail"],
  ["type=TXT,+SRV", "text sip book"],
  ["type=SOA", ""],
  ["proxied=true", "www other"],
  ["proxied=false&type=CNAME", "alias"],
  ["type=A&proxied=true", "www"],
  ["type=A&proxied=true&match=all", "www"],
  ["type=A&proxied=true&match=any", "www api other"],
  ["name=www.example.com&content=mx.example.net&match=any", "www www6 mail"],
  ["name=www.example.com&content=mx.example.net", ""],
  ["search=SIP", "sip"],
  ["search=192.0.2", "www api"],
  ["search=off_now", "text"],
  ["search=team:d", "www www6"],
  ["search=prod", "api"],
  ["search=b%25c", ""],
  ["search=www&type=A", "www"],
  ["search=www&type=MX&match=any", ""],
  ["unknown=filter", everything],
];

const wrongQueries = [
  "match=some",
  "tag_match=some",
  "tag-match=some",
  "proxied=maybe",
  `search=${"a".repeat(4097)}`,
  `tag=${Array.from({ length: 1_100 }, () => "a").join(",")}`,
  `tag=${Array.from({ length: 21 }, (_, index) => `tag${index}`).join(",")}`,
  ...["type", "name", "content", "comment", "tag", "name.contains", "tag.present", "search"].map(
    (name) => `${name}=a%00b`,
  ),
];

onComparedEngines("filters of a list of DNS records", (engine) => {
  const app = shareApp(engine);

  test("find exactly the records that match", async (t) => {
    const zone = await createDnsZone(t, app());
    const keyOf = await createRecords(zone);
    for (const [query, found] of filters) {
      const { status, body } = await zone.send("GET", `?per_page=100&${query}`);
      assert.equal(status, 200, query);
      const keys = body.result.map(({ id }: DnsRecord) => keyOf.get(id));
      assert.deepEqual(keys.toSorted(), found.split(" ").filter(Boolean).toSorted(), query);
      assert.equal(body.result_info?.total_count, keys.length, query);
    }
  });

  test("find the text of a TXT record as it was sent, its spaces and final dot included", async (t) => {
    const zone = await createDnsZone(t, app());
    for (const content of ["two  spaces", "host.example.net.", "\ttab", " led"]) {
      const { id } = await zone.create({ type: "TXT", name: "text", content });
      for (const query of [{ content }, { "content.exact": content }]) {
        const found = await zone.list(query);
        assert.deepEqual(
          found.map((record) => record.id),
          [id],
          content,
        );
      }
    }
  });

  test("compare with a text as it stands, whatever characters it has", async (t) => {
    const zone = await createDnsZone(t, app());
    await createRecords(zone);
    const all = await zone.list();
    const character = fc.constantFrom(...Array.from("%_\\'\"[]*?.:-, aswxhü01"));
    const property = fc.asyncProperty(
      fc.constantFrom("name", "content", "comment"),
      fc.constantFrom("contains", "startswith", "endswith"),
      fc.string({ unit: character, minLength: 1, maxLength: 4 }),
      async (column, match, text) => {
        const method = { contains: "includes", startswith: "startsWith", endswith: "endsWith" }[match];
        const expected = all.filter((record) =>
          record[column]?.toLowerCase()[method as "includes"](text.toLowerCase()),
        );
        assert.deepEqual(await zone.list({ [`${column}.${match}`]: text }), expected);
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });

  test("that make no sense are refused and say where", async (t) => {
    const zone = await createDnsZone(t, app());
    for (const query of wrongQueries)
      await t.test(query, async () => {
        const name = query.slice(0, query.indexOf("="));
        const { status, body } = await zone.send("GET", `?${query}`);
        assert.equal(status, 400, query);
        assert.deepEqual([body.errors[0]?.code, body.errors[0]?.source], [1003, { pointer: `/${name}` }]);
        assert.ok(body.errors[0]?.message.startsWith(`Invalid query parameter \`${name}\`: must`));
      });
  });

  test("follow every change of a record, and see none of another zone", async (t) => {
    const zone = await createDnsZone(t, app());
    const other = await createDnsZone(t, app(), "example.net");
    const old = { name: "old", content: "192.0.2.1", comment: "old", tags: ["old:old"] };
    const { id } = await zone.create({ type: "A", ...old });
    await other.create({ type: "A", ...old });
    for (const query of queriesFor("old")) assert.equal((await zone.list(query)).length, 1);
    const change = { name: "new", content: "192.0.2.2", comment: "new", tags: ["new:new"] };
    await zone.send("PATCH", `/${id}`, change);
    for (const query of queriesFor("old")) assert.deepEqual(await zone.list(query), []);
    for (const query of queriesFor("new")) assert.equal((await zone.list(query)).length, 1);
    await zone.send("DELETE", `/${id}`);
    for (const query of queriesFor("new")) assert.deepEqual(await zone.list(query), []);
    for (const query of queriesFor("old")) assert.equal((await other.list(query)).length, 1);
  });
});

async function createRecords(zone: DnsZone): Promise<Map<string, Key>> {
  const keyOf = new Map<string, Key>();
  for (const [key, record] of Object.entries(records)) keyOf.set((await zone.create(record)).id, key as Key);
  return keyOf;
}

function queriesFor(text: string): Record<string, string>[] {
  return [
    { "name.contains": `${text}.example` },
    { "comment.exact": text },
    { "tag.exact": `${text}:${text}` },
    { search: `${text}:${text}` },
  ];
}
