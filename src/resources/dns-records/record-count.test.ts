import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { createDnsZone, shareApp, type DnsZone } from "../../../test/support/dns-zone.ts";
import { onEachEngine, type TestAnswer } from "../../../test/support/harness.ts";

// Few names and contents, so that most operations meet each other's records.
const body = fc.oneof(
  { arbitrary: recordOf("A", "192.0.2.1", "192.0.2.2", "not an address"), weight: 3 },
  recordOf("CNAME", "target.example.net", "other.example.net"),
  recordOf("TXT", "one", "two", ""),
  recordOf("NS", "ns.example.net"),
);
const patch = fc.oneof(
  body,
  fc.record({ ttl: fc.constantFrom(1, 300, 5) }),
  fc.record({ comment: fc.constantFrom("text", null, 1) }),
  fc.record({ tags: fc.constantFrom([], ["a:1"], ["a:1", "b:2"], "no list") }),
);
/** Names one of the records that were ever made, so perhaps one that is gone, or none at all. */
const which = fc.nat({ max: 30 });
const few = <T>(arbitrary: fc.Arbitrary<T>) => fc.array(arbitrary, { maxLength: 2 });

const operation = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant("create" as const), body }), weight: 3 },
  fc.record({ kind: fc.constant("replace" as const), which, body }),
  fc.record({ kind: fc.constant("edit" as const), which, patch }),
  { arbitrary: fc.record({ kind: fc.constant("delete" as const), which }), weight: 2 },
  fc.record({
    kind: fc.constant("batch" as const),
    deletes: few(which),
    patches: few(fc.tuple(which, patch)),
    puts: few(fc.tuple(which, body)),
    posts: few(body),
  }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;
/** Operations that are sent at the same instant. */
const wave = fc.array(operation, { minLength: 1, maxLength: 4 });

onEachEngine("the number of records that a zone keeps", (engine) => {
  const app = shareApp(engine);

  test("is right after any operations, failing and simultaneous ones included", async (t) => {
    let runs = 0;
    const property = fc.asyncProperty(fc.array(wave, { minLength: 1, maxLength: 6 }), async (waves) => {
      const zone = await createDnsZone(t, app(), `run${(runs += 1)}.example`);
      const ids: string[] = [];
      let expected = 0;
      for (const operations of waves) {
        const answers = await Promise.all(operations.map((one) => send(zone, one, ids)));
        for (const [index, answer] of answers.entries()) {
          assert.ok([200, 400, 404].includes(answer.status), answer.text);
          if (answer.status === 200) expected += countChange(operations[index]?.kind, answer, ids);
        }
        const kept = (await zone.send("GET", "?per_page=1")).body.result_info?.total_count;
        const counted = (await zone.send("GET", `?per_page=1&name.contains=${zone.name}`)).body.result_info;
        assert.deepEqual([kept, counted?.total_count], [expected, expected]);
      }
    });
    await fc.assert(property, { numRuns: 15 });
  });
});

function recordOf(type: string, ...contents: string[]) {
  return fc.record({
    type: fc.constant(type),
    name: fc.constantFrom("@", "www", "a..b"),
    content: fc.constantFrom(...contents),
  });
}

function send(zone: DnsZone, sent: Operation, ids: readonly string[]): Promise<TestAnswer> {
  const idOf = (index: number): string => ids[index % (ids.length + 1)] ?? "0".repeat(32);
  switch (sent.kind) {
    case "create":
      return zone.send("POST", "", sent.body);
    case "replace":
      return zone.send("PUT", `/${idOf(sent.which)}`, sent.body);
    case "edit":
      return zone.send("PATCH", `/${idOf(sent.which)}`, sent.patch);
    case "delete":
      return zone.send("DELETE", `/${idOf(sent.which)}`);
    case "batch":
      return zone.send("POST", "/batch", {
        deletes: sent.deletes.map((index) => ({ id: idOf(index) })),
        patches: sent.patches.map(([index, fields]) => ({ id: idOf(index), ...fields })),
        puts: sent.puts.map(([index, fields]) => ({ id: idOf(index), ...fields })),
        posts: sent.posts,
      });
  }
}

/** Counts how many more records there are after an operation; the ids of new ones join `ids`. */
function countChange(
  kind: Operation["kind"] | undefined,
  { body: { result } }: TestAnswer,
  ids: string[],
): number {
  if (kind === "create") ids.push(result.id);
  if (kind === "batch") ids.push(...result.posts.map(({ id }: { id: string }) => id));
  const changes = {
    create: 1,
    replace: 0,
    edit: 0,
    delete: -1,
    batch: kind === "batch" ? result.posts.length - result.deletes.length : 0,
  };
  return kind === undefined ? 0 : changes[kind];
}
