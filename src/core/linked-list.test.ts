import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { Link, LinkedList } from "./linked-list.ts";

test("a linked list holds what was added and not removed, in the order of adding", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 7 }), { maxLength: 100 }), (toggled) => {
      const list = new LinkedList<number>();
      const links = Array.from({ length: 8 }, (_, value) => new Link(value));
      let expected: number[] = [];
      for (const at of toggled) {
        const link = links[at];
        assert.ok(link);
        if (expected.includes(at)) {
          list.remove(link);
          expected = expected.filter((value) => value !== at);
        } else {
          list.add(link);
          expected.push(at);
        }
      }
      const held: number[] = [];
      for (let link = list.first; link !== undefined; link = link.after) held.push(link.value);
      assert.deepEqual([held, list.size], [expected, expected.length]);
    }),
  );
});

test("a link is removed from a linked list once", () => {
  const list = new LinkedList<string>();
  const [a, b] = [new Link("a"), new Link("b")];
  list.add(a);
  list.add(b);
  list.remove(a);
  list.remove(a);
  assert.deepEqual([list.first?.value, list.size], ["b", 1]);
});
