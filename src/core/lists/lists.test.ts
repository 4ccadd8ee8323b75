import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { parseIpAddress } from "../net/ip-address.ts";
import { isInRange, parseIpRange } from "../net/ip-range.ts";
import { parseListedAddress } from "./items.ts";
import { exceededByItems, exceededByList } from "./kinds.ts";
import { parseSource, printSource } from "./redirects.ts";

const counts = (lists: number, items: number) => new Map([["ip", { lists, items }] as const]);

test("an account may have as many lists and items as its plan says, and not one more", () => {
  assert.equal(exceededByList("pro", "ip", counts(9, 0)), undefined);
  assert.equal(exceededByList("pro", "ip", counts(10, 0))?.listsMax, 10);
  assert.equal(exceededByList("pro", "redirect", counts(10, 0)), undefined);
  assert.equal(
    exceededByList("enterprise", "asn", new Map([["asn", { lists: 40, items: 0 }]]))?.listsMax,
    40,
  );
  assert.equal(exceededByItems("enterprise", "ip", counts(1, 499_999), 1), undefined);
  assert.equal(exceededByItems("enterprise", "ip", counts(1, 499_999), 2)?.itemsMax, 500_000);
  assert.equal(exceededByItems("free", "ip", counts(1, 10_001), 0), undefined);
});

test("the canonical form of an address or a range is one of its own, and holds the address", () => {
  const address = fc.oneof(fc.ipV4(), fc.ipV6());
  fc.assert(
    fc.property(address, fc.integer({ min: 0, max: 128 }), fc.boolean(), (text, bits, isRange) => {
      const sent = isRange ? `${text}/${bits}` : text;
      const listed = parseListedAddress(sent);
      if (listed === undefined) return;
      assert.deepEqual(parseListedAddress(listed.text), listed);
      const [parsed, range] = [parseIpAddress(text), parseIpRange(listed.text)];
      assert.ok(parsed && range && isInRange(parsed, range));
    }),
  );
});

test("the source of a redirect is read back from its canonical form", () => {
  fc.assert(
    fc.property(fc.webUrl(), (url) => {
      const source = parseSource(url);
      if (source !== undefined) assert.deepEqual(parseSource(printSource(source)), source);
    }),
  );
});
