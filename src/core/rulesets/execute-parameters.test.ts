import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { overrideRule, type Overrides } from "./execute-parameters.ts";

const rule = { id: "r", action: "block", enabled: true, categories: ["a", "b"] } as const;
const score = { id: "s", action: "score", enabled: true, categories: ["a"] } as const;
const final = { id: "f", action: "block", enabled: true, score_threshold: 40 } as const;

const acting = (one: typeof rule | typeof score | typeof final, overrides: Overrides): unknown[] => {
  const { action, enabled } = overrideRule(one, overrides);
  return [action, enabled];
};

describe("overrides", () => {
  test("a rule beats its categories, and these beat the ruleset, for action and status each on its own", () => {
    assert.deepEqual(acting(rule, { action: "log", enabled: false }), ["log", false]);
    const categories = [{ category: "b", enabled: true }];
    assert.deepEqual(acting(rule, { action: "log", enabled: false, categories }), ["log", true]);
    const rules = [{ id: "r", action: "challenge" as const }];
    assert.deepEqual(acting(rule, { action: "log", enabled: false, rules }), ["challenge", false]);
    assert.deepEqual(acting(rule, { enabled: false, categories, rules }), ["challenge", true]);
    assert.deepEqual(acting(rule, { rules: [{ id: "other", enabled: false }] }), ["block", true]);
  });

  test("of several categories the last in the list wins", () => {
    const categories = [
      { category: "b", action: "log" as const, enabled: false },
      { category: "a", enabled: true },
      { category: "c", enabled: false },
    ];
    assert.deepEqual(acting(rule, { categories }), ["log", true]);
    assert.deepEqual(acting(rule, { categories: categories.toReversed() }), ["log", false]);
  });

  test("the action of a whole ruleset is none of scoring rules, its status is", () => {
    assert.deepEqual(acting(score, { action: "log", enabled: false }), ["score", false]);
    assert.deepEqual(acting(final, { action: "log" }), ["block", true]);
    const rules = [{ id: "f", action: "log" as const, score_threshold: 25 }];
    assert.deepEqual(overrideRule(final, { rules }), { ...final, action: "log", score_threshold: 25 });
    const { score_threshold: _, ...plain } = final;
    assert.deepEqual(overrideRule(plain, { rules }), { ...plain, action: "log" });
  });
});
