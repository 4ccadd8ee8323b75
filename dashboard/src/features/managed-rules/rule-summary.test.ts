import assert from "node:assert/strict";
import { test } from "node:test";

import { describeOverrides, describeRule, paranoiaLevelOf, withParanoiaLevel } from "./rule-summary.ts";

const rulesets = [
  {
    id: "aa",
    name: "The Ruleset",
    description: "",
    kind: "managed",
    version: "1",
    last_updated: "2026-01-02T03:04:05Z",
    phase: "http_request_firewall_managed",
  },
] as const;
const rule = { expression: "true", description: "", enabled: true } as const;

test("a rule is described by what it executes or skips", () => {
  assert.equal(
    describeRule({ ...rule, action: "execute", action_parameters: { id: "aa" } }, rulesets),
    "Execute The Ruleset",
  );
  assert.equal(
    describeRule({ ...rule, action: "skip", action_parameters: { ruleset: "current" } }, rulesets),
    "Skip all managed rules after it",
  );
  assert.equal(
    describeRule({ ...rule, action: "skip", action_parameters: { rules: { aa: ["1", "2"] } } }, rulesets),
    "Skip 2 rules of The Ruleset",
  );
  const both = { rulesets: ["aa"], rules: { bb: ["1"] } };
  assert.equal(
    describeRule({ ...rule, action: "skip", action_parameters: both }, rulesets),
    "Skip The Ruleset, 1 rule of bb",
  );
});

test("overrides are summed up: the paranoia level, the threshold with its action, and counts of the rest", () => {
  const overrides = {
    categories: [{ category: "wordpress", enabled: false }, ...withParanoiaLevel([], 1)],
    rules: [
      { id: "score", score_threshold: 25, action: "log" },
      { id: "other", enabled: false },
    ],
  };
  assert.deepEqual(
    describeOverrides({ ...rule, action: "execute", action_parameters: { id: "aa", overrides } }),
    ["paranoia level 1", "score threshold 25", "action log", "1 category", "1 rule changed"],
  );
});

test("a paranoia level is set without touching other categories, and read back", () => {
  for (const level of [1, 2, 3])
    assert.equal(paranoiaLevelOf({ categories: withParanoiaLevel([], level) }), level);
  const other = { category: "sqli", action: "log" };
  assert.deepEqual(withParanoiaLevel([other, ...withParanoiaLevel([], 1)], undefined), [other]);
  assert.equal(paranoiaLevelOf({ categories: [other] }), undefined);
});
