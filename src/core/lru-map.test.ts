import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { LruMap } from "./lru-map.ts";

test("an LRU map holds the keys that were used last, with their latest values", () => {
  const used = fc.oneof(fc.nat(), fc.constantFrom("get", "delete"));
  const step = fc.record({ key: fc.nat({ max: 12 }), use: used });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.array(step), (sizeMax, steps) => {
      const map = new LruMap<number, number>(sizeMax);
      /** Least recently used first. */
      let expected: [key: number, value: number][] = [];
      for (const { key, use } of steps) {
        const known = expected.find(([other]) => other === key)?.[1];
        if (use === "get") assert.equal(map.get(key), known);
        else if (use === "delete") map.delete(key);
        else map.set(key, use);
        const latest = typeof use === "number" ? use : known;
        if (latest === undefined) continue;
        expected = expected.filter(([other]) => other !== key);
        if (use !== "delete") expected.push([key, latest]);
        expected = expected.slice(-sizeMax);
      }
      assert.equal(map.size, expected.length);
      for (const [key, value] of expected) assert.equal(map.get(key), value);
    }),
  );
});

test("a cleared LRU map is empty", () => {
  const map = new LruMap<string, number>(2);
  map.set("a", 1);
  map.clear();
  assert.equal(map.size, 0);
  assert.equal(map.get("a"), undefined);
});
