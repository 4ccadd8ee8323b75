import assert from "node:assert/strict";
import { test } from "node:test";

import { onEachEngine, startTestApp, type TestAnswer, type TestApp } from "../support/harness.ts";
import { roundsOr } from "../support/rounds.ts";

const writers = 32;
/** Few names and contents, so that the writers meet. */
const names = 6;
const contents = 4;

/** Refusals of one writer because another was first. */
const documented = new Set([
  81_044, // The record is gone.
  81_053, // A CNAME record stands at the name.
  81_054, // A CNAME record wants the name for itself.
  81_058, // The same record is there.
]);

interface Record {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly content: string;
}

onEachEngine("32 writers in one zone", (engine) => {
  test("get what they ask for or a documented refusal, and break no rule of the zone together", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = `/zones/${await app.createZone("example.com")}`;
    const changesEach = Math.ceil(roundsOr(320) / writers);
    const latenciesMs: number[] = [];
    const refusals = new Map<number, number>();
    const ids = new Set<string>();
    const write = async (writer: number): Promise<void> => {
      for (let n = 0; n < changesEach; n += 1) {
        const began = performance.now();
        const answer = await change(app, zone, writer * 7 + n, ids);
        latenciesMs.push(performance.now() - began);
        for (const { id } of recordsIn(answer)) ids.add(id);
        if (answer.status === 200) continue;
        const code = answer.body.errors[0]?.code ?? 0;
        assert.ok([400, 404].includes(answer.status) && documented.has(code), answer.text);
        refusals.set(code, (refusals.get(code) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));

    const { body } = await app.request("GET", `${zone}/dns_records?per_page=5000`);
    const records = body.result as Record[];
    assert.equal(body.result_info?.total_count, records.length);
    const distinct = new Set(records.map(({ name, type, content }) => `${name} ${type} ${content}`));
    assert.equal(distinct.size, records.length);
    for (const { name } of records.filter(({ type }) => type === "CNAME")) {
      assert.equal(records.filter((other) => other.name === name).length, 1, name);
    }
    assert.ok(refusals.size > 0, "the writers never met");
    const sorted = latenciesMs.toSorted((one, other) => one - other);
    const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
    const refused = [...refusals.values()].reduce((sum, count) => sum + count, 0);
    t.diagnostic(
      `${sorted.length} changes, ${refused} refused (${[...refusals.keys()].toSorted((one, other) => one - other).join(", ")}); ` +
        `99 of 100 answered within ${p99.toFixed(0)} ms`,
    );
  });
});

function change(app: TestApp, zone: string, n: number, ids: Set<string>): Promise<TestAnswer> {
  const path = `${zone}/dns_records`;
  const isAlias = n % 5 === 0;
  const body = {
    type: isAlias ? "CNAME" : "A",
    name: `n${n % names}`,
    content: isAlias ? "elsewhere.example" : `192.0.2.${n % contents}`,
    ttl: 1,
  };
  const id = [...ids][n % (ids.size || 1)];
  if (id === undefined || n % 3 === 0) return app.request("POST", path, { body });
  switch (n % 4) {
    case 0:
      return app.request("PATCH", `${path}/${id}`, { body: { comment: `Change ${n}` } });
    case 1:
      ids.delete(id);
      return app.request("DELETE", `${path}/${id}`);
    case 2:
      return app.request("PUT", `${path}/${id}`, { body });
    default:
      return app.request("POST", `${path}/batch`, { body: { deletes: [{ id }], posts: [body] } });
  }
}

function recordsIn({ status, body }: TestAnswer): readonly Record[] {
  if (status !== 200) return [];
  return (body.result.posts ?? [body.result]) as Record[];
}
