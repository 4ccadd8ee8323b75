import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { createDnsZone, shareApp, type DnsZone } from "../../../test/support/dns-zone.ts";
import { onComparedEngines } from "../../../test/support/harness.ts";
import type { DnsRecord } from "./schema.ts";

/** The values that each ordering compares; equal keys are common among the records of these tests. */
const keys = {
  type: ({ type }: DnsRecord) => type,
  name: ({ name }: DnsRecord) => name,
  content: ({ content }: DnsRecord) => content.toLowerCase(),
  ttl: ({ ttl }: DnsRecord) => ttl,
  proxied: ({ proxied }: DnsRecord) => Number(proxied),
};
type Ordering = keyof typeof keys;
const orderings = Object.keys(keys) as Ordering[];

onComparedEngines("pages of a list of DNS records", (engine) => {
  const app = shareApp(engine);

  test("by any ordering, direction and size hold every record once, ties broken by id", async (t) => {
    const zone = await createDnsZone(t, app());
    const records = await createMany(zone);
    const property = fc.asyncProperty(
      fc.constantFrom(...orderings),
      fc.constantFrom("asc", "desc", "ASC", "DESC"),
      fc.integer({ min: 1, max: records.length + 1 }),
      fc.constantFrom("", "A", "TXT,MX"),
      async (order, direction, perPage, type) => {
        const wanted = records.filter((record) => type === "" || type.split(",").includes(record.type));
        const expected = wanted.toSorted(
          (one, other) => compare(keys[order](one), keys[order](other)) || compare(one.id, other.id),
        );
        if (direction.toLowerCase() === "desc") expected.reverse();
        const read: DnsRecord[] = [];
        const totalPages = Math.ceil(wanted.length / perPage);
        for (let page = 1; page <= totalPages + 1; page += 1) {
          const query = `?order=${order}&direction=${direction}&per_page=${perPage}&page=${page}&type=${type}`;
          const { body } = await zone.send("GET", query);
          const count = body.result.length;
          assert.deepEqual(body.result_info, {
            page,
            per_page: perPage,
            count,
            total_count: wanted.length,
            total_pages: totalPages,
          });
          assert.equal(count, Math.max(0, Math.min(perPage, wanted.length - read.length)));
          read.push(...body.result);
        }
        assert.deepEqual(read, expected);
      },
    );
    await fc.assert(property, { numRuns: 20 });
  });

  test("have 20 records and follow the type unless asked otherwise, and say so in this order", async (t) => {
    const zone = await createDnsZone(t, app());
    const records = await createMany(zone);
    const plain = await zone.send("GET", "");
    const explicit = await zone.send("GET", "?page=1&per_page=20&order=type&direction=asc");
    assert.equal(plain.text, explicit.text);
    const info = { page: 1, per_page: 20, count: 20, total_count: records.length, total_pages: 3 };
    const end = `"result_info":${JSON.stringify(info)},"success":true,"errors":[],"messages":[]}`;
    assert.ok(plain.text.startsWith('{"result":[{"id":"'));
    assert.ok(plain.text.endsWith(end));
  });

  test("honour every usual size, and lower one above 5,000 to it", async (t) => {
    const zone = await createDnsZone(t, app());
    const records = await createMany(zone);
    for (const perPage of [1, 5, 10, 50, 100, 4999, 5000]) {
      const { body } = await zone.send("GET", `?per_page=${perPage}`);
      assert.deepEqual(
        [body.result_info?.per_page, body.result.length],
        [perPage, Math.min(perPage, records.length)],
      );
    }
    for (const perPage of [5001, 50_000, 5_000_000, 999_999_999_999_999]) {
      const { body } = await zone.send("GET", `?per_page=${perPage}`);
      assert.deepEqual([body.result_info?.per_page, body.result.length], [5000, records.length]);
    }
  });

  test("past the end are empty, however far", async (t) => {
    const zone = await createDnsZone(t, app());
    const empty = { count: 0, total_count: 0, total_pages: 1 };
    for (const page of [1, 2, 4_294_967_296, 999_999_999_999_999]) {
      const { status, body } = await zone.send("GET", `?per_page=5000&page=${page}`);
      assert.equal(status, 200);
      assert.deepEqual(body.result, []);
      const { page: _, per_page, ...counts } = body.result_info ?? { page, per_page: 0 };
      assert.deepEqual([per_page, counts], [5000, empty]);
    }
    await zone.create({ type: "A", name: "www", content: "192.0.2.1" });
    const { body } = await zone.send("GET", "?page=2");
    assert.deepEqual(body.result, []);
    assert.deepEqual(body.result_info, { page: 2, per_page: 20, count: 0, total_count: 1, total_pages: 1 });
  });

  test("that do not exist in this form are refused, and the orderings are named", async (t) => {
    const zone = await createDnsZone(t, app());
    const rules = [
      {
        name: "page",
        values: ["0", "-1", "1.5", "one", "1e3", "%00"],
        rule: "must be an integer of at least 1",
      },
      { name: "per_page", values: ["0", "-20", "0x10", "all"], rule: "must be an integer of at least 1" },
      {
        name: "order",
        values: ["created_on", "id", "name,type"],
        rule: `must be one of: ${orderings.join(", ")}`,
      },
      { name: "direction", values: ["up", "ascending"], rule: "must be one of: asc, desc" },
    ];
    for (const { name, values, rule } of rules) {
      for (const value of values) {
        await zone.refuses("GET", `?${name}=${value}`, undefined, {
          code: 1003,
          message: `Invalid query parameter \`${name}\`: ${rule}`,
          pointer: `/${name}`,
          chain: false,
        });
      }
    }
  });

  test("of a zone that does not exist, or has no such id, are 404", async () => {
    const unknown = await app().request("GET", `/zones/${"0".repeat(32)}/dns_records`);
    assert.deepEqual(
      [unknown.status, unknown.body.errors],
      [404, [{ code: 1001, message: "Invalid zone identifier" }]],
    );
    const malformed = await app().request("GET", "/zones/nope/dns_records");
    assert.deepEqual([malformed.status, malformed.body.errors[0]?.code], [404, 7003]);
  });
});

/** 45 records with many equal keys. */
async function createMany(zone: DnsZone): Promise<DnsRecord[]> {
  const posts = Array.from({ length: 15 }, (_, index) => [
    {
      type: "A",
      name: `host${index % 5}`,
      content: `192.0.2.${index}`,
      ttl: index % 3 === 0 ? 1 : 300 * (index % 3),
      proxied: index % 4 === 0,
    },
    {
      type: "TXT",
      name: `HOST${index % 4}`,
      content: `${index % 2 === 0 ? "Same" : "same"} text ${index}`,
      ttl: 600,
    },
    { type: "MX", name: `${index}`, content: `mx${index % 2}.example.net`, priority: index },
  ]).flat();
  const { status, text, body } = await zone.send("POST", "/batch", { posts });
  assert.equal(status, 200, text);
  return body.result.posts;
}

function compare(one: string | number, other: string | number): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
