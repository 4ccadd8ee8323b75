import assert from "node:assert/strict";
import { test } from "node:test";

import { newDraft, toBody, toDraft, type SkipDraft } from "./rule-draft.ts";

const rule = {
  id: "11",
  version: "3",
  last_updated: "2026-01-02T03:04:05Z",
  ref: "11",
  expression: "true",
  description: "",
  enabled: true,
} as const;

test("a rule that is opened and saved says what it said", () => {
  const parameters = [
    { action: "execute", action_parameters: { id: "aa", version: "2", overrides: { action: "log" } } },
    { action: "execute", action_parameters: { id: "aa", matched_data: { public_key: "key" } } },
    { action: "skip", action_parameters: { ruleset: "current" }, logging: { enabled: false } },
    { action: "skip", action_parameters: { rules: { aa: ["1"] } }, logging: { enabled: true } },
    { action: "skip", action_parameters: { rulesets: ["aa"] }, logging: { enabled: true } },
    {
      action: "skip",
      action_parameters: { rulesets: ["aa"], rules: { bb: ["1"] } },
      logging: { enabled: true },
    },
    { action: "block" },
    {
      action: "block",
      exposed_credential_check: { username_expression: "u", password_expression: "p" },
    },
  ] as const;
  for (const one of parameters) {
    const saved = { ...rule, ...one };
    const { version: _version, last_updated: _lastUpdated, ...definition } = saved;
    assert.deepEqual(toBody(toDraft(saved), saved), definition);
  }
});

test("another ruleset does not inherit the version that the one before was pinned to", () => {
  const before = { ...rule, action: "execute", action_parameters: { id: "aa", version: "2" } } as const;
  const draft = {
    ...toDraft(before),
    effect: { action: "execute", rulesetId: "bb", overrides: {} },
  } as const;
  assert.deepEqual(toBody(draft, before).action_parameters, { id: "bb" });
});

test("an exception sends what its reach asks for, and nothing besides", () => {
  const draft = newDraft("skip");
  const effect = draft.effect as SkipDraft;
  const chosen = { ...effect, rulesetIds: ["aa"], ruleIds: { aa: ["1"], bb: [] } };
  const parametersFor = (reach: SkipDraft["reach"]) =>
    toBody({ ...draft, effect: { ...chosen, reach } }).action_parameters;
  assert.deepEqual(parametersFor("everything"), { ruleset: "current" });
  assert.deepEqual(parametersFor("rulesets"), { rulesets: ["aa"] });
  assert.deepEqual(parametersFor("rules"), { rules: { aa: ["1"] } });
  assert.deepEqual(parametersFor("both"), { rulesets: ["aa"], rules: { aa: ["1"] } });
});
