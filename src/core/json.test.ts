import assert from "node:assert/strict";
import { test } from "node:test";
import { assert as assertProperty, integer, jsonValue, property } from "fast-check";
import { exceededBound, isNestedDeeper } from "./json.ts";

test("nesting is counted outside of texts", () => {
  const nested = (levels: number): string => `${"[".repeat(levels)}"[[[["${"]".repeat(levels)}`;
  assert.equal(isNestedDeeper(nested(10), 10), false);
  assert.equal(isNestedDeeper(nested(11), 10), true);
  assert.equal(isNestedDeeper("[[],[],[]]", 1), true);
  assert.equal(isNestedDeeper("[[],[],[]]", 2), false);
});

test("nesting is that of the value, whatever the value and its white space", () => {
  const levelsOf = (value: unknown): number =>
    typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levelsOf)) : 0;
  assertProperty(
    property(jsonValue({ maxDepth: 6 }), integer({ min: 0, max: 7 }), (value, levels) => {
      for (const text of [JSON.stringify(value), JSON.stringify(value, undefined, "\t ")]) {
        assert.equal(isNestedDeeper(text, levels), levelsOf(value) > levels, text);
      }
    }),
  );
});

test("a text that is no JSON is scanned to its end as well", () => {
  for (const text of ['"', '"\\"', '["', "]]]", '"\\\\', "{".repeat(3), 'a"b']) {
    assert.equal(isNestedDeeper(`${text}${" ".repeat(4)}`, 3), false, text);
  }
  assert.equal(isNestedDeeper('{"a":[[[nonsense', 3), true);
});

test("values are counted, those within others included; what is empty counts as if it held one", () => {
  const countOf = (value: unknown): number => {
    if (typeof value !== "object" || value === null) return 1;
    const held = Object.values(value).map(countOf);
    return 1 + (held.length === 0 ? 1 : held.reduce((sum, count) => sum + count));
  };
  assertProperty(
    property(jsonValue({ maxDepth: 6 }), (value) => {
      const count = countOf(value);
      const text = JSON.stringify(value, undefined, " ");
      assert.equal(exceededBound(text, { levelsMax: 100, valuesMax: count }), undefined, text);
      if (count === 1) return;
      assert.equal(exceededBound(text, { levelsMax: 100, valuesMax: count - 1 }), "valuesMax", text);
    }),
  );
});
