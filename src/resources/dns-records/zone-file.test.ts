import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { arbitraryInputs } from "../../../test/support/arbitraries/record-data.ts";
import { parseRdata } from "../../core/dns/content/rdata.ts";
import { proxiableRule } from "../../core/dns/content/proxiable.ts";
import { recordTypes } from "../../core/dns/content/record-types.ts";
import { createDnsZone, shareApp } from "../../../test/support/dns-zone.ts";
import { byToken, onEachEngine, type TestApp } from "../../../test/support/harness.ts";
import { exchange } from "../../../test/support/raw-http.ts";
import { importFile } from "../../../test/support/zone-file-form.ts";
import type { DnsRecord } from "./schema.ts";

const zoneName = "example.com";
const isProxiable = proxiableRule([]);

const comment = fc.oneof(
  fc.constant(null),
  fc
    .oneof(
      fc.string({ unit: "grapheme", maxLength: 60 }),
      fc.constantFrom(" led by a space", "cf_tags=a", "a ; b cf_tags=b:1", 'say "hello"', "\\"),
    )
    // A file has it on one line, and one of spaces alone says nothing there.
    .filter((text) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text) && text.trim() !== ""),
);
const tag = fc
  .tuple(
    fc.stringMatching(/^[A-Za-z0-9_-]{1,32}$/),
    fc.option(fc.string({ maxLength: 40 }).filter((value) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(value))),
  )
  .filter(([name]) => !/^cf-(?:proxied|flatten-cname)$/i.test(name))
  .map(([name, value]) => (value === null ? name : `${name}:${value}`));

/** A record of any type that an Enterprise zone accepts, without its name. */
const nameless = fc.constantFrom(...recordTypes).chain((type) =>
  fc
    .record({
      rdata: arbitraryInputs[type],
      ttl: fc.oneof(fc.constant(1), fc.integer({ min: 30, max: 86_400 })),
      wantsProxy: fc.boolean(),
      flatten_cname: fc.boolean(),
      only: fc.constantFrom({}, { ipv4_only: true }, { ipv6_only: true }),
      comment,
      tags: fc.array(tag, { maxLength: 4 }),
    })
    .map(({ rdata, wantsProxy, flatten_cname, only, ...rest }) => {
      const proxied = wantsProxy && isProxiable(type, parseRdata(type, rdata, zoneName).content);
      const settings = type === "CNAME" ? { flatten_cname, ...only } : only;
      return Object.assign(rest, rdata, { type, proxied, settings });
    }),
);
/** No two of them stand at one name, so that none is in the way of another. */
const records = fc
  .array(fc.tuple(nameless, fc.constantFrom("", "*.", "_x.", "a.b.")), { minLength: 1, maxLength: 20 })
  .map((list) => list.map(([record, prefix], index) => ({ ...record, name: `${prefix}r${index}` })));

onEachEngine("exportDnsRecords", (engine) => {
  const one = shareApp(engine);
  const other = shareApp(engine);

  test("makes a file of which importDnsRecords makes an equal zone on another server", async () => {
    const property = fc.asyncProperty(records, async (posts) => {
      const [source, target] = await Promise.all([one(), other()].map((app) => app.createZone(zoneName)));
      try {
        const path = `/zones/${source}/dns_records`;
        const batch = await one().request("POST", `${path}/batch`, { body: { posts } });
        assert.equal(batch.status, 200, batch.text);
        const { text } = await one().request("GET", `${path}/export`);
        const answer = await importFile(other(), `${target}`, text);
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.body.result.recs_added, posts.length);
        assert.deepEqual(await meaningsOf(other(), target), await meaningsOf(one(), source));
      } finally {
        await one().request("DELETE", `/zones/${source}`);
        await other().request("DELETE", `/zones/${target}`);
      }
    });
    await fc.assert(property, { numRuns: 40 });
  });

  test("keeps the NS records that were added at the apex, beside those of the zone", async (t) => {
    const source = await createDnsZone(t, one());
    await source.create({ type: "NS", name: "@", content: "ns1.elsewhere.example", ttl: 300 });
    await source.create({ type: "NS", name: "sub", content: "ns1.elsewhere.example", ttl: 300 });
    const { text } = await source.send("GET", "/export");
    const target = await createDnsZone(t, other());
    const { body } = await importFile(other(), target.id, text);
    assert.deepEqual(body.result.recs_added_by_type, { NS: 2 });
    assert.deepEqual(await meaningsOf(other(), target.id), await meaningsOf(one(), source.id));
  });

  test("answers text with the SOA and NS records of the zone, then its records by type", async (t) => {
    const zone = await createDnsZone(t, one());
    await zone.create({ type: "TXT", name: "text", content: "a text; with a semicolon", ttl: 300 });
    await zone.create({ type: "A", name: "www", content: "192.0.2.1", proxied: true, comment: "the site" });
    await zone.create({
      type: "MX",
      name: "@",
      content: "mx.example.net",
      priority: 10,
      tags: ["team:mail"],
    });
    const { name_servers } = (await one().request("GET", `/zones/${zone.id}`)).body.result;
    const { status, headers, text } = await zone.send("GET", "/export");
    assert.equal(status, 200);
    assert.equal(headers.get("content-type"), "text/plain; charset=utf-8");
    assert.match(headers.get("cf-ray") ?? "", /^[0-9a-f]{16}-[A-Z]{3}$/);
    const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith(";"));
    assert.match(
      lines[0] ?? "",
      new RegExp(
        String.raw`^example\.com\.\t3600\tIN\tSOA\t${name_servers[0]}\. dns\.cloudflare\.com\. \d+ 10000 2400 604800 3600$`,
      ),
    );
    assert.deepEqual(lines.slice(1), [
      ...name_servers.map((server: string) => `example.com.\t86400\tIN\tNS\t${server}.`),
      "www.example.com.\t1\tIN\tA\t192.0.2.1 ; the site cf_tags=cf-proxied:true",
      "example.com.\t1\tIN\tMX\t10 mx.example.net. ; cf_tags=team:mail",
      'text.example.com.\t300\tIN\tTXT\t"a text; with a semicolon"',
    ]);
  });

  test("answers the head alone for a zone without records, and nothing to HEAD", async (t) => {
    const zone = await createDnsZone(t, one());
    const { text } = await zone.send("GET", "/export");
    assert.deepEqual(text.match(/\t(?:SOA|NS|A|TXT)\t/g), ["\tSOA\t", "\tNS\t", "\tNS\t"]);
    const head = await zone.send("HEAD", "/export");
    assert.deepEqual(
      [head.status, head.text, head.headers.get("content-type")],
      [200, "", "text/plain; charset=utf-8"],
    );
  });

  test("answers in portions, and whole and without chunks to an HTTP/1.0 client", async (t) => {
    const zone = await createDnsZone(t, one());
    const lines = Array.from({ length: 2_500 }, (_, index) => `host${index} 300 IN A 192.0.2.1`);
    await importFile(one(), zone.id, lines.join("\n"));
    const { text } = await zone.send("GET", "/export");
    assert.equal(text.match(/\tA\t/g)?.length, lines.length);
    const path = `/client/v4/zones/${zone.id}/dns_records/export`;
    const authorization = `authorization: ${byToken.authorization}\r\n\r\n`;
    const old = await exchange(one().baseUrl, `GET ${path} HTTP/1.0\r\n${authorization}`);
    const [headers = "", ...body] = old.split("\r\n\r\n");
    assert.match(headers, /^HTTP\/1\.1 200 OK\r\n/);
    assert.doesNotMatch(headers, /transfer-encoding/i);
    assert.equal(body.join("\r\n\r\n"), text);
    const streamed = await exchange(
      one().baseUrl,
      `GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${authorization}`,
    );
    assert.match(streamed, /\r\ntransfer-encoding: chunked\r\n/i);
    assert.ok((streamed.match(/\r\n[0-9a-f]+\r\n/g)?.length ?? 0) > 3, "more than one portion");
  });
});

/** Reads what the records of a zone say, without what only their server gives them. */
async function meaningsOf(app: TestApp, zoneId: string | undefined): Promise<string[]> {
  const { body } = await app.request("GET", `/zones/${zoneId}/dns_records?per_page=5000`);
  return (body.result as DnsRecord[]).map(meaningOf).toSorted();
}

function meaningOf({ name, type, content, priority, data, ttl, proxied, ...record }: DnsRecord): string {
  const { proxiable, comment: said, tags, settings } = record;
  return JSON.stringify([name, type, content, priority, data, ttl, proxied, proxiable, said, tags, settings]);
}
