import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { FairRoom } from "./fair-room.ts";

/** Takes one at a time until there is no more; returns how many it got. */
function fill(room: FairRoom, owners: readonly string[]): number {
  let count = 0;
  while (room.take(owners) !== undefined) count += 1;
  return count;
}

describe("fair room", () => {
  test("is half taken by an owner that is alone, and leaves others an equal part", () => {
    const room = new FairRoom(120);
    assert.deepEqual([fill(room, ["a"]), fill(room, ["b"]), fill(room, ["c"])], [60, 30, 15]);
  });

  test("lets no client of an account take the part of its other clients", () => {
    const room = new FairRoom(120);
    assert.deepEqual([fill(room, ["a", "1"]), fill(room, ["a", "2"]), fill(room, ["b", "1"])], [30, 15, 18]);
  });

  test("always has room left, never more taken than there is, and all of it again when everything is given back", () => {
    const owner = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 2, maxLength: 2 });
    const steps = fc.array(
      fc.record({ owner, amount: fc.integer({ min: 1, max: 40 }), gives: fc.boolean() }),
    );
    fc.assert(
      fc.property(steps, (all) => {
        const room = new FairRoom(100);
        const taken: { readonly amount: number; readonly giveBack: () => void }[] = [];
        for (const { owner: owners, amount, gives } of all) {
          if (gives) taken.pop()?.giveBack();
          const giveBack = room.take(owners, amount);
          if (giveBack !== undefined) taken.push({ amount, giveBack });
          assert.ok(taken.reduce((sum, one) => sum + one.amount, 0) < 100);
        }
        for (const { giveBack } of taken) giveBack();
        assert.equal(fill(room, ["a"]), 50);
      }),
    );
  });
});
