import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { countLabels, isAtOrBelow, nameAt, nameToOctets, parentOf } from "./names.ts";
import { names } from "../../../../test/support/arbitraries/dns-messages.ts";
import { WireError } from "./octets.ts";

describe("a name", () => {
  test("comes back from its octets as it was, whatever its labels hold", () => {
    fc.assert(
      fc.property(names, (name) => {
        const octets = nameToOctets(name);
        assert.deepEqual(nameAt(octets, 0), { name, end: octets.length });
      }),
    );
  });

  test("has its label octets counted and its dots told from those between labels", () => {
    assert.equal(nameToOctets(String.raw`a\.b.c`), "\u0003a.b\u0001c\0");
    assert.equal(nameToOctets(String.raw`\\.\000`), "\u0001\\\u0001\0\0");
    assert.equal(parentOf(String.raw`a\.b.c`), "c");
    assert.equal(parentOf(String.raw`a\\.b`), "b");
    assert.equal(parentOf("c"), undefined);
    assert.equal(parentOf("."), undefined);
    assert.equal(countLabels(String.raw`a\.b.c`), 2);
    assert.equal(countLabels("."), 0);
  });

  test("lies below another only at the border of a label", () => {
    assert.ok(isAtOrBelow("a.example.com", "example.com"));
    assert.ok(isAtOrBelow("example.com", "example.com"));
    assert.ok(isAtOrBelow("com", "."));
    assert.ok(isAtOrBelow(String.raw`a\\.example.com`, "example.com"));
    assert.ok(!isAtOrBelow("anexample.com", "example.com"));
    assert.ok(!isAtOrBelow(String.raw`a\.example.com`, "example.com"));
    assert.ok(!isAtOrBelow("com", "example.com"));
  });

  test("of 255 octets is the longest, with labels of at most 63", () => {
    const label = "a".repeat(63);
    assert.equal(nameToOctets(`${label}.${label}.${label}.${"a".repeat(61)}`).length, 255);
    for (const bad of [
      `${label}.${label}.${label}.${"a".repeat(62)}`,
      `${label}a`,
      "",
      "a..b",
      ".a",
      "a\\",
      "a\\25",
    ]) {
      assert.throws(() => nameToOctets(bad), WireError, bad);
    }
  });
});
