import assert from "node:assert/strict";
import { test } from "node:test";

import { overrideAll, overrideCategory, overrideRule, overrideThreshold, toSend } from "./overrides.ts";

const nothing = { action: undefined, enabled: undefined };

test("an override of a rule is made, changed and dropped where it says nothing any more", () => {
  const made = overrideRule({}, "a", { action: "log", enabled: undefined });
  assert.deepEqual(toSend(made), { rules: [{ id: "a", action: "log" }] });
  const changed = overrideRule(made, "a", { action: "log", enabled: false });
  assert.deepEqual(toSend(changed), { rules: [{ id: "a", action: "log", enabled: false }] });
  assert.equal(toSend(overrideRule(changed, "a", nothing)), undefined);
});

test("a score threshold and an action of the same rule do not disturb each other", () => {
  const both = overrideRule(overrideThreshold({}, "score", 25), "score", {
    action: "log",
    enabled: undefined,
  });
  assert.deepEqual(toSend(both), { rules: [{ id: "score", score_threshold: 25, action: "log" }] });
  assert.deepEqual(toSend(overrideThreshold(both, "score", undefined)), {
    rules: [{ id: "score", action: "log" }],
  });
});

test("what an override says besides action and status stays", () => {
  const overrides = {
    sensitivity_level: "low",
    categories: [{ category: "sqli", sensitivity_level: "low" }],
  };
  const changed = overrideCategory(overrideAll(overrides, { action: "log", enabled: undefined }), "sqli", {
    action: undefined,
    enabled: false,
  });
  assert.deepEqual(toSend(changed), {
    sensitivity_level: "low",
    action: "log",
    categories: [{ category: "sqli", sensitivity_level: "low", enabled: false }],
  });
});

test("a category that was added and changes nothing is not sent", () => {
  assert.equal(toSend(overrideCategory({}, "sqli", nothing)), undefined);
});
