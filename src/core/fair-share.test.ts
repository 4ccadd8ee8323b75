import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { fairShare } from "./fair-share.ts";

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
