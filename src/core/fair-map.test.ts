import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { FairMap } from "./fair-map.ts";

const ownerNames = ["a", "b", "c", "d"] as const;
const steps = fc.array(
  fc.record({
    owner: fc.constantFrom(...ownerNames),
    client: fc.constantFrom("1", "2", "3"),
    key: fc.nat({ max: 30 }),
    weight: fc.nat({ max: 9 }),
    kind: fc.constantFrom("set", "set", "set", "get", "delete", "weigh"),
  }),
  { maxLength: 120 },
);

describe("a fair map", () => {
  test("stays within its bound, and takes nothing from an owner that holds less than an equal part", () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 60 }), steps, (weightMax, all) => {
        /** The expected entries, with owner and weight. */
        const held = new Map<string, { readonly owner: string; readonly weight: number }>();
        const map = new FairMap<string, string>({ weightMax, onDrop: (key) => dropped.push(key) });
        let dropped: string[] = [];
        const weightOf = (owner?: string): number =>
          [...held.values()].reduce(
            (sum, one) => sum + (owner === undefined || one.owner === owner ? one.weight : 0),
            0,
          );
        for (const { owner, client, key: number, weight, kind } of all) {
          const key = `${owner} ${client} ${number}`;
          dropped = [];
          if (kind === "get") assert.equal(map.get(key), held.has(key) ? key : undefined);
          else if (kind === "delete") {
            assert.equal(map.delete(key), held.has(key) ? key : undefined);
            held.delete(key);
          } else if (kind === "weigh") {
            map.weigh(key, weight);
            if (held.has(key)) held.set(key, { owner, weight });
          } else {
            map.set(key, key, [owner, client], weight);
            held.set(key, { owner, weight });
          }
          for (const gone of dropped) {
            const its = held.get(gone);
            const owners = new Set([...held.values()].map((one) => one.owner)).size;
            assert.ok(its !== undefined && weightOf() > weightMax, "it was there, and room was needed");
            assert.ok(weightOf(its.owner) * owners >= weightOf(), "its owner had an equal part");
            held.delete(gone);
          }
          assert.equal(map.weight, weightOf());
          assert.ok(map.weight <= weightMax);
          assert.equal(map.size, held.size);
          for (const known of held.keys()) assert.equal(map.peek(known), known);
        }
      }),
    );
  });

  test("drops the least recently used entry of the owner", () => {
    const map = new FairMap<string, number>({ weightMax: 4 });
    map.set("other", 0, ["a"]);
    for (const [index, key] of ["one", "two", "three"].entries()) map.set(key, index, ["b"]);
    map.get("one");
    map.set("four", 3, ["b"]);
    assert.deepEqual(
      ["other", "one", "two", "three", "four"].map((key) => map.peek(key) !== undefined),
      [true, true, false, true, true],
    );
    assert.deepEqual(map.oldest(), ["other", 0]);
  });

  test("lets a client of an account take nothing from its other clients, nor they from another account", () => {
    const map = new FairMap<string, true>({ weightMax: 100 });
    for (let index = 0; index < 20; index += 1) map.set(`a ${index}`, true, ["a", "1"]);
    for (let index = 0; index < 20; index += 1) map.set(`b ${index}`, true, ["b", "1"]);
    for (let index = 0; index < 1_000; index += 1) map.set(`b2 ${index}`, true, ["b", "2"]);
    for (let index = 0; index < 20; index += 1)
      assert.deepEqual([map.peek(`a ${index}`), map.peek(`b ${index}`)], [true, true]);
    assert.equal(map.size, 100);
  });

  test("holds all of the bound for a single owner, and is empty once cleared", () => {
    const map = new FairMap<number, number>({ weightMax: 10 });
    for (let index = 0; index < 30; index += 1) map.set(index, index, ["a"]);
    assert.equal(map.size, 10);
    map.clear();
    assert.deepEqual([map.size, map.weight, map.peek(29), map.oldest()], [0, 0, undefined, undefined]);
  });
});
