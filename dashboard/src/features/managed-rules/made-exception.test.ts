import assert from "node:assert/strict";
import { test } from "node:test";

import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import { madeException } from "./made-exception.ts";

const expression = 'http.host eq "example.com"';
const exception = {
  action: "skip",
  description: "",
  expression,
  action_parameters: { rules: { managed: ["a", "b"] } },
  requests: 1,
} as const;

const rule = (part: object): Rule => ({
  id: "",
  version: "1",
  last_updated: "",
  ref: "",
  description: "",
  action: "skip",
  expression,
  enabled: true,
  action_parameters: exception.action_parameters,
  ...part,
});
const execute = rule({ action: "execute", expression: "true", action_parameters: { id: "managed" } });

const differencesIn = (...rules: readonly Rule[]) => madeException(exception as never, rules)?.differences;

test("an exception is made by a rule that skips the same for the same requests, in time", () => {
  assert.deepEqual(differencesIn(rule({}), execute), []);
  assert.equal(differencesIn(execute), undefined);
  assert.equal(differencesIn(rule({ expression: "true" })), undefined);
});

test("what of a rule differs from the exception is said", () => {
  const skipping = (parameters: object) => differencesIn(rule({ action_parameters: parameters }), execute);
  assert.deepEqual(differencesIn(rule({ enabled: false }), execute), ["it is disabled"]);
  assert.deepEqual(differencesIn(rule({ action: "managed_challenge" }), execute), [
    "its action is managed challenge",
  ]);
  assert.deepEqual(differencesIn(execute, rule({})), ["it comes after the rule that executes them"]);
  assert.deepEqual(skipping({ rules: { managed: ["a"] } }), ["it does not skip 1 of the rules"]);
  assert.deepEqual(skipping({ rules: { managed: ["a", "b", "c"] } }), ["it skips more than these rules"]);
  assert.deepEqual(skipping({ ruleset: "current" }), ["it skips more than these rules"]);
  assert.deepEqual(skipping({ rulesets: ["managed"] }), ["it skips more than these rules"]);
  assert.deepEqual(skipping({ rulesets: ["other"] }), [
    "it does not skip 2 of the rules",
    "it skips more than these rules",
  ]);
});

test("a rule that is disabled ahead executes nothing, and of several rules the closest counts", () => {
  assert.deepEqual(differencesIn({ ...execute, enabled: false }, rule({}), execute), []);
  assert.deepEqual(differencesIn(rule({ enabled: false }), rule({}), execute), []);
});
