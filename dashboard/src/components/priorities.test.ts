import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { movedPriorities } from "./priorities.ts";

test("whatever the priorities were, what is moved stands where it was put, and the others stay in order", () => {
  const list = fc
    .array(fc.nat(20), { minLength: 1, maxLength: 12 })
    .map((priorities) =>
      priorities
        .toSorted((one, other) => other - one)
        .map((priority, index) => ({ id: `id${index}`, priority })),
    );
  fc.assert(
    fc.property(list, fc.nat(), fc.nat(), (before, from, to) => {
      const { id = "" } = before[from % before.length] ?? {};
      const place = to % before.length;
      const changed = new Map(
        movedPriorities(before, id, place).map((one) => [one.id, one.priority] as const),
      );
      const after = before.map((one) => ({ ...one, priority: changed.get(one.id) ?? one.priority }));
      const priorities = new Set(after.map(({ priority }) => priority));
      assert.equal(priorities.size, after.length, "no two are equal");
      const order = after.toSorted((one, other) => other.priority - one.priority).map((one) => one.id);
      const others = before.map((one) => one.id).filter((one) => one !== id);
      assert.deepEqual(order, others.toSpliced(place, 0, id));
    }),
  );
});

test("a swap of two neighbours changes no more than it has to", () => {
  const list = [
    { id: "a", priority: 30 },
    { id: "b", priority: 20 },
    { id: "c", priority: 10 },
  ];
  assert.deepEqual(movedPriorities(list, "b", 2), [{ id: "b", priority: 1 }]);
  assert.deepEqual(movedPriorities(list, "nowhere", 0), []);
});
