import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { createDnsZone, shareApp, type DnsZone } from "../../../test/support/dns-zone.ts";
import { onEachEngine } from "../../../test/support/harness.ts";
import type { DnsRecord } from "./schema.ts";

const orderings = ["type", "name", "content", "ttl", "proxied"] as const;
const directions = ["asc", "desc"] as const;
const walkMsMax = 5 * 60 * 1000;

/** What a client asks for besides the number of the page. */
type Query = Readonly<Record<string, string>>;

// Few values, so that many records are equal in what a list is ordered by.
const name: fc.Arbitrary<string> = fc.constantFrom("a", "b", "bb", "c", "@");
const ttl = fc.constantFrom(1, 60, 300, 3600);
const newRecord = fc.record({ name, ttl, isAddress: fc.boolean(), proxied: fc.boolean() });
type NewRecord = typeof newRecord extends fc.Arbitrary<infer T> ? T : never;

const change = fc.oneof(
  fc.record({ kind: fc.constant("create" as const), record: newRecord }),
  fc.record({ kind: fc.constant("delete" as const), which: fc.nat() }),
  fc.record({ kind: fc.constant("edit" as const), which: fc.nat(), patch: fc.record({ name, ttl }) }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const ordered = { order: fc.constantFrom(...orderings), direction: fc.constantFrom(...directions) };
const query: fc.Arbitrary<Query> = fc.oneof(
  fc.record({ per_page: fc.constantFrom("2", "3", "5") }),
  fc.record({ per_page: fc.constantFrom("1", "2", "3", "5"), ...ordered }),
  fc.record({
    per_page: fc.constantFrom("1", "2", "4"),
    "name.contains": fc.constantFrom("b", "a."),
    ...ordered,
  }),
);
/** Which list it is, however it is asked for: two walks of one client through the same one would be the same walk. */
function listOf({ order = "type", direction = "asc", ...rest }: Query): string {
  return `${order} ${direction} ${rest["per_page"]} ${rest["name.contains"]}`;
}

/** Walks that a client takes at once. */
const queries = fc.uniqueArray(query, { minLength: 1, maxLength: 2, selector: listOf });

onEachEngine("a walk through the pages of a list", (engine) => {
  const app = shareApp(engine);

  test("meets every record that nobody changes exactly once, whatever happens to the others meanwhile", async (t) => {
    let runs = 0;
    const property = fc.asyncProperty(
      fc.array(newRecord, { minLength: 4, maxLength: 16 }),
      queries,
      fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { maxLength: 8 }),
      // Which requests a client sends twice, as after an answer that got lost.
      fc.array(fc.boolean(), { maxLength: 8 }),
      async (initial, asked, changes, isSentTwice) => {
        const zone = await createDnsZone(t, app(), `run${(runs += 1)}.example`);
        const records = changingRecords(zone);
        for (const record of initial) await records.apply({ kind: "create", record });
        const old = new Set(records.ids());
        const coming = changes.values();
        const twice = isSentTwice.values();

        let waiting = asked.map((one) => ({ query: one, page: 1, read: [] as string[] }));
        const walks = [...waiting];
        while (waiting.length > 0) {
          for (const walk of waiting) {
            let page = await readPage(zone, walk.query, walk.page);
            for (const next of coming.next().value ?? []) await records.apply(next);
            if (twice.next().value === true) page = await readPage(zone, walk.query, walk.page);
            walk.read.push(...page);
            walk.page = page.length === 0 ? 0 : walk.page + 1;
          }
          waiting = waiting.filter(({ page }) => page > 0);
        }

        for (const {
          query: { per_page: _, ...rest },
          read,
        } of walks) {
          const isKept = (id: string): boolean => old.has(id) && records.isUnchanged(id);
          const listed = (await zone.list(rest)).map(({ id }) => id);
          assert.deepEqual(read.filter(isKept), listed.filter(isKept));
          const added = read.filter((id) => !old.has(id) && records.isUnchanged(id));
          assert.equal(new Set(added).size, added.length, "a new record at most once");
        }
      },
    );
    await fc.assert(property, { numRuns: 25 });
  });

  test("goes on behind its last page although every record that it met is deleted", async (t) => {
    const zone = await createDnsZone(t, app());
    await createMany(zone, 23);
    for (let page = 1; ; page += 1) {
      const ids = await readPage(zone, { per_page: "5", order: "name" }, page);
      if (ids.length === 0) break;
      await zone.send("POST", "/batch", { deletes: ids.map((id) => ({ id })) });
    }
    assert.deepEqual(await zone.list(), []);
  });

  test("finds a page that is asked for out of turn by its number, the last one too", async (t) => {
    const zone = await createDnsZone(t, app());
    await createMany(zone, 20);
    const byName = { per_page: "3", order: "name" };
    const first = await readPage(zone, byName, 1);
    await zone.send("DELETE", `/${first[0]}`);
    const now = (await zone.list({ order: "name" })).map(({ id }) => id);
    assert.deepEqual(await readPage(zone, byName, 2), now.slice(2, 5), "the walk goes on behind its page");
    for (const page of [4, 7, 6]) {
      assert.deepEqual(
        await readPage(zone, byName, page),
        now.slice((page - 1) * 3, page * 3),
        `page ${page}`,
      );
    }
    assert.deepEqual(await readPage(zone, byName, 5), now.slice(12, 15), "behind page 4, as it was read");
  });

  test("of two clients at once in the same pages is right while nothing changes", async (t) => {
    const zone = await createDnsZone(t, app());
    await createMany(zone, 12);
    const byTtl = { per_page: "2", order: "ttl" };
    const expected = (await zone.list({ order: "ttl" })).map(({ id }) => id);
    const [ahead, behind]: [string[], string[]] = [[], []];
    for (let page = 1; page <= 8; page += 1) {
      ahead.push(...(await readPage(zone, byTtl, page)));
      if (page > 2) behind.push(...(await readPage(zone, byTtl, page - 2)));
    }
    assert.deepEqual([ahead, behind], [expected, expected]);
  });

  test("is forgotten after five minutes without a request, and then goes by numbers", async (t) => {
    const zone = await createDnsZone(t, app());
    await createMany(zone, 12);
    const byName = { per_page: "2", order: "name" };
    const sorted = async () => (await zone.list({ order: "name" })).map(({ id }) => id);
    const [first = ""] = await readPage(zone, byName, 1);
    app().advance(walkMsMax);
    await zone.send("DELETE", `/${first}`);
    assert.deepEqual(await readPage(zone, byName, 2), (await sorted()).slice(1, 3), "in time");
    app().advance(walkMsMax);
    assert.deepEqual(
      await readPage(zone, byName, 3),
      (await sorted()).slice(3, 5),
      "each request counts anew",
    );
    app().advance(walkMsMax + 1);
    assert.deepEqual(await readPage(zone, byName, 4), (await sorted()).slice(6, 8), "by its number");
  });

  test("backwards has every page of every size, those that are read from the end included", async (t) => {
    const zone = await createDnsZone(t, app());
    await createMany(zone, 31);
    for (const filter of [{}, { type: "A" }] as Query[]) {
      for (const order of orderings) {
        for (const direction of directions) {
          const asked = { ...filter, order, direction };
          const expected = (await zone.list(asked)).map(({ id }) => id);
          for (const perPage of [4, 10, expected.length - 1, expected.length, expected.length + 1]) {
            for (let page = Math.ceil(expected.length / perPage) + 1; page > 0; page -= 1) {
              assert.deepEqual(
                await readPage(zone, { ...asked, per_page: String(perPage) }, page),
                expected.slice((page - 1) * perPage, page * perPage),
                `${JSON.stringify(asked)} page ${page} of ${perPage}`,
              );
            }
          }
        }
      }
    }
  });
});

/** The records of a zone while they change. */
function changingRecords(zone: DnsZone) {
  const ids: string[] = [];
  const changed = new Set<string>();
  return {
    ids: () => [...ids],
    isUnchanged: (id: string) => !changed.has(id),
    apply: async (next: Change): Promise<void> => {
      if (next.kind === "create") {
        ids.push((await zone.create(uniqueBody(next.record))).id);
        return;
      }
      const id = ids[next.which % ids.length];
      if (id === undefined) return;
      changed.add(id);
      if (next.kind === "delete") ids.splice(ids.indexOf(id), 1);
      const [method, body] = next.kind === "delete" ? ["DELETE"] : ["PATCH", next.patch];
      const answer = await zone.send(method, `/${id}`, body);
      assert.equal(answer.status, 200, answer.text);
    },
  };
}

async function createMany(zone: DnsZone, count: number): Promise<void> {
  const posts = Array.from({ length: count }, (_, index) =>
    uniqueBody({
      name: `n${index % 7}`,
      ttl: index % 3 === 0 ? 1 : 300,
      isAddress: index % 2 === 0,
      proxied: index % 5 === 0,
    }),
  );
  const { status, text } = await zone.send("POST", "/batch", { posts });
  assert.equal(status, 200, text);
}

let bodies = 0;

/** A record whose content no other one has. */
function uniqueBody({ isAddress, proxied, ...rest }: NewRecord): object {
  bodies += 1;
  return isAddress
    ? { ...rest, type: "A", content: `203.0.${bodies >> 8}.${bodies & 255}`, proxied }
    : { ...rest, type: "TXT", content: `text ${bodies}` };
}

async function readPage(zone: DnsZone, asked: Query, page: number): Promise<string[]> {
  const { status, text, body } = await zone.send(
    "GET",
    `?${new URLSearchParams(asked).toString()}&page=${page}`,
  );
  assert.equal(status, 200, text);
  return (body.result as DnsRecord[]).map(({ id }) => id);
}
