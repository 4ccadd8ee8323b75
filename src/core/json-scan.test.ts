import assert from "node:assert/strict";
import { test } from "node:test";

import { assert as assertProperty, integer, jsonValue, property } from "fast-check";

import { isNestedDeeperThan } from "./json-scan.ts";

test("nesting is counted outside of texts", () => {
  const nested = (levels: number): string => `${"[".repeat(levels)}"[[[["${"]".repeat(levels)}`;
  assert.equal(isNestedDeeperThan(10, nested(10)), false);
  assert.equal(isNestedDeeperThan(10, nested(11)), true);
  assert.equal(isNestedDeeperThan(1, "[[],[],[]]"), true);
  assert.equal(isNestedDeeperThan(2, "[[],[],[]]"), false);
});

test("nesting is that of the value, whatever the value and its white space", () => {
  const levelsOf = (value: unknown): number =>
    typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levelsOf)) : 0;
  assertProperty(
    property(jsonValue({ maxDepth: 6 }), integer({ min: 0, max: 7 }), (value, levels) => {
      for (const text of [JSON.stringify(value), JSON.stringify(value, undefined, "\t ")]) {
        assert.equal(isNestedDeeperThan(levels, text), levelsOf(value) > levels, text);
      }
    }),
  );
});

test("a text that is no JSON is scanned to its end as well", () => {
  for (const text of ['"', '"\\"', '["', "]]]", '"\\\\', "{".repeat(3), 'a"b']) {
    assert.equal(isNestedDeeperThan(3, `${text}${" ".repeat(4)}`), false, text);
  }
  assert.equal(isNestedDeeperThan(3, '{"a":[[[nonsense'), true);
});
