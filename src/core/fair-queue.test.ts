import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { FairQueue, fairShare } from "./fair-queue.ts";

interface Item {
  readonly owner: string;
  readonly number: number;
}

const owners = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 40 });

function queueOf(names: readonly string[]): FairQueue<Item> {
  const queue = new FairQueue<Item>();
  for (const [number, owner] of names.entries()) queue.add(owner, { owner, number });
  return queue;
}

function takeAll(queue: FairQueue<Item>): Item[] {
  const taken: Item[] = [];
  for (let item = queue.take(() => true); item !== undefined; item = queue.take(() => true)) taken.push(item);
  return taken;
}

describe("FairQueue", () => {
  test("gives out every item once, those of one owner in their order", () => {
    fc.assert(
      fc.property(owners, (names) => {
        const queue = queueOf(names);
        assert.equal(queue.length, names.length);
        const taken = takeAll(queue);
        assert.equal(queue.length, 0);
        assert.deepEqual(
          taken.map(({ number }) => number).toSorted((one, other) => one - other),
          [...names.keys()],
        );
        for (const name of new Set(names)) {
          const numbers = taken.filter(({ owner }) => owner === name).map(({ number }) => number);
          assert.deepEqual(
            numbers,
            numbers.toSorted((one, other) => one - other),
          );
        }
      }),
    );
  });

  test("nobody has a second turn while another owner waits for the first", () => {
    fc.assert(
      fc.property(owners, (names) => {
        const taken = takeAll(queueOf(names)).map(({ owner }) => owner);
        for (const name of new Set(names)) {
          const before = taken.slice(0, taken.indexOf(name));
          assert.equal(new Set(before).size, before.length, `${taken.join("")} makes ${name} wait`);
        }
      }),
    );
  });

  test("within a bound, the newest items go of the owner with the most", () => {
    const queue = queueOf(["a", "a", "a", "b"]);
    const add = (owner: string, number: number, weight?: number) =>
      queue.addWithin(4, owner, { owner, number }, weight).map((item) => `${item.owner}${item.number}`);
    assert.deepEqual(add("b", 4), ["a2"]);
    assert.deepEqual(add("b", 5), ["b5"], "where others have as much, it is the new one");
    assert.deepEqual(add("c", 6, 3), ["c6"]);
    assert.deepEqual(add("c", 7, 2), ["c7"]);
    assert.deepEqual(add("c", 8), ["a1"]);
    assert.equal(takeAll(queue).length, 4);
  });

  test("passes over what may not be taken, which keeps its place", () => {
    const queue = queueOf(["a", "a", "b"]);
    assert.deepEqual(
      queue.take(({ owner }) => owner !== "a"),
      { owner: "b", number: 2 },
    );
    assert.equal(
      queue.take(({ owner }) => owner !== "a"),
      undefined,
    );
    assert.deepEqual([queue.lengthOf("a"), queue.lengthOf("b")], [2, 0]);
    assert.deepEqual(
      takeAll(queue).map(({ number }) => number),
      [0, 1],
    );
  });
});

test("no owner gets less than another with as many items, but for one item, and none is left out below the limit", () => {
  const item = fc.record({ owner: fc.constantFrom("a", "b", "c"), number: fc.nat() });
  fc.assert(
    fc.property(fc.array(item), fc.nat({ max: 12 }), (items, limit) => {
      const taken = fairShare(items, ({ owner }) => owner, limit);
      assert.equal(taken.length, Math.min(limit, items.length));
      for (const one of ["a", "b", "c"]) {
        const own = taken.filter(({ owner }) => owner === one);
        const all = items.filter(({ owner }) => owner === one);
        assert.deepEqual(new Set(own), new Set(all.slice(0, own.length)));
        const most = Math.max(...["a", "b", "c"].map((o) => taken.filter(({ owner }) => owner === o).length));
        assert.ok(own.length === all.length || own.length >= most - 1);
      }
    }),
  );
});
