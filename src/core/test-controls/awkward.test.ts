import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { awkwardRules, omitOptional, seededChance, shuffleEquals } from "./awkward.ts";
import { faultRuleCheck } from "./fault.ts";

describe("an awkward answer", () => {
  test("keeps the order of different keys and all items, and is the same for the same seed", () => {
    const items = fc.array(fc.record({ key: fc.nat(3), id: fc.nat() }), { maxLength: 20 });
    const keyOf = (item: unknown): unknown => (item as { key: number }).key;
    fc.assert(
      fc.property(items, fc.nat(), (given, seed) => {
        const sorted = given.toSorted((a, b) => a.key - b.key);
        const shuffled = shuffleEquals(sorted, keyOf, seededChance(seed, 1));
        assert.deepEqual(shuffled.map(keyOf), sorted.map(keyOf));
        assert.deepEqual(new Set(shuffled), new Set(sorted));
        assert.deepEqual(shuffled, shuffleEquals(sorted, keyOf, seededChance(seed, 1)));
      }),
    );
    const alike = Array.from({ length: 20 }, (_, id) => ({ key: 1, id }));
    assert.notDeepEqual(shuffleEquals(alike, keyOf, seededChance(1, 1)), alike);
  });

  test("leaves out nothing but what the schema calls optional", () => {
    const schema = {
      type: "array",
      items: {
        properties: { id: {}, note: {}, inner: { properties: { kept: {}, gone: {} }, required: ["kept"] } },
        required: ["id", "inner"],
      },
    };
    const value = [{ id: 1, note: 2, unknown: 3, inner: { kept: 4, gone: 5 } }];
    assert.deepEqual(
      omitOptional(value, schema, () => 0),
      [{ id: 1, unknown: 3, inner: { kept: 4 } }],
    );
    assert.deepEqual(
      omitOptional(value, schema, () => 0.9),
      value,
    );
  });

  test("comes besides valid rules of faults", () => {
    for (const rule of awkwardRules(7)) {
      const issues: unknown[] = [];
      faultRuleCheck(new Set())(rule, "", issues as never);
      assert.deepEqual(issues, []);
    }
  });
});
