import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { addressBits, compareAddresses, parseIpAddress, type IpAddress } from "./ip-address.ts";
import { isInRange, networkOf } from "./ip-range.ts";
import { RangeSet } from "./range-set.ts";

// Few different addresses, so that they often meet.
const address = fc
  .tuple(fc.boolean(), fc.integer({ min: 0, max: 40 }))
  .map(([isNewer, last]) => parseIpAddress(isNewer ? `2001:db8::${last}` : `192.0.2.${last}`) as IpAddress);
const range = fc
  .tuple(address, fc.integer({ min: 0, max: 8 }))
  .map(([base, host]) => networkOf(base, addressBits(base) - host));

test("a set of ranges holds the addresses that one of its ranges holds, and no others", () => {
  fc.assert(
    fc.property(fc.array(range), fc.array(address), (ranges, addresses) => {
      const set = new RangeSet();
      for (const one of ranges.toSorted((a, b) => compareAddresses(a.first, b.first))) set.add(one);
      for (const one of addresses) {
        assert.equal(
          set.has(one),
          ranges.some((other) => isInRange(one, other)),
        );
      }
    }),
  );
});
